"""What must be carried by the source: every word, unless facts tie the sentence to it and the word weighs little."""

import pytest

from almanac.verify import Verdict, check_text

DAM = (
    "Kito Works built three dams near Ruvu for 8.2 million shillings. The governor of Ruvu opened the dams on Friday. "
    "Herders welcomed the water, which is free."
)
GERMAN = "Heute ist die Karte in fast jedem Haushalt der Stadt vorhanden. Der Rat genehmigte im Mai den Plan."


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Kito Works is bankrupt.", "bankrupt"),
        ("The governor was arrested.", "arrested"),
        ("The bankrupt firm Kito Works built three dams near Ruvu for 8.2 million shillings.", "bankrupt"),
        ("Herders opened the dams.", "Herders"),
    ],
)
def test_a_word_that_nothing_carries_is_shown(verdict_of, text, word):
    checked = verdict_of(text, DAM)
    assert checked.verdict is Verdict.UNCONFIRMED
    assert word in [text[start:end] for start, end in checked.uncovered]
    assert word in checked.findings[-1].reason


def test_facts_let_a_sentence_word_them_in_its_own_way(verdict_of):
    source = "The harbour board approved a new ferry terminal for the northern islands on 4 May, for 12 million euros."
    text = "On 4 May the board approved a new ferry terminal for the northern islands, earmarking 12 million euros."
    assert verdict_of(text, source).verdict is Verdict.SUPPORTED
    assert verdict_of(text.replace("4 May", "May"), source.replace("on 4 May, ", "")).verdict is not Verdict.SUPPORTED


def test_a_grave_word_from_another_sentence_is_no_cover(verdict_of):
    source = "Orla Dunn became chair of Westmoor Rail in May. Dunn told staff that two managers had been fired."
    assert verdict_of("Westmoor Rail fired Orla Dunn.", source).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    "text",
    ["Heute ist die Karte in keinem Haushalt der Stadt vorhanden.", "Der Rat verwarf im Mai den Plan."],
)
def test_rewording_in_a_language_without_rules_is_left_to_a_person(verdict_of, text):
    assert verdict_of(text, GERMAN).verdict is Verdict.UNCONFIRMED


def test_a_sentence_in_a_language_without_rules_is_supported_word_for_word(verdict_of):
    assert verdict_of("Der Rat genehmigte im Mai den Plan.", GERMAN).verdict is Verdict.SUPPORTED


def test_a_reference_ends_its_sentence_before_a_brand_in_lower_case():
    text = "Wero failed. [@w] iDeal has 4 million users. [@w]"
    first, second = check_text(text, {"w": "iDeal has 4 million users. Wero started in July."}).sentences
    assert (first.text, first.verdict) == ("Wero failed.", Verdict.UNCONFIRMED)
    assert second.verdict is Verdict.SUPPORTED
