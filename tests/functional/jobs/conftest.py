"""Worker processes that tests may kill, freeze and stop."""

import subprocess
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from types import ModuleType

import pytest

from almanac.jobs import JobView
from almanac.jobs.postgres import PostgresJobs
from almanac.kit.clock import SystemClock
from almanac.relational import Database

SCRIPT = Path(__file__).parent / "worker_process.py"
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture(scope="session")
def declared(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The tasks that the worker process knows."""
    return module_at(SCRIPT)


@pytest.fixture
async def jobs(database: Database, declared: ModuleType) -> PostgresJobs:
    async with database.unit() as unit:
        await unit.execute("CREATE TABLE effects (number integer)")
    return PostgresJobs(database, declared.REGISTRY, SystemClock(), cursor_key=b"a key of the test")


@pytest.fixture
def start_worker(start_program: Start, database_url: str) -> Start:
    """Start a worker process."""
    return lambda lease_seconds=2.5: start_program(SCRIPT, database_url, lease_seconds)


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
