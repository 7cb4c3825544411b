"""Verdicts are kept by content: checked once, checked again after any change of sentence, source or rules."""

import pytest

from almanac.desks.newsletter.model import checks
from almanac.desks.newsletter.model.checks import VerdictCache
from almanac.verify import Verdict
from almanac.verify.markers import read_claims

SOURCES = {
    "grid": "A storm cut power to 40,000 homes on Monday. Western Grid restored it by Tuesday noon.",
    "port": "The port handled 812 ships in May.",
}
TEXT = (
    "# Power\n\nA storm cut power to 40,000 homes on Monday. [@grid] The port handled 821 ships in May. [@port]\n\n"
    "Dear readers, welcome! [@own]"
)


@pytest.fixture
def calls(monkeypatch):
    """The claims that were really checked."""
    seen = []
    check = checks.check

    def counted(claims, sources):
        seen.extend(claim.text for claim in claims)
        return check(claims, sources)

    monkeypatch.setattr(checks, "check", counted)
    return seen


def cached(stored=None, sources=None, rules="1"):
    return VerdictCache(stored or {}, sources or SOURCES, rules)


def test_a_stored_verdict_is_the_verdict_and_nothing_is_checked_again(calls):
    first = cached()
    checked = first.check(read_claims(TEXT))
    assert len(calls) == first.misses == 4
    calls.clear()
    again = cached(first.verdicts())
    assert again.check(read_claims(TEXT)) == checked
    assert (calls, again.misses) == ([], 0)


def test_an_edited_sentence_alone_is_checked_again(calls):
    first = cached()
    first.check(read_claims(TEXT))
    calls.clear()
    cached(first.verdicts()).check(read_claims("Good morning. [@own]\n\n" + TEXT.replace("821", "812")))
    assert calls == ["Good morning.", "The port handled 812 ships in May."]


def test_a_changed_source_voids_the_verdicts_on_what_cites_it(calls):
    first = cached()
    first.check(read_claims(TEXT))
    calls.clear()
    changed = cached(first.verdicts(), {**SOURCES, "port": "The port handled 821 ships in May."})
    verdicts = {each.text: each.verdict for each in changed.check(read_claims(TEXT))}
    assert verdicts["The port handled 821 ships in May."] is Verdict.SUPPORTED
    assert "A storm cut power to 40,000 homes on Monday." not in calls
    assert "Dear readers, welcome!" in calls


def test_other_rules_check_everything_again(calls):
    first = cached()
    first.check(read_claims(TEXT))
    calls.clear()
    cached(first.verdicts(), rules="2").check(read_claims(TEXT))
    assert len(calls) == 4


def test_the_key_of_a_sentence_changes_with_its_words_and_sources_but_not_with_the_rules():
    def key(text, **options):
        (placed,) = read_claims(text)
        return cached(**options).sentence_key(placed.claim)

    plain = key("It rained. [@grid]")
    assert key("It rained. [@grid]", rules="2") == plain
    assert key("- It **rained**. [@grid]") == plain
    assert key("It rained! [@grid]") != plain
    assert key("It rained. [@port]") != plain
    assert key("It rained. [@own]") != plain
    assert key("It rained. [@grid]", sources={**SOURCES, "grid": "It rained."}) != plain
    assert key("It rained. [@grid]", sources={**SOURCES, "port": "It rained."}) == plain


def test_what_is_kept_stays_bounded():
    stored = {}
    for number in range(1000):
        cache = cached(stored)
        cache.check(read_claims(f"Sentence number {number}. [@nowhere]"))
        stored = cache.verdicts()
    assert len(stored) <= 401
