"""One attempt at a job: records the run, calls the job function with its RunningJob, decides about a retry."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic

from procrastinate.exceptions import JobAborted
from procrastinate.job_context import AbortReason, JobContext
from procrastinate.jobs import Job
from procrastinate.retry import BaseRetryStrategy, RetryDecision

from almanac.errors import AlmanacError, Paused, Retryable
from almanac.jobs import store
from almanac.jobs.job_type import JobType
from almanac.jobs.leases import current_run
from almanac.jobs.model import ABORTED, CANCELLED, INTERRUPTED, RunOutcome, failure_reason, is_caused_by_input
from almanac.jobs.port import JobCancelled, JobLeaseLost, RunningJob, ServicesT
from almanac.kit.clock import Clock
from almanac.kit.logs import request_id
from almanac.kit.trace import span
from almanac.relational import Database, Unit

logger = logging.getLogger(__name__)


class RetryAt(Exception):
    """Tells procrastinate to queue the next attempt for a given time."""

    def __init__(self, at: datetime) -> None:
        super().__init__()
        self.at = at


class ExecutionRetryStrategy(BaseRetryStrategy):
    """procrastinate's retry strategy: retries exactly when the execution raised RetryAt."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:  # noqa: ARG002 - signature of procrastinate
        return RetryDecision(retry_at=exception.at) if isinstance(exception, RetryAt) else None


@dataclass(frozen=True, slots=True)
class PostgresLedger:
    """Records the progress and steps of a run in PostgreSQL; raises LeaseLost once another worker has the job."""

    database: Database
    job_id: int
    run_id: int
    worker_id: int

    async def progress(self, done: int | None, total: int | None, doing: str) -> None:
        async with self.database.unit() as unit:
            stop = await store.report_progress(unit, self.run_id, self.worker_id, done, total, doing)
        if stop is None:
            raise JobLeaseLost
        if stop:
            raise JobCancelled

    @asynccontextmanager
    async def unit(self) -> AsyncIterator[Unit]:
        async with self.database.unit() as unit:
            if not await store.hold_lease(unit, self.run_id, self.worker_id):
                raise JobLeaseLost
            yield unit

    async def once(self, unit: Unit, step: str) -> bool:
        return await store.claim_step(unit, self.job_id, step)


@dataclass(frozen=True, slots=True)
class JobExecution(Generic[ServicesT]):
    """Runs the jobs of one type for one worker."""

    job_type: JobType
    database: Database
    clock: Clock
    services: ServicesT
    worker: str

    def as_function(self) -> Callable[..., Awaitable[None]]:
        """This execution as the function that procrastinate calls."""

        async def execute(context: JobContext, /, **args: Any) -> None:
            await self.attempt(context, args)

        return execute

    async def attempt(self, context: JobContext, args: dict[str, Any]) -> None:
        """Run the job once. Returns when it is done; every exception tells procrastinate how it ended."""
        job = context.job
        assert job.id is not None
        assert job.worker_id is not None
        run = await self._begin(job.id, job.worker_id, context)
        if run is None:
            return
        current_run.set(run.id)
        # Log lines and audit entries of the job name the request that deferred it.
        request_id.set(run.request_id)
        ledger = PostgresLedger(self.database, job.id, run.id, job.worker_id)
        running = RunningJob(job.id, self.job_type.name, run.attempt, self.services, ledger, run.due_at)
        try:
            with span(f"job {self.job_type.name}", linked_to=run.trace, task=self.job_type.name, attempt=run.attempt):
                await self.job_type.run(running, **args)
        except asyncio.CancelledError:
            await self._end_cancelled(run.id, context)
        except JobCancelled as error:
            await self._end(run.id, RunOutcome.CANCELLED, CANCELLED)
            raise JobAborted from error
        except JobLeaseLost as error:
            raise JobAborted from error
        except Paused as error:
            await self._end(run.id, RunOutcome.PAUSED, str(error.sentence))
            raise RetryAt(error.until) from error
        except Exception as error:  # noqa: BLE001 - whatever a job raises becomes the recorded reason of its failure
            await self._end_failed(run, job, error)
        else:
            await self._end(run.id, RunOutcome.SUCCEEDED, None)

    async def _begin(self, job_id: int, worker_id: int, context: JobContext) -> store.StartedRun | None:
        """None when an earlier attempt succeeded and only its acknowledgement was lost, or when the job isn't ours."""
        try:
            async with self.database.unit() as unit:
                if await store.has_succeeded(unit, job_id):
                    return None
                return await store.begin_run(unit, job_id, worker_id, self.worker, self.clock.now())
        except asyncio.CancelledError as error:
            if context.abort_reason() is AbortReason.USER_REQUEST:
                raise JobAborted from error
            raise RetryAt(self.clock.now()) from error
        except Retryable as error:
            raise self._retry_soon() from error

    async def _end_cancelled(self, run_id: int, context: JobContext) -> None:
        if context.abort_reason() is AbortReason.USER_REQUEST:
            await self._end(run_id, RunOutcome.CANCELLED, ABORTED)
            raise JobAborted
        await self._end(run_id, RunOutcome.INTERRUPTED, INTERRUPTED)
        raise RetryAt(self.clock.now())

    async def _end_failed(self, run: store.StartedRun, job: Job, error: Exception) -> None:
        wait = self.job_type.retry.wait(job.attempts + 1, error)
        outcome = RunOutcome.FAILED if wait is None else RunOutcome.RETRYING
        facts = {"job": job.id, "task": self.job_type.name, "outcome": outcome.value}
        logger.warning("A job failed.", extra=facts, exc_info=None if isinstance(error, AlmanacError) else error)
        by_input = is_caused_by_input(error, scheduled=run.due_at is not None)
        await self._end(run.id, outcome, failure_reason(error), by_input=by_input)
        if wait is None:
            raise error
        raise RetryAt(self.clock.now() + timedelta(seconds=wait)) from error

    async def _end(self, run_id: int, outcome: RunOutcome, reason: str | None, *, by_input: bool = False) -> None:
        """Record the end of a run even while the worker is stopping, so that finished work isn't repeated."""
        recording = asyncio.ensure_future(self._record(run_id, outcome, reason, by_input))
        try:
            await asyncio.shield(recording)
        except asyncio.CancelledError:
            await recording

    async def _record(self, run_id: int, outcome: RunOutcome, reason: str | None, by_input: bool) -> None:
        """Write the outcome. If that fails, the job is tried again and skips a run that was recorded as successful."""
        try:
            async with self.database.unit() as unit:
                await store.end_run(unit, run_id, outcome, reason, self.clock.now(), by_input=by_input)
        except Retryable as error:
            raise self._retry_soon() from error

    def _retry_soon(self) -> RetryAt:
        return RetryAt(self.clock.now() + timedelta(seconds=self.job_type.retry.first_seconds))
