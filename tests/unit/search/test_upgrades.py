"""After an upgrade that indexes in another way, the index is rebuilt in the background, by one job."""

import asyncio
from dataclasses import dataclass

import pytest

from almanac.jobs import FailureFilter, JobRegistry, JobStatus
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.kit.clock import Clock
from almanac.relational import Database
from almanac.search import UNRESTRICTED_VIEWER, DocumentBatch, DocumentKind, SearchDocument
from almanac.search.fingerprint import fingerprint_source
from almanac.search.postgres import PostgresIndex
from almanac.search.rebuild import BATCH_SIZE, REBUILD, IndexRebuilder


@dataclass
class Papers:
    """A number of documents of a kind."""

    kind: DocumentKind
    number: int

    async def count(self) -> int:
        return self.number

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        start = int(after or 0)
        end = min(start + limit, self.number)
        name = self.kind.name
        documents = [SearchDocument(kind=name, id=str(n), title=f"{name} {n}", path="/") for n in range(start, end)]
        return DocumentBatch(documents, str(end) if end < self.number else None)


@dataclass
class Held:
    """The services that a rebuild needs."""

    rebuilds: IndexRebuilder
    clock: Clock


class Version:
    """One running version of the product, with documents of these kinds."""

    def __init__(self, database: Database, clock: Clock, **papers: int) -> None:
        self.index = PostgresIndex(database, cursor_key=b"key")
        self.rebuilds = IndexRebuilder(database, self.index)
        self.rebuilds.add(*(Papers(DocumentKind(name, name, name), number) for name, number in papers.items()))
        self.jobs = PostgresJobs(database, JobRegistry([REBUILD]), clock, cursor_key=b"key")
        self.worker = Worker(self.jobs, Held(self.rebuilds, clock), WorkerSettings(poll_seconds=0.05))

    async def start(self) -> int | None:
        return await self.rebuilds.bring_up_to_date(self.jobs)

    async def total(self, query: str) -> int:
        return (await self.index.find(query, viewer=UNRESTRICTED_VIEWER)).total


async def pretend_older(database, *kinds):
    async with database.unit() as unit:
        await unit.execute("UPDATE search_rebuilds SET fingerprint = 'older' WHERE kind = ANY(%s)", (list(kinds),))


@pytest.fixture
async def old(database, clock):
    """A version without customers, whose index is whole."""
    version = Version(database, clock, note=5, letter=3)
    await version.start()
    await version.worker.drain()
    assert await version.start() is None
    return version


async def test_a_new_kind_becomes_searchable_without_a_command(database, clock, old):
    new = Version(database, clock, note=5, letter=3, customer=4)
    job_id = await new.start()
    assert (await new.jobs.job(job_id)).args["kinds"] == ["customer"]
    await new.worker.drain()
    assert await new.total("customer") == 4
    assert await new.rebuilds.list_stale() == []
    assert await new.start() is None


async def test_kinds_with_other_terms_are_rebuilt_and_found_meanwhile(database, old):
    await pretend_older(database, "note")
    async with database.unit() as unit:
        await unit.execute("DELETE FROM search_documents WHERE kind = 'note' AND key <> '0'")
    job_id = await old.start()
    assert await old.total("note") == 1
    await old.worker.drain()
    assert await old.total("note") == 5
    view = (await old.jobs.job(job_id)).job
    assert (view.status, view.done, view.total, view.doing) == (JobStatus.SUCCEEDED, 5, 5, "note")


async def test_processes_that_start_at_once_queue_one_job(database, clock, old):
    await pretend_older(database, "note", "letter")
    versions = [Version(database, clock, note=5, letter=3) for _ in range(5)]
    started = await asyncio.gather(*(version.start() for version in versions))
    assert len([job_id for job_id in started if job_id is not None]) == 1
    assert len([job for job in (await old.jobs.jobs()).items if job.status is JobStatus.QUEUED]) == 1


async def test_a_start_while_it_runs_queues_no_second_job(database, clock):
    version = Version(database, clock, note=2 * BATCH_SIZE)
    provider = version.rebuilds.providers["note"]
    read, again = provider.batch, []

    async def batch(after, limit):
        again.append(await version.start())
        return await read(after, limit)

    provider.batch = batch
    await version.start()
    await version.worker.drain()
    assert again == [None, None]
    assert len((await version.jobs.jobs()).items) == 1


async def test_a_rebuild_that_failed_is_queued_again_at_the_next_start(database, clock):
    version = Version(database, clock, note=5)
    provider = version.rebuilds.providers["note"]
    read = provider.batch

    async def fail(after, limit):
        raise ValueError("broken")

    provider.batch = fail
    await version.start()
    await version.worker.drain()
    assert len(await version.jobs.failures(FailureFilter(task=REBUILD.name))) == 1
    provider.batch = read
    assert await version.start() is not None
    await version.worker.drain()
    assert await version.total("note") == 5


async def test_nothing_to_index_needs_no_job(database, clock):
    version = Version(database, clock, note=0)
    assert await version.start() is None
    assert await version.rebuilds.list_stale() == []


async def test_a_worker_of_another_version_leaves_the_job_to_a_newer_one(database, clock, old):
    new = Version(database, clock, note=5, letter=3, customer=4)
    job_id = await new.start()
    # PostgreSQL decides by its own clock which jobs are due.
    clock.advance(days=40_000)
    await old.worker.drain()
    view = (await old.jobs.job(job_id)).job
    assert (view.status, view.reason) == (JobStatus.QUEUED, "It waits for a worker of the version that queued it.")
    async with database.unit() as unit:
        await unit.execute("UPDATE procrastinate_jobs SET scheduled_at = NULL")
    await new.worker.drain()
    assert await new.total("customer") == 4


async def test_other_code_does_not_go_on_with_half_a_rebuild(database, clock):
    """Documents that older code indexed before it was interrupted are indexed again."""
    version = Version(database, clock, note=2 * BATCH_SIZE)
    reports = []

    async def stop(done, total, doing):
        reports.append(done)
        if done:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        await version.rebuilds.rebuild(progress=stop)
    async with database.unit() as unit:
        await unit.execute("UPDATE search_rebuilds SET building = 'older'")
    reports.clear()
    with pytest.raises(InterruptedError):
        await version.rebuilds.rebuild(progress=stop)
    assert reports == [0, BATCH_SIZE]


SOURCE = 'def add(a, b):\n    """Adds."""\n    return a + b  # the sum\n'


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        (SOURCE.replace("Adds.", "Adds two numbers."), True),
        (SOURCE.replace("  # the sum", ""), True),
        (SOURCE.replace("a + b", "a - b"), False),
        (SOURCE + "\nLIMIT = 3\n", False),
    ],
)
def test_only_code_changes_a_fingerprint(changed, same):
    assert (fingerprint_source(changed) == fingerprint_source(SOURCE)) is same
