"""The single writer: concurrent jobs share one SQLite transaction and its one fsync, each in its own savepoint.

A thread queues its job and becomes the leader if there is none; otherwise it sleeps until its job is done or it becomes
the leader. The leader runs all queued jobs, commits once, wakes their threads, and passes the lead to the next one.
"""

import sqlite3
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from threading import Lock, get_ident
from typing import Any, TypeVar

from tablature.engine.storage.transaction import Transaction

Result = TypeVar("Result")

MAX_JOBS_PER_COMMIT = 256
SLOW_COMMIT = 0.001
LONGEST_WAIT = 0.002
SHORTEST_WAIT = 0.00005


class _QueuedJob:
    """A queued job and its result, once it is durable."""

    __slots__ = ("error", "is_done", "job", "result", "thread", "turn")

    def __init__(self, job: Callable[[Transaction], Any]) -> None:
        self.job = job
        self.result: Any = None
        self.error: BaseException | None = None
        self.is_done = False
        self.thread = get_ident()
        self.turn = Lock()
        self.turn.acquire()


class GroupCommitWriter:
    """Runs write jobs in order. `run` returns when the job's writes are durable."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        begin: Callable[[], Transaction],
        committed: Callable[[Transaction], None],
        lead: AbstractContextManager[Any] | None = None,
    ) -> None:
        self._connection = connection
        self._begin = begin
        self._committed = committed
        self._queue: deque[_QueuedJob] = deque()
        self._last_threads: set[int] = set()
        self._company: set[int] = set()
        self._commit_seconds = 0.0
        self._leader: _QueuedJob | None = None
        self._guard = Lock()
        self._exclusion: AbstractContextManager[Any] = lead or nullcontext()

    def run(self, job: Callable[[Transaction], Result]) -> Result:
        """Run a job. An error rolls back only this job's writes."""
        ticket = _QueuedJob(job)
        try:
            if not self._take_lead(ticket):
                ticket.turn.acquire()
            if not ticket.is_done:
                self._lead(ticket)
        except BaseException:
            self._withdraw(ticket)
            raise
        if ticket.error is not None:
            raise ticket.error
        return ticket.result  # type: ignore[no-any-return]  # what the job returned

    def _take_lead(self, ticket: _QueuedJob) -> bool:
        """Queue a job. True if its thread is the leader."""
        with self._guard:
            self._queue.append(ticket)
            if self._leader is None:
                self._leader = ticket
        return self._leader is ticket

    def _lead(self, ticket: _QueuedJob) -> None:
        """Commit batches until the leader's own job is done, then pass the lead on."""
        while not ticket.is_done:
            with self._exclusion:
                served = self._commit_together(self._next_batch())
            for other in served:
                if other is not ticket:
                    other.turn.release()
        self._pass_lead()

    def _pass_lead(self) -> None:
        with self._guard:
            self._leader = successor = self._queue[0] if self._queue else None
        if successor is not None:
            successor.turn.release()

    def _withdraw(self, ticket: _QueuedJob) -> None:
        """Remove the job of an interrupted thread, so that nobody runs it or waits for its lead."""
        with self._guard:
            if ticket in self._queue:
                self._queue.remove(ticket)
            was_leading = self._leader is ticket
        if was_leading:
            self._pass_lead()

    def _next_batch(self) -> deque[_QueuedJob]:
        if len(self._company) > 1:
            self._wait_for_company()
        batch: deque[_QueuedJob] = deque()
        while self._queue and len(batch) < MAX_JOBS_PER_COMMIT:
            batch.append(self._queue.popleft())
        return batch

    def _wait_for_company(self) -> None:
        """If commits are slow, wait briefly so that the threads of the last two batches can join this one.

        A lone writer never waits, and on a fast disk waiting would cost more than it saves.
        """
        expected = len(self._company)
        if self._commit_seconds > SLOW_COMMIT and len(self._queue) < expected:
            deadline = time.perf_counter() + min(self._commit_seconds, LONGEST_WAIT)
            while len(self._queue) < expected and time.perf_counter() < deadline:
                time.sleep(SHORTEST_WAIT)

    def _commit_together(self, batch: deque[_QueuedJob]) -> list[_QueuedJob]:
        """Run and commit a batch. Returns the jobs that are done, successful or not."""
        ran: list[_QueuedJob] = []
        try:
            transaction = self._begin()
            self._run_each(transaction, batch, ran)
            transaction.flush_counts()
            began = time.perf_counter()
            self._connection.execute("COMMIT")
            self._commit_seconds += (time.perf_counter() - began - self._commit_seconds) / 8
            threads = {ticket.thread for ticket in ran}
            self._company = threads | self._last_threads
            self._last_threads = threads
            self._committed(transaction)
        except BaseException as error:
            ran = [*ran, *batch]
            self._abandon(error, ran)
            if not isinstance(error, Exception):
                for ticket in ran:
                    if ticket.turn.locked():
                        ticket.turn.release()
                raise
            return ran
        with self._guard:
            self._queue.extendleft(reversed(batch))
        for ticket in ran:
            ticket.is_done = True
        return ran

    def _run_each(self, transaction: Transaction, batch: deque[_QueuedJob], ran: list[_QueuedJob]) -> None:
        """Run jobs until none is left or one changes the catalog, which later jobs must see."""
        is_alone = len(batch) == 1
        while batch and not transaction.has_changed_catalog:
            ticket = batch.popleft()
            ran.append(ticket)
            if is_alone:
                ticket.result = ticket.job(transaction)
                transaction.keep_counts()
            else:
                self._run_in_savepoint(transaction, ticket)

    def _run_in_savepoint(self, transaction: Transaction, ticket: _QueuedJob) -> None:
        self._connection.execute("SAVEPOINT job")
        try:
            ticket.result = ticket.job(transaction)
        except Exception as error:  # noqa: BLE001 -- it is the caller's, who gets it raised in its own thread
            ticket.error = error
            self._connection.execute("ROLLBACK TO job")
            transaction.forget_job()
        else:
            transaction.keep_counts()
        self._connection.execute("RELEASE job")

    def _abandon(self, error: BaseException, tickets: list[_QueuedJob]) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        for ticket in tickets:
            ticket.error, ticket.is_done = error, True
