"""Leases on jobs: only the worker that holds a job may end it, and jobs that no worker runs any more are recovered.

procrastinate finishes jobs by their id alone. A worker that was frozen while its job was given to another would, on
waking up, finish the other's run. Here a job is finished only by the worker that holds it, and within one worker only
by the attempt that holds it.

An attempt may end while the database is down. Then nobody writes that it ended: the job still belongs to a worker that
lives but has let go of it, and that worker gives it back itself.
"""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.psycopg_connector import PsycopgConnector

from almanac.errors import Retryable
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
        # How many attempts hold a job: one that was taken over and came back to this worker is held twice for a while.
        self._held: Counter[int] = Counter()

    def holding(self, worker_id: int | None) -> "HeldJobs":
        """The jobs that the engine with this id runs now, or is about to end."""
        return HeldJobs(worker_id, frozenset(self._held))

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        job = await super().fetch_job(queues, worker_id)
        if job is not None and job.id is not None:
            self._held[job.id] += 1
        return job

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:  # noqa: ARG002 - signature of procrastinate
        assert job.id is not None
        async with self._letting_go(job, job.id) as unit:
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
        async with self._letting_go(job, job.id) as unit:
            held = await store.requeue_leased_job(unit, job.id, job.worker_id, current_run.get(), retry_at)
            self._warn_if_lost(job, held)

    @asynccontextmanager
    async def _letting_go(self, job: Job, job_id: int) -> AsyncIterator[Unit]:
        """A transaction for the end of an attempt. Whether or not it can be written, this worker holds the job no
        longer: if it can't, `recover_lost_jobs` queues it again.
        """
        try:
            async with self._database.unit() as unit:
                yield unit
        except Retryable:
            logger.warning(
                "The end of a job couldn't be recorded; it is queued again once the database answers.",
                extra={"job": job_id, "task": job.task_name},
            )
        finally:
            self._held.subtract([job_id])
            if self._held[job_id] <= 0:
                del self._held[job_id]

    def _warn_if_lost(self, job: Job, held: bool) -> None:
        if not held:
            logger.warning("A job was taken over by another worker.", extra={"job": job.id, "task": job.task_name})


MIN_LOSSES_BEFORE_FAILURE = 3


@dataclass(frozen=True, slots=True)
class HeldJobs:
    """The jobs that a worker holds. What the database says beyond that of the worker's jobs is out of date."""

    worker_id: int | None = None
    job_ids: frozenset[int] = frozenset()


async def recover_lost_jobs(jobs: PostgresJobs, lease_seconds: float, holding: HeldJobs | None = None) -> list[int]:
    """Release every job whose worker sent no heartbeat for a lease, and those of the asking worker that it doesn't
    hold; concurrent calls share the work.
    """
    holding = holding or HeldJobs()
    async with jobs.database.unit() as unit:
        lost = await store.lock_lost_jobs(unit, lease_seconds, holding.worker_id, sorted(holding.job_ids))
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
