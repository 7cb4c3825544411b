"""Schedules start each run once, catch up after downtime as they are told, and can be paused."""

from datetime import UTC, datetime
from typing import Any

import pytest

from almanac.errors import NotFound
from almanac.jobs import CatchUp, JobFilter, RunningJob, Schedule


async def nothing(job: RunningJob[Any]) -> None:
    pass


def add_schedule(bench, catch_up: CatchUp = CatchUp.ONCE, cron: str = "0 * * * *", **options: Any) -> Schedule:
    schedule = Schedule("hourly", bench.task(nothing), cron, catch_up=catch_up, **options)
    bench.registry.schedule(schedule)
    return schedule


async def due_moments(bench) -> list[datetime | None]:
    page = await bench.jobs.jobs(JobFilter(schedule="hourly"), limit=500)
    return [view.due_at for view in reversed(page.items)]


async def test_nothing_is_due_before_a_schedule_is_first_seen(bench) -> None:
    add_schedule(bench)
    assert await bench.start_due_runs() == []


async def test_a_run_starts_when_it_is_due_and_only_once(bench) -> None:
    add_schedule(bench)
    await bench.start_due_runs()
    bench.clock.advance(minutes=59)
    assert await bench.start_due_runs() == []
    bench.clock.advance(minutes=1)

    assert len(await bench.start_due_runs()) == 1
    assert await bench.start_due_runs() == []
    assert await due_moments(bench) == [datetime(2026, 3, 2, 10, tzinfo=UTC)]


async def test_the_task_learns_for_when_it_was_due(bench) -> None:
    due: list[datetime | None] = []

    async def note(job: RunningJob[Any], word: str) -> None:
        due.append(job.due_at)

    bench.registry.schedule(Schedule("hourly", bench.task(note), "0 * * * *", args={"word": "hi"}))
    await bench.start_due_runs()
    bench.clock.advance(hours=1, minutes=10)
    await bench.start_due_runs()
    await bench.drain()

    assert due == [datetime(2026, 3, 2, 10, tzinfo=UTC)]


@pytest.mark.parametrize(
    ("catch_up", "hours"), [(CatchUp.ONCE, [14]), (CatchUp.ALL, [10, 11, 12, 13, 14]), (CatchUp.SKIP, [])]
)
async def test_missed_runs_are_caught_up_as_told(bench, catch_up: CatchUp, hours: list[int]) -> None:
    add_schedule(bench, catch_up)
    await bench.start_due_runs()
    bench.clock.advance(hours=5, minutes=30)
    await bench.start_due_runs()

    assert await due_moments(bench) == [datetime(2026, 3, 2, hour, tzinfo=UTC) for hour in hours]


async def test_a_punctual_run_is_not_a_missed_one(bench) -> None:
    add_schedule(bench, CatchUp.SKIP)
    await bench.start_due_runs()
    bench.clock.advance(hours=1, seconds=20)

    assert len(await bench.start_due_runs()) == 1


async def test_a_very_long_silence_is_caught_up_in_portions(bench) -> None:
    add_schedule(bench, CatchUp.ALL)
    await bench.start_due_runs()
    bench.clock.advance(hours=300)

    assert len(await bench.start_due_runs()) == 200
    assert len(await bench.start_due_runs()) == 100
    assert await bench.start_due_runs() == []


async def test_a_paused_schedule_starts_nothing_and_misses_nothing(bench) -> None:
    add_schedule(bench, CatchUp.ALL)
    await bench.start_due_runs()
    await bench.jobs.pause_schedule("hourly")
    bench.clock.advance(hours=3)
    assert await bench.start_due_runs() == []
    assert (await bench.jobs.schedules())[0].next_due is None

    await bench.jobs.resume_schedule("hourly")
    assert await bench.start_due_runs() == []
    bench.clock.advance(hours=1)
    assert len(await bench.start_due_runs()) == 1


async def test_a_schedule_shows_its_next_and_last_run(bench) -> None:
    schedule = add_schedule(bench, time_zone="Asia/Tokyo", cron="0 6 * * *")
    await bench.start_due_runs()
    bench.clock.advance(days=1)
    await bench.start_due_runs()
    await bench.drain()

    (view,) = await bench.jobs.schedules()
    assert (view.name, view.task, view.time_zone) == ("hourly", schedule.job_type.name, "Asia/Tokyo")
    assert view.last_due == datetime(2026, 3, 2, 21, tzinfo=UTC)
    assert view.next_due == datetime(2026, 3, 3, 21, tzinfo=UTC)
    assert view.last_job is not None
    assert view.last_job.status == "succeeded"


async def test_a_schedule_can_be_run_now(bench) -> None:
    add_schedule(bench)
    job_id = await bench.jobs.run_schedule("hourly")

    assert (await bench.view(job_id)).schedule == "hourly"


async def test_an_unknown_schedule_is_not_found(bench) -> None:
    for act in (bench.jobs.pause_schedule, bench.jobs.resume_schedule, bench.jobs.run_schedule):
        with pytest.raises(NotFound, match="no schedule named nightly"):
            await act("nightly")
