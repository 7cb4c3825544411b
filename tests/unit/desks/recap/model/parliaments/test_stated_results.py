"""A sentence about a vote is held against what was decided."""

import pytest

from almanac.desks.recap.model.parliaments.record_reader import read_record
from almanac.desks.recap.model.parliaments.stated_results import contradicts_results
from almanac.desks.recap.writer.evidence import evidence_for
from commons_sittings import coastal_homes


@pytest.mark.parametrize(
    "text",
    [
        "The Coastal Homes Bill was rejected.",
        "The House voted down the Coastal Homes Bill.",
        "The Coastal Homes Bill was agreed to by 188 votes to 312.",
        "Das Gesetz wurde mit 188 zu 312 Stimmen abgelehnt.",
    ],
)
def test_another_result_or_count_contradicts(text):
    assert contradicts_results(text, read_record(coastal_homes()).decisions)
    assert not evidence_for(coastal_homes()).supports(text, (9, 11))


@pytest.mark.parametrize(
    "text",
    [
        "The Coastal Homes Bill was agreed to by 312 votes to 188.",
        "Tom Reed said that the Bill should be rejected.",
        "Work on the sea wall will begin in March 2027.",
        "法律案は、賛成312、反対188で可決されました。",
    ],
)
def test_what_was_decided_or_only_demanded_does_not(text):
    assert not contradicts_results(text, read_record(coastal_homes()).decisions)
