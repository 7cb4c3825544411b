"""Worker processes that tests may kill, freeze and stop."""

import importlib.util
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from types import ModuleType

import pytest

from almanac.jobs import JobView
from almanac.jobs.postgres import PostgresJobs
from almanac.kit.clock import SystemClock
from almanac.relational import Database

SCRIPT = Path(__file__).parent / "worker_process.py"


@pytest.fixture(scope="session")
def declared() -> ModuleType:
    """The tasks that the worker process knows."""
    spec = importlib.util.spec_from_file_location("worker_process", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
async def jobs(database: Database, declared: ModuleType) -> PostgresJobs:
    async with database.unit() as unit:
        await unit.execute("CREATE TABLE effects (number integer)")
    return PostgresJobs(database, declared.REGISTRY, SystemClock(), cursor_key=b"a key of the test")


@pytest.fixture
def start_worker(database_url: str) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start a worker process; whatever is left of it at the end is killed."""
    started: list[subprocess.Popen[bytes]] = []

    def start(lease_seconds: float = 2.5) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([sys.executable, SCRIPT, database_url, str(lease_seconds)]))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()


@pytest.fixture
def until(jobs: PostgresJobs) -> Callable[..., object]:
    """Watch a job until it looks as wanted."""

    async def watch(job_id: int, wanted: Callable[[JobView], bool]) -> JobView:
        async with aclosing(jobs.watch(job_id)) as changes:
            async for view in changes:
                if wanted(view):
                    return view
        raise AssertionError("The job ended otherwise.")

    return watch
