"""Starts the runs that schedules ask for, and the schedule that removes old jobs."""

from datetime import datetime, timedelta

from almanac.jobs import store
from almanac.jobs.job_type import JobType, Schedule, due_runs, is_due
from almanac.jobs.model import JobStatus
from almanac.jobs.port import RunningJob
from almanac.jobs.postgres import PostgresJobs
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext


async def start_due_runs(jobs: PostgresJobs) -> list[int]:
    """Defer a job for every run that is due now; returns their ids. Any number of workers may call it at once."""
    async with jobs.database.unit() as unit:
        states = {state.name: state for state in await store.list_schedules(unit)}
    started: list[int] = []
    for name, schedule in jobs.registry.schedules.items():
        if _may_be_due(schedule, states.get(name), jobs.clock.now()):
            started += await _start_runs(jobs, schedule)
    return started


def _may_be_due(schedule: Schedule, state: store.ScheduleState | None, now: datetime) -> bool:
    """A check without a lock: most rounds find nothing due and need only the one query."""
    return state is None or (not state.paused and is_due(schedule, state.last_due, now))


async def _start_runs(jobs: PostgresJobs, schedule: Schedule) -> list[int]:
    now = jobs.clock.now()
    async with jobs.database.unit() as unit:
        await store.insert_schedule(unit, schedule.name, now)
        last_due = await store.lock_schedule(unit, schedule.name)
        if last_due is None or last_due >= now:
            return []
        moments, new_last_due = due_runs(schedule, last_due, now)
        await store.advance_schedule(unit, schedule.name, new_last_due)
        return [
            await jobs.defer(schedule.job_type, schedule.args, unit=unit, schedule=schedule.name, due_at=moment)
            for moment in moments
        ]


KEEP_DAYS = 30
KEEP_FAILED_DAYS = 180


def cleanup_schedule(clock: Clock) -> Schedule:
    """The daily schedule that removes finished jobs after a month and failed ones after half a year."""

    async def remove_old_jobs(job: RunningJob[object]) -> None:
        now = clock.now()
        async with job.unit() as unit:
            ended = [JobStatus.SUCCEEDED, JobStatus.CANCELLED]
            await store.remove_finished_jobs(unit, ended, now - timedelta(days=KEEP_DAYS))
            await store.remove_finished_jobs(unit, [JobStatus.FAILED], now - timedelta(days=KEEP_FAILED_DAYS))

    job_type = JobType(
        "jobs.remove_old_jobs",
        remove_old_jobs,
        queue="housekeeping",
        title=gettext("Remove old jobs"),
    )
    return Schedule("jobs.housekeeping", job_type, cron="40 3 * * *")
