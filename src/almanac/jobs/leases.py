"""Leases on jobs: only the worker that holds a job may end it, and jobs of dead workers are recovered.

procrastinate finishes jobs by their id alone. A worker that was frozen while its job was given to another would, on
waking up, finish the other's run. Here a job is finished only by the worker that holds it, and within one worker only
by the attempt that holds it.
"""

import logging
from contextvars import ContextVar
from datetime import datetime

from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.psycopg_connector import PsycopgConnector

from almanac.jobs import store
from almanac.jobs.model import ABORTED, LOST, LOST_AND_CANCELLED, LOST_TOO_OFTEN, JobStatus, unknown_job_type
from almanac.jobs.postgres import PostgresJobs
from almanac.relational import Database, Unit

logger = logging.getLogger(__name__)
# The run of the current asyncio task; None outside a run.
current_run: ContextVar[int | None] = ContextVar("current_run", default=None)


class LeasedJobManager(JobManager):
    """Ends or requeues a job only while it belongs to the calling worker."""

    def __init__(self, connector: PsycopgConnector, database: Database, job_type_names: frozenset[str]) -> None:
        super().__init__(connector)
        self._database = database
        self._job_type_names = job_type_names

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:  # noqa: ARG002 - signature of procrastinate
        assert job.id is not None
        async with self._database.unit() as unit:
            held = await store.finish_leased_job(unit, job.id, job.worker_id, current_run.get(), status.value)
            if held and job.task_name not in self._job_type_names:
                await store.set_end_reason(unit, job.id, unknown_job_type(job.task_name))
            elif held and status is Status.ABORTED:
                await store.set_end_reason(unit, job.id, ABORTED)
        self._warn_if_lost(job, held)

    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,  # noqa: ARG002 - signature of procrastinate
        queue: str | None = None,  # noqa: ARG002 - signature of procrastinate
        lock: str | None = None,  # noqa: ARG002 - signature of procrastinate
    ) -> None:
        assert job.id is not None
        assert retry_at is not None
        async with self._database.unit() as unit:
            held = await store.requeue_leased_job(unit, job.id, job.worker_id, current_run.get(), retry_at)
        self._warn_if_lost(job, held)

    def _warn_if_lost(self, job: Job, held: bool) -> None:
        if not held:
            logger.warning("A job was taken over by another worker.", extra={"job": job.id, "task": job.task_name})


MIN_LOSSES_BEFORE_FAILURE = 3


async def recover_lost_jobs(jobs: PostgresJobs, lease_seconds: float) -> list[int]:
    """Release every job whose worker sent no heartbeat for a lease; concurrent calls share the work."""
    async with jobs.database.unit() as unit:
        lost = await store.lock_lost_jobs(unit, lease_seconds)
        for job in lost:
            await _release(unit, jobs, job)
    return [job.id for job in lost]


async def _release(unit: Unit, jobs: PostgresJobs, job: store.LostJob) -> None:
    job_type = jobs.registry.job_types.get(job.task)
    losses_allowed = max(job_type.retry.attempts if job_type else 0, MIN_LOSSES_BEFORE_FAILURE)
    if job.cancelled:
        status, reason = JobStatus.CANCELLED, LOST_AND_CANCELLED
    elif job.losses + 1 >= losses_allowed:
        status, reason = JobStatus.FAILED, LOST_TOO_OFTEN
    else:
        status, reason = JobStatus.QUEUED, LOST
    await store.release_lost_job(unit, job.id, status, reason, jobs.clock.now())
