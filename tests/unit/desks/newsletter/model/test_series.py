"""A series advances at each due time in its time zone; too few new chunks make no issue."""

from datetime import UTC, datetime, timedelta

import pytest

from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan
from almanac.desks.newsletter.model.schedule import IssueSchedule
from almanac.desks.newsletter.model.series import (
    MAX_RUNS,
    IssueRun,
    IssueSeries,
    issue_configuration,
    record_run,
    reschedule,
    set_run_outcome,
    too_few_chunks_reason,
)

CODE = "NL-20260302-AAAA"
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
WEEKLY = IssueSchedule("0 7 * * 1", "Europe/Berlin", active=True)
PLAN = RetrievalPlan(25, 14)


def skipped(due):
    return IssueRun(due=due, outcome="skipped", at=due)


def chunks(new, used=0):
    uses = [("NL-20260223-BBBB",)] * used + [()] * new
    return [
        RetrievedChunk(id=str(n), topic="Livestock", source="Observer", score=1, content="…", used_in=used_in)
        for n, used_in in enumerate(uses)
    ]


def test_a_schedule_begins_with_the_next_moment_and_not_with_one_that_has_passed():
    series = reschedule(IssueSeries(code=CODE), WEEKLY, NOW)
    assert (series.active, series.next_run) == (True, datetime(2026, 3, 9, 6, tzinfo=UTC))


@pytest.mark.parametrize("rhythm", [None, IssueSchedule("0 7 * * 1"), IssueSchedule("0 0 30 2 *", "UTC", active=True)])
def test_without_an_active_rule_that_comes_true_nothing_is_due(rhythm):
    series = reschedule(IssueSeries(code=CODE, active=True, next_run=NOW), rhythm, NOW)
    assert (series.active, series.next_run) == (False, None)
    assert not series.is_due(NOW)


def test_the_hour_stays_when_the_clocks_change():
    series = reschedule(IssueSeries(code=CODE), WEEKLY, datetime(2026, 3, 20, tzinfo=UTC))
    hours = []
    for _ in range(3):
        hours.append(series.next_run.hour)
        series = record_run(series, skipped(series.next_run), WEEKLY, series.next_run)
    assert hours == [6, 5, 5]


def test_many_missed_moments_are_one():
    series = reschedule(IssueSeries(code=CODE), WEEKLY, NOW)
    due = series.next_run
    later = NOW + timedelta(days=100)
    series = record_run(series, skipped(due), WEEKLY, later)
    assert [run.due for run in series.runs] == [due]
    assert series.next_run > later


def test_only_the_latest_runs_are_kept():
    series = reschedule(IssueSeries(code=CODE), WEEKLY, NOW)
    for _ in range(MAX_RUNS + 5):
        series = record_run(series, skipped(series.next_run), WEEKLY, series.next_run)
    assert len(series.runs) == MAX_RUNS
    assert series.latest[0].due == series.next_run - timedelta(days=7)


def test_an_outcome_is_kept_with_its_moment():
    run = IssueRun(due=NOW, outcome="preparing", at=NOW, issue=CODE)
    other = skipped(NOW - timedelta(days=7))
    series = set_run_outcome(IssueSeries(code=CODE, runs=(other, run)), NOW, "failed", NOW, "No model answered.")
    assert series.run_at(NOW).reason == "No model answered."
    assert series.run_at(NOW).issue == CODE
    assert series.runs[0] == other


def test_what_was_told_before_does_not_make_an_issue():
    assert too_few_chunks_reason(chunks(new=5), PLAN) == ""
    assert too_few_chunks_reason(chunks(new=4, used=20), PLAN) == (
        "Not enough new sources: 4 new passages on these topics from the last 14 days, and an issue needs 5; "
        "add sources or wait for the next run."
    )
    assert too_few_chunks_reason([], PLAN).startswith("Not enough new sources: no new passage")
    assert too_few_chunks_reason(chunks(new=3), RetrievalPlan(9, 2)) == ""


def test_an_issue_is_dated_by_the_clocks_of_its_zone_and_continues_nothing_itself():
    configuration = Configuration(title="Drought watch", schedule=IssueSchedule("0 1 * * *", "Asia/Tokyo", active=True))
    issue = issue_configuration(configuration, datetime(2026, 3, 2, 16, tzinfo=UTC))
    assert issue.title == "Drought watch, 3 March 2026"
    assert issue.schedule == IssueSchedule("0 1 * * *", "Asia/Tokyo", active=False)
    long = issue_configuration(Configuration(title="x" * 200), NOW)
    assert len(long.title) == 200
    assert long.title.endswith("x, 2 March 2026")
