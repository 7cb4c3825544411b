"""Questions and the first person: sentences that a source can't carry, unless it asks or speaks itself."""

import pytest

from almanac.verify import Verdict

SOURCES = {
    "en": "The harbour museum opens on Friday. It shows 40 ships.",
    "ms": "Muzium pelabuhan dibuka pada hari Jumaat. Muzium itu mempamerkan 40 kapal.",
    "zh": "港口博物馆星期五开放，展出40艘船。",
    "ja": "港の博物館は金曜日に開館し、40隻の船を展示する。",
}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Does the harbour museum open on Friday?"),
        ("ms", "Adakah muzium pelabuhan dibuka pada hari Jumaat?"),
        ("zh", "港口博物馆星期五开放吗？"),
        ("ja", "港の博物館は金曜日に開館しますか？"),
    ],
)
def test_a_question_is_left_to_a_person(verdict_of, language, text):
    checked = verdict_of(text, SOURCES[language])
    assert checked.verdict is Verdict.UNCONFIRMED
    assert "question" in checked.findings[0].reason


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        ("en", "We open the harbour museum on Friday.", "We"),
        ("ms", "Kami membuka muzium pelabuhan pada hari Jumaat.", "Kami"),
        ("zh", "我们的港口博物馆星期五开放。", "我们"),
        ("ja", "私たちの港の博物館は金曜日に開館する。", "私たち"),
    ],
)
def test_the_first_person_needs_a_source_that_speaks_so(verdict_of, language, text, word):
    checked = verdict_of(text, SOURCES[language])
    assert checked.verdict is Verdict.UNCONFIRMED
    assert text[slice(*checked.uncovered[0])] == word


def test_a_source_may_ask_and_speak_itself(verdict_of):
    source = "Who pays? We will open the museum on Friday, said its director."
    assert verdict_of("We will open the museum on Friday.", source).verdict is Verdict.SUPPORTED
    assert verdict_of("Who pays?", source).verdict is Verdict.SUPPORTED


def test_a_quoted_question_is_checked_as_a_quotation(verdict_of):
    source = "The director asked “Who will pay for my roof?” on Friday."
    assert verdict_of("The director asked “Who will pay for my roof?”", source).verdict is Verdict.SUPPORTED


def test_a_country_and_a_numeral_are_not_the_first_person(verdict_of):
    source = "The museum shows 40 ships of the US navy from World War I."
    assert verdict_of("The museum shows US ships from World War I.", source).verdict is Verdict.SUPPORTED
    assert verdict_of("It shows ships of the US navy.", "It shows ships of the U.S. navy.").verdict is Verdict.SUPPORTED
