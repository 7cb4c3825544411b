"""The worker: runs jobs, keeps schedules and takes back the jobs of dead workers, inside `serve` or on its own."""

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
from almanac.jobs.execution import AsTold, Execution
from almanac.jobs.fenced import FencedJobManager
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.quiet import keep_arguments_out_of_logs
from almanac.jobs.rescue import take_back_lost_jobs
from almanac.jobs.running import ServicesT
from almanac.jobs.scheduler import start_due_runs

_DRAIN_LOOK_SECONDS = 0.02
_MANY_TALLIES = 50

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
    """Runs the tasks of a registry. `services` is handed to every task function as `job.services`."""

    def __init__(self, jobs: PostgresJobs, services: ServicesT, settings: WorkerSettings | None = None) -> None:
        self.name = f"{socket.gethostname()}-{os.getpid()}"
        self._jobs = jobs
        self._services = services
        self._settings = settings or WorkerSettings()
        self._stopping = asyncio.Event()
        self._engine: Engine | None = None

    async def run(self) -> None:
        """Work until `stop`, or until cancelled; running jobs get `graceful_seconds` to end, then go back."""
        lease = self._settings.lease_seconds
        over = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            rounds = [
                group.create_task(_repeat(act, seconds, over))
                for act, seconds in (
                    (lambda: take_back_lost_jobs(self._jobs, lease), lease / 4),
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
        """Run everything that is ready, and what that brings, then return. For tests, demos and one-off commands."""
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
            return await store.count_open_jobs(unit, engine.worker_id) > 0

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

    async def _wake_paused_jobs(self) -> None:
        async with self._jobs.database.unit() as unit:
            await store.wake_paused_jobs(unit)

    async def _fold_tallies(self) -> None:
        """Counting jobs reads every line of the tallies, so that there must not be many."""
        async with self._jobs.database.unit() as unit:
            await store.fold_tallies(unit, _MANY_TALLIES)

    async def _make_engine(self) -> Engine:
        connector = PsycopgConnector()
        await connector.open_async(self._jobs.database.pool)
        app = procrastinate.App(connector=connector)
        for task in self._jobs.registry.tasks.values():
            execution = Execution(task, self._jobs.database, self._jobs.clock, self._services, self.name)
            app.task(name=task.name, queue=task.queue, pass_context=True, retry=AsTold())(execution.as_function())
        app.job_manager = FencedJobManager(connector, self._jobs.database, frozenset(self._jobs.registry.tasks))
        keep_arguments_out_of_logs(self.name)
        return Engine(
            app=app,
            queues=self._settings.queues,
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
    """A round, a rest, and so on until it is over. Cancelling alone doesn't end it: before Python 3.12, `wait_for`
    loses a cancellation that comes together with what it waits for.
    """
    while not over.is_set():
        try:
            await act()
        except Exception:  # a round that fails is repeated; it must not end the worker
            logger.exception("A round of the worker failed; it is repeated.")
        await _pause(over, seconds)


async def _pause(end: asyncio.Event, seconds: float) -> None:
    """Rest so long, or until the end."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await end.wait()
