"""Faithful sentences changed by a program: a changed figure must be found, the same figure in another dress not."""

import random
import re

import pytest

from almanac.verify import Verdict

pytestmark = pytest.mark.lengthy

DIGIT = re.compile(r"[0-9]")
GROUPED = re.compile(r"(?<![0-9.,A-Z-])([0-9]{1,3}(?:,[0-9]{3})+)(?![0-9.,]*[0-9])")
FULL_WIDTH = str.maketrans("0123456789%", "０１２３４５６７８９％")
KANJI = dict(zip("0123456789", "〇一二三四五六七八九", strict=True))
QUOTED = re.compile(r"([“「\"])([^“”「」\"]{6,})([”」\"])")


@pytest.fixture(scope="session")
def faithful(labelled):
    """One sentence for each that is not rounded, since a rounding allows other figures."""
    return [pair for pair in labelled if not pair.is_fault and pair.kind != "rounded"]


def with_text(pair, text):
    return type(pair)(pair.language, pair.held_out, pair.source, text, pair.kind, is_fault=True)


def changed_digit(text, chance):
    """Another digit in one place; the first digit of a figure never becomes a zero."""
    places = [match.start() for match in DIGIT.finditer(text)]
    at = chance.choice(places)
    other = chance.choice([digit for digit in "123456789" if digit != text[at]])
    return text[:at] + other + text[at + 1 :]


def test_a_changed_digit_is_found(faithful):
    chance = random.Random(7)
    missed, tried = [], 0
    for pair in faithful:
        if not DIGIT.search(pair.text):
            continue
        mutant = with_text(pair, changed_digit(pair.text, chance))
        if any(
            figure in pair.source for figure in re.findall(r"[0-9][0-9.,]*", mutant.text) if figure not in pair.text
        ):
            continue
        tried += 1
        if mutant.check().verdict is Verdict.SUPPORTED:
            missed.append((pair.text, mutant.text))
    print(f"\nchanged digits: {tried - len(missed)} of {tried} found")
    assert tried >= 80
    assert len(missed) <= tried * 0.03, missed


@pytest.mark.parametrize(
    "dress",
    [
        pytest.param(lambda text: text.translate(FULL_WIDTH), id="full width"),
        pytest.param(lambda text: GROUPED.sub(lambda match: match[1].replace(",", ""), text), id="no separators"),
        pytest.param(lambda text: GROUPED.sub(lambda match: match[1].replace(",", "\u00a0"), text), id="spaces"),
        pytest.param(lambda text: text.replace("%", " %"), id="space before the sign"),
        pytest.param(lambda text: text.replace("“", '"').replace("”", '"'), id="straight quotation marks"),
        pytest.param(lambda text: "  " + text.replace(" ", "\u3000"), id="wide spaces"),
    ],
)
def test_another_dress_changes_nothing(faithful, dress):
    wrong = [
        (pair.text, [finding.reason for finding in checked.findings])
        for pair in faithful
        if (checked := with_text(pair, dress(pair.text)).check()).verdict is not pair.check().verdict
    ]
    assert not wrong


def test_digits_in_kanji_are_the_same_number(faithful):
    for pair in faithful:
        if pair.language == "ja" and re.search(r"[0-9]+年", pair.text):
            text = re.sub(r"[0-9]{4}(?=年)", lambda match: "".join(KANJI[digit] for digit in match[0]), pair.text)
            assert with_text(pair, text).check().verdict is pair.check().verdict, text


def test_an_altered_quotation_is_found(faithful):
    tried = 0
    for pair in faithful:
        match = QUOTED.search(pair.text)
        if match is None:
            continue
        inner = match[2]
        cut = inner[: len(inner) // 2] + ("XYZ " if inner.isascii() else "全然違う") + inner[len(inner) // 2 :]
        tried += 1
        mutant = with_text(pair, pair.text.replace(inner, cut))
        assert mutant.check().verdict is not Verdict.SUPPORTED, mutant.text
    assert tried >= 15


def test_every_sentence_of_a_source_is_supported_by_it(labelled):
    wrong = []
    for source in {pair.source for pair in labelled}:
        for sentence in re.split(r"(?<=[。])|(?<=[.!?]) (?=[A-Z“\"])", source):
            if len(sentence.strip()) < 8:
                continue
            pair = with_text(labelled[0], sentence.strip())
            pair = type(pair)(pair.language, pair.held_out, source, pair.text, "verbatim", is_fault=False)
            checked = pair.check()
            if checked.verdict is not Verdict.SUPPORTED:
                wrong.append((sentence, [finding.reason for finding in checked.findings]))
    assert not wrong
