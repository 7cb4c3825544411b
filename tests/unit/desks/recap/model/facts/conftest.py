"""What the rules read out of a sitting, as short tuples."""

import pytest

from almanac.desks.recap.model.facts.record import read_facts


@pytest.fixture
def decisions_of(meeting_with):
    """Subject, outcome, and the counts if there are any, of each decision of a sitting with these speeches."""

    def read(*texts, header="", house="参議院", meeting="本会議"):
        decisions = read_facts(meeting_with(*texts, header=header, house=house, meeting=meeting)).decisions
        return [
            (each.subject, each.outcome, *((each.vote.in_favour, each.vote.against) if each.vote else ()))
            for each in decisions
        ]

    return read
