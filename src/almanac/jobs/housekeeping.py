"""Removing old jobs: a task of its own on a daily schedule, so that the tables don't grow without end."""

from datetime import timedelta

from almanac.jobs import store
from almanac.jobs.job_type import JobType, Schedule
from almanac.jobs.running import RunningJob
from almanac.jobs.views import JobStatus
from almanac.kit.clock import Clock

KEEP_DAYS = 30
KEEP_FAILED_DAYS = 180


def housekeeping(clock: Clock) -> Schedule:
    """The schedule that removes finished jobs after a month, and dead letters after half a year."""

    async def remove_old_jobs(job: RunningJob[object]) -> None:
        now = clock.now()
        async with job.unit() as unit:
            ended = [JobStatus.SUCCEEDED, JobStatus.CANCELLED]
            await store.remove_finished_jobs(unit, ended, now - timedelta(days=KEEP_DAYS))
            await store.remove_finished_jobs(unit, [JobStatus.FAILED], now - timedelta(days=KEEP_FAILED_DAYS))

    task = JobType("jobs.remove_old_jobs", remove_old_jobs, queue="housekeeping", title="Remove old jobs")
    return Schedule("jobs.housekeeping", task, cron="40 3 * * *")
