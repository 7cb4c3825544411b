"""procrastinate's job manager, fenced: a worker that lost its lease can't change the job any more.

procrastinate finishes jobs by their id alone. A worker that was frozen while its job was given to another would,
on waking up, finish the other's run; here a job is finished only by the worker that holds it, and within one worker
only by the attempt that holds it.
"""

import logging
from contextvars import ContextVar
from datetime import datetime

from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.psycopg_connector import PsycopgConnector

from almanac.jobs import store
from almanac.jobs.reasons import ABORTED, unknown_task
from almanac.relational import Database

logger = logging.getLogger(__name__)
# The attempt that the current task of the worker makes; None where none was begun.
current_run: ContextVar[int | None] = ContextVar("current_run", default=None)


class FencedJobManager(JobManager):
    """Ends or requeues a job only while it belongs to the calling worker."""

    def __init__(self, connector: PsycopgConnector, database: Database, known_tasks: frozenset[str]) -> None:
        super().__init__(connector)
        self._database = database
        self._known_tasks = known_tasks

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:  # noqa: ARG002 - their signature
        assert job.id is not None
        async with self._database.unit() as unit:
            held = await store.finish_held_job(unit, job.id, job.worker_id, current_run.get(), status.value)
            if held and job.task_name not in self._known_tasks:
                await store.explain_end(unit, job.id, unknown_task(job.task_name))
            elif held and status is Status.ABORTED:
                await store.explain_end(unit, job.id, ABORTED)
        self._note(job, held)

    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,  # noqa: ARG002 - their signature
        queue: str | None = None,  # noqa: ARG002 - their signature
        lock: str | None = None,  # noqa: ARG002 - their signature
    ) -> None:
        assert job.id is not None
        assert retry_at is not None
        async with self._database.unit() as unit:
            held = await store.requeue_held_job(unit, job.id, job.worker_id, current_run.get(), retry_at)
        self._note(job, held)

    def _note(self, job: Job, held: bool) -> None:
        if not held:
            logger.warning("A job was taken over by another worker.", extra={"job": job.id, "task": job.task_name})
