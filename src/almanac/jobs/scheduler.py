"""Keeping schedules: what is due is deferred in the transaction that notes it, so each run starts once."""

from datetime import datetime

from almanac.jobs import store
from almanac.jobs.job_type import Schedule
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.scheduling import due_runs, is_due


async def start_due_runs(jobs: PostgresJobs) -> list[int]:
    """Defer a job for every run that is due now; returns their ids. Any number of workers may call it at once."""
    async with jobs.database.unit() as unit:
        kept = {one.name: one for one in await store.list_schedules(unit)}
    started: list[int] = []
    for name, schedule in jobs.registry.schedules.items():
        if _needs_a_look(schedule, kept.get(name), jobs.clock.now()):
            started += await _keep(jobs, schedule)
    return started


def _needs_a_look(schedule: Schedule, kept: store.KeptSchedule | None, now: datetime) -> bool:
    """Most rounds find nothing due, and one query tells them so."""
    return kept is None or (not kept.paused and is_due(schedule, kept.last_due, now))


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
