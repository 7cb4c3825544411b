"""A thread that is interrupted while it waits or leads leaves the others able to write."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tablature.engine.storage.writer import GroupCommitWriter


class Interrupt(BaseException):
    """Stands for KeyboardInterrupt, which would end the test run."""


class Counting:
    """The little that a writer asks of a transaction."""

    has_changed_catalog = False

    def flush_counts(self): ...

    def keep_counts(self): ...

    def forget_job(self): ...


@pytest.fixture
def writer(tmp_path):
    connection = sqlite3.connect(tmp_path / "data.db", isolation_level=None, check_same_thread=False)

    def begin():
        connection.execute("BEGIN IMMEDIATE")
        return Counting()

    yield GroupCommitWriter(connection, begin, lambda _: None)
    connection.close()


def test_a_leader_that_is_interrupted_passes_the_lead_on(writer):
    entered, go_on = threading.Event(), threading.Event()

    def interrupted(_):
        entered.set()
        go_on.wait(30)
        raise Interrupt

    with ThreadPoolExecutor(2) as threads:
        leader = threads.submit(writer.run, interrupted)
        assert entered.wait(30)
        follower = threads.submit(writer.run, lambda _: "done")
        while not writer._queue:
            pass
        go_on.set()
        assert isinstance(leader.exception(30), Interrupt)
        assert follower.result(30) == "done"
    assert writer.run(lambda _: "after") == "after"


def test_an_ordinary_error_reaches_its_own_caller_only(writer):
    def fails(_):
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        writer.run(fails)
    assert writer.run(lambda _: 1) == 1


def test_many_threads_are_all_served(writer):
    with ThreadPoolExecutor(16) as threads:
        assert sorted(threads.map(lambda number: writer.run(lambda _: number), range(2000))) == list(range(2000))
