"""Keeping schedules: what is due is deferred in the transaction that notes it, so each run starts once."""

from almanac.jobs import store
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.scheduling import due_runs
from almanac.jobs.task import Schedule


async def start_due_runs(jobs: PostgresJobs) -> list[int]:
    """Defer a job for every run that is due now; returns their ids. Any number of workers may call it at once."""
    started: list[int] = []
    for schedule in jobs.registry.schedules.values():
        started += await _keep(jobs, schedule)
    return started


async def _keep(jobs: PostgresJobs, schedule: Schedule) -> list[int]:
    now = jobs.clock.now()
    async with jobs.database.unit() as unit:
        await store.remember_schedule(unit, schedule.name, now)
        last_due = await store.lock_schedule(unit, schedule.name)
        if last_due is None or last_due >= now:
            return []
        moments, kept = due_runs(schedule, last_due, now)
        await store.advance_schedule(unit, schedule.name, kept)
        return [
            await jobs.defer(schedule.task, schedule.args, unit=unit, schedule=schedule.name, due_at=moment)
            for moment in moments
        ]
