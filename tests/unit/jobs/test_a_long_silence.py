"""After a long silence the one run that makes up for all is found from the end, whatever the schedule is."""

from datetime import UTC, datetime, timedelta
from time import process_time

import pytest

from almanac.jobs import CatchUp, JobType, Schedule
from almanac.jobs.job_type import due_runs

NOW = datetime(2026, 3, 2, 12, 0, 30, tzinfo=UTC)


async def nothing(_job) -> None:
    """Never run here."""


def schedule(cron: str, catch_up: CatchUp = CatchUp.ONCE) -> Schedule:
    return Schedule("test", JobType("test", nothing), cron, catch_up=catch_up)


@pytest.mark.parametrize(
    ("cron", "latest"),
    [
        ("* * * * *", datetime(2026, 3, 2, 12, 0, tzinfo=UTC)),
        ("20 * * * *", datetime(2026, 3, 2, 11, 20, tzinfo=UTC)),
        ("30 15 * * *", datetime(2026, 3, 1, 15, 30, tzinfo=UTC)),
        ("0 9 * * 2", datetime(2026, 2, 24, 9, 0, tzinfo=UTC)),
        ("0 9 1 7 *", datetime(2025, 7, 1, 9, 0, tzinfo=UTC)),
    ],
)
def test_the_last_missed_run_is_made_up_for(cron, latest):
    assert due_runs(schedule(cron), NOW - timedelta(days=366), NOW) == ([latest], NOW)


def test_what_was_kept_already_is_not_due_again():
    assert due_runs(schedule("* * * * *"), NOW - timedelta(seconds=30), NOW) == ([], NOW)


def test_a_run_that_is_late_is_left_out_where_only_punctual_ones_count():
    assert due_runs(schedule("50 11 * * *", CatchUp.SKIP), NOW - timedelta(days=9), NOW) == ([], NOW)
    minutely, _ = due_runs(schedule("* * * * *", CatchUp.SKIP), NOW - timedelta(days=9), NOW)
    assert minutely == [datetime(2026, 3, 2, 12, 0, tzinfo=UTC)]


def test_a_year_of_minutes_is_not_counted_through():
    began = process_time()
    due_runs(schedule("* * * * *"), NOW - timedelta(days=366), NOW)
    assert process_time() - began < 2, "the whole process stands still meanwhile"
