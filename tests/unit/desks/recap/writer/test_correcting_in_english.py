"""What an editor may say about a sitting in English: stages, headings and sides count as the record's own."""

import pytest

from almanac.desks.recap.model.parliaments.record_reader import read_record
from almanac.desks.recap.model.parliaments.stated_results import find_unnamed_stage
from almanac.desks.recap.writer.evidence import evidence_for
from almanac.desks.recap.writer.multilingual.side_openings import remove_side_opening
from commons_sittings import coastal_homes, noted, sitting

REASON = "it leaves councils to pay for the demolition of homes."


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("Coastal Homes Bill agreed to, 312 to 188", "Second Reading"),
        ("Coastal Homes Bill passes, 312 to 188", "Second Reading"),
        ("Coastal Homes Bill passes Second Reading, 312 to 188", ""),
        ("Programme motion for the Coastal Homes Bill agreed to", ""),
        ("Coastal Homes Bill debated", ""),
    ],
)
def test_a_bill_that_was_only_read_a_second_time_is_not_called_agreed_to(text, stage):
    assert find_unnamed_stage(text, read_record(coastal_homes()).decisions) == stage


def test_the_third_reading_passes_a_bill():
    read = noted("Question put, That the Bill be now read the Third time."), noted("Question agreed to.")
    decisions = read_record(sitting((("Harbour Lights Bill",), read))).decisions
    assert find_unnamed_stage("Harbour Lights Bill passed", decisions) == ""


def test_the_subject_of_a_decision_is_evidence():
    evidence = evidence_for(coastal_homes())
    assert evidence.supports("Coastal Homes Bill passes Second Reading, 312 to 188", evidence.orders)
    assert not evidence.supports("Coastal Homes Bill passes Third Reading, 312 to 188", evidence.orders)


def test_the_headings_over_a_speech_are_evidence():
    evidence = evidence_for(coastal_homes())
    assert evidence.supports(f"On the Coastal Homes Bill: {REASON}", (7,))
    assert not evidence.supports(f"On the Harbour Lights Bill: {REASON}", (7,))


def test_who_spoke_for_which_side_about_what_is_the_opening_of_a_sentence():
    opening = "Tom Reed (Conservative) spoke against the Coastal Homes Bill because"
    assert remove_side_opening(f"{opening} {REASON}", coastal_homes(), (7,)) == REASON
    assert remove_side_opening("Tom Reed spoke against.", coastal_homes(), (7,)) == ""


@pytest.mark.parametrize(
    ("opening", "orders"),
    [
        ("Tom Reed spoke in favour of the Coastal Homes Bill because", (7,)),
        ("Jo Lane spoke against the Coastal Homes Bill because", (7,)),
        ("Tom Reed spoke against the Harbour Lights Bill because", (7,)),
        ("Priya Holt spoke against the Coastal Homes Bill because", (6,)),
        ("Tom Reed spoke against the Coastal Homes Bill because", (7, 8)),
    ],
)
def test_another_side_person_or_bill_is_not(opening, orders):
    assert remove_side_opening(f"{opening} {REASON}", coastal_homes(), orders) == f"{opening} {REASON}"
