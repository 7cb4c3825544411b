"""The worker: runs jobs, starts scheduled runs and recovers jobs of dead workers, inside `serve` or on its own."""

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic

import procrastinate
from procrastinate.exceptions import ProcrastinateException
from procrastinate.psycopg_connector import PsycopgConnector
from procrastinate.worker import Worker as Engine

from almanac.errors import AlmanacError
from almanac.jobs import store
from almanac.jobs.execution import ExecutionRetryStrategy, JobExecution
from almanac.jobs.leases import LeasedJobManager, recover_lost_jobs
from almanac.jobs.port import ServicesT
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.scheduler import start_due_runs
from almanac.metrics import compact_operation_tallies

_DRAIN_LOOK_SECONDS = 0.02
_MANY_TALLIES = 50
_MANY_OPERATION_TALLIES = 2000
# Attributes and actions of procrastinate's log records that carry job arguments, which may be personal.
_JOB_ATTRIBUTES = ("job", "jobs")
_JOB_ACTIONS = ("ending_job",)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """How a worker works. A job whose worker is silent for `lease_seconds` is given to another."""

    concurrency: int = 4
    queues: tuple[str, ...] | None = None
    heartbeat_seconds: float = 5.0
    lease_seconds: float = 20.0
    poll_seconds: float = 2.0
    schedule_seconds: float = 5.0
    graceful_seconds: float = 20.0


class Worker(Generic[ServicesT]):
    """Runs the jobs of a registry. Every job function gets `services` as `job.services`."""

    def __init__(self, jobs: PostgresJobs, services: ServicesT, settings: WorkerSettings | None = None) -> None:
        self.name = f"{socket.gethostname()}-{os.getpid()}"
        self._jobs = jobs
        self._services = services
        self._settings = settings or WorkerSettings()
        self._stopping = asyncio.Event()
        self._engine: Engine | None = None
        self._leases: LeasedJobManager | None = None

    async def run(self) -> None:
        """Work until `stop`, or until cancelled; running jobs get `graceful_seconds` to end, then go back."""
        over = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            rounds = [
                group.create_task(_repeat(act, seconds, over))
                for act, seconds in (
                    (self._recover_lost_jobs, self._settings.lease_seconds / 4),
                    (self._fold_tallies, self._settings.schedule_seconds),
                    (lambda: start_due_runs(self._jobs), self._settings.schedule_seconds),
                )
            ]
            try:
                await self._serve()
            finally:
                # Cleared at the end and not at the beginning: a stop that comes before the start must count too.
                self._stopping.clear()
                over.set()
                for task in rounds:
                    task.cancel()

    def stop(self) -> None:
        """Ask the worker to end; `run` returns when it has."""
        self._stopping.set()
        if self._engine:
            self._engine.stop()

    async def drain(self) -> None:
        """Run every ready job and those they defer, then return. For tests, demos and one-off commands."""
        engine = self._engine = await self._make_engine()
        work = asyncio.create_task(engine.run())
        while not work.done() and await self._busy(engine):
            await asyncio.wait([work], timeout=_DRAIN_LOOK_SECONDS)
        engine.stop()
        await work
        await self._fold_tallies()

    async def _busy(self, engine: Engine) -> bool:
        """Whether a job could start, or runs here."""
        async with self._jobs.database.unit() as unit:
            return await store.count_open_jobs(unit, engine.worker_id, self._settings.queues) > 0

    async def _serve(self) -> None:
        """Keep an engine running; one that stops by itself (a lost connection) is replaced."""
        while not self._stopping.is_set():
            try:
                await self._wake_paused_jobs()
                self._engine = await self._make_engine()
                if not self._stopping.is_set():
                    await self._engine.run()
            except (ProcrastinateException, AlmanacError, OSError):
                logger.warning("The worker lost its database; it starts again.", exc_info=True)
            if not self._stopping.is_set():
                await _pause(self._stopping, 1.0)

    async def _recover_lost_jobs(self) -> None:
        holding = self._leases.holding(self._engine.worker_id) if self._leases and self._engine else None
        await recover_lost_jobs(self._jobs, self._settings.lease_seconds, holding)

    async def _wake_paused_jobs(self) -> None:
        async with self._jobs.database.unit() as unit:
            await store.wake_paused_jobs(unit)

    async def _fold_tallies(self) -> None:
        """Merge tally rows: counting jobs reads all of them."""
        async with self._jobs.database.unit() as unit:
            await store.compact_tallies(unit, _MANY_TALLIES)
        async with self._jobs.database.unit() as unit:
            await compact_operation_tallies(unit, _MANY_OPERATION_TALLIES)

    async def _make_engine(self) -> Engine:
        connector = PsycopgConnector()
        await connector.open_async(self._jobs.database.pool)
        app = procrastinate.App(connector=connector)
        for job_type in self._jobs.registry.job_types.values():
            execution = JobExecution(job_type, self._jobs.database, self._jobs.clock, self._services, self.name)
            declare = app.task(
                name=job_type.name, queue=job_type.queue, pass_context=True, retry=ExecutionRetryStrategy()
            )
            declare(execution.as_function())
        self._leases = LeasedJobManager(connector, self._jobs.database, frozenset(self._jobs.registry.job_types))
        app.job_manager = self._leases
        filter_job_arguments(self.name)
        return Engine(
            app=app,
            queues=None if self._settings.queues is None else list(self._settings.queues),
            name=self.name,
            concurrency=self._settings.concurrency,
            fetch_job_polling_interval=self._settings.poll_seconds,
            abort_job_polling_interval=self._settings.poll_seconds,
            shutdown_graceful_timeout=self._settings.graceful_seconds,
            install_signal_handlers=False,
            update_heartbeat_interval=self._settings.heartbeat_seconds,
            stalled_worker_timeout=self._settings.lease_seconds * 10,
        )


async def _repeat(act: Callable[[], Awaitable[object]], seconds: float, over: asyncio.Event) -> None:
    """Call `act` every `seconds` until `over` is set. Cancelling alone doesn't end it: before Python 3.12, `wait_for`
    loses a cancellation that arrives together with what it waits for.
    """
    while not over.is_set():
        try:
            await act()
        except Exception:  # a failed round is repeated; it must not end the worker
            logger.exception("A periodic step of the worker failed; it is repeated.")
        await _pause(over, seconds)


async def _pause(end: asyncio.Event, seconds: float) -> None:
    """Sleep, or return early once `end` is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await end.wait()


class JobArgumentsFilter(logging.Filter):
    """Drops procrastinate's log lines about single jobs: they contain arguments. Runs are recorded in the database."""

    def filter(self, record: logging.LogRecord) -> bool:
        names_job = any(hasattr(record, name) for name in _JOB_ATTRIBUTES)
        return not names_job and getattr(record, "action", None) not in _JOB_ACTIONS


_FILTER = JobArgumentsFilter()


def filter_job_arguments(worker_name: str) -> None:
    """Keep job arguments out of the logs of procrastinate and of this worker."""
    for name in ("procrastinate.worker", f"procrastinate.worker.{worker_name}", "procrastinate.jobs"):
        logging.getLogger(name).addFilter(_FILTER)
