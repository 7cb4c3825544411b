"""Taking back the jobs of workers that died: each goes back to its queue, or fails if it kills every worker."""

from almanac.jobs import store
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.reasons import LOST, LOST_AND_CANCELLED, LOST_TOO_OFTEN
from almanac.jobs.views import JobStatus
from almanac.relational import Unit

LEAST_LIVES = 3


async def take_back_lost_jobs(jobs: PostgresJobs, lease_seconds: float) -> list[int]:
    """Release every job whose worker was silent for a lease; two rescuers at once share the work."""
    async with jobs.database.unit() as unit:
        lost = await store.lock_lost_jobs(unit, lease_seconds)
        for job in lost:
            await _release(unit, jobs, job)
    return [job.id for job in lost]


async def _release(unit: Unit, jobs: PostgresJobs, job: store.LostJob) -> None:
    task = jobs.registry.tasks.get(job.task)
    lives = max(task.retry.attempts if task else 0, LEAST_LIVES)
    if job.cancelled:
        status, reason = JobStatus.CANCELLED, LOST_AND_CANCELLED
    elif job.losses + 1 >= lives:
        status, reason = JobStatus.FAILED, LOST_TOO_OFTEN
    else:
        status, reason = JobStatus.QUEUED, LOST
    await store.release_lost_job(unit, job.id, status, reason, jobs.clock.now())
