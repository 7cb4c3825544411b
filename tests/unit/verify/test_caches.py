"""A check keeps little of what it read: a process that checks for weeks must not hold every source it ever saw."""

import gc

import pytest

from almanac.verify import CitedClaim, check
from almanac.verify.checker import Checker
from almanac.verify.facts import SENTENCE_CACHE_SIZE, SentenceFacts
from almanac.verify.sources import SourceText

pytestmark = pytest.mark.lengthy

ROUNDS = 40


def source(number: int, sentences: int) -> str:
    return " ".join(f"Council {number} planted {line + 2} trees in Kedah on day {line}." for line in range(sentences))


def held(kind: type) -> int:
    gc.collect()
    return sum(type(each) is kind for each in gc.get_objects())


def checked(number: int, sentences: int) -> None:
    claim = CitedClaim(f"Council {number} planted 3 trees in Kedah on day 1.", ("a",))
    assert check([claim], {"a": source(number, sentences)}).supported


def test_only_the_last_short_sources_stay():
    before = held(SourceText)
    for number in range(ROUNDS):
        checked(number, 10)
    assert held(SourceText) - before < ROUNDS / 2


def test_no_long_source_stays():
    before = held(SourceText)
    for number in range(3):
        checked(1000 + number, 800)
    assert held(SourceText) <= before


def test_sentences_of_sources_do_not_pile_up():
    before = held(SentenceFacts)
    for number in range(3):
        checked(2000 + number, 900)
    assert held(SentenceFacts) - before < 2 * SENTENCE_CACHE_SIZE


def test_what_a_checker_still_needs_stays():
    checker = Checker({"a": source(1, 800)}, None, None)
    for line in (0, 400, 799):
        claim = CitedClaim(f"Council 1 planted {line + 2} trees in Kedah on day {line}.", ("a",))
        assert checker.check(claim, 0, len(claim.text)).findings == ()
