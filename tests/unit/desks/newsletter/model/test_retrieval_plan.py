"""How far back a retrieval looks."""

from datetime import UTC, datetime

from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan


def test_a_source_dated_on_the_first_day_of_the_window_counts():
    noon = datetime(2026, 11, 16, 12, 30, tzinfo=UTC)

    assert RetrievalPlan(15, 2).since(noon) == datetime(2026, 11, 14, tzinfo=UTC)
