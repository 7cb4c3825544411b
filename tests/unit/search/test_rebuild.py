"""A rebuild brings every document again, forgets the stale ones at the end, and loses nothing on the way."""

import asyncio
from dataclasses import dataclass, field

import pytest

from almanac.errors import InputError
from almanac.jobs import JobRegistry, JobStatus
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.search import UNRESTRICTED_VIEWER, DocumentBatch, DocumentKind, SearchDocument
from almanac.search.postgres import PostgresIndex
from almanac.search.rebuild import BATCH_SIZE, REBUILD, IndexRebuilder

NOTE = DocumentKind("note", "Note", "Notes", {"tag": "Tag"})


def note(key: str, title: str = "note") -> SearchDocument:
    return SearchDocument(kind="note", id=key, title=title, path=f"/notes/{key}")


@dataclass
class Notes:
    """Documents in a dictionary, given in the order of their ids."""

    notes: dict[str, SearchDocument] = field(default_factory=dict)
    kind: DocumentKind = NOTE
    asked: list[str | None] = field(default_factory=list)

    async def count(self) -> int:
        return len(self.notes)

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        self.asked.append(after)
        keys = sorted(key for key in self.notes if after is None or key > after)
        some = keys[:limit]
        return DocumentBatch([self.notes[key] for key in some], some[-1] if len(keys) > limit else None)


@pytest.fixture
def index(database):
    return PostgresIndex(database, cursor_key=b"key")


@pytest.fixture
def notes():
    return Notes({f"{number:04}": note(f"{number:04}") for number in range(2 * BATCH_SIZE + 10)})


@pytest.fixture
def rebuilds(database, index, notes):
    made = IndexRebuilder(database, index)
    made.add(notes)
    return made


async def put(database, index, *documents):
    async with database.unit() as unit:
        await index.put(unit, *documents)


async def total(index, query=""):
    return (await index.find(query, viewer=UNRESTRICTED_VIEWER)).total


class Stopped(Exception):
    pass


def stopping_after(batches):
    """A progress report that stops the rebuild, as a cancelled job or Ctrl+C does."""
    reports = []

    async def report(done, total, doing):
        reports.append((done, total, doing))
        if len(reports) > batches:
            raise Stopped

    return report, reports


async def test_everything_is_found_again_and_what_is_stale_is_gone(database, index, rebuilds, notes):
    await put(database, index, note("stale", "left over"), SearchDocument(kind="other", id="1", title="kept", path="/"))
    report, reports = stopping_after(10)
    (rebuilt,) = await rebuilds.rebuild(progress=report)
    assert (rebuilt.kind, rebuilt.documents, rebuilt.removed) == ("note", len(notes.notes), 1)
    assert await total(index, "note") == len(notes.notes)
    assert await total(index, "left") == 0
    assert await total(index, "kept") == 1
    assert reports[0] == (0, len(notes.notes), "Notes")
    assert reports[-1] == (len(notes.notes), len(notes.notes), "Notes")


async def test_an_interrupted_rebuild_goes_on_where_it_was(database, index, rebuilds, notes):
    await put(database, index, note("stale", "left over"))
    report, _ = stopping_after(1)
    with pytest.raises(Stopped):
        await rebuilds.rebuild(progress=report)
    assert await total(index, "note") == BATCH_SIZE
    assert await total(index, "left") == 1
    notes.asked.clear()
    (rebuilt,) = await rebuilds.rebuild()
    assert notes.asked[0] is not None
    assert rebuilt.documents == len(notes.notes)
    assert await total(index, "note") == len(notes.notes)
    assert await total(index, "left") == 0


async def test_a_rebuild_can_begin_anew(rebuilds, notes):
    report, _ = stopping_after(1)
    with pytest.raises(Stopped):
        await rebuilds.rebuild(progress=report)
    notes.asked.clear()
    await rebuilds.rebuild(restart=True)
    assert notes.asked[0] is None


async def test_a_finished_rebuild_begins_anew_by_itself(rebuilds, notes):
    await rebuilds.rebuild()
    notes.asked.clear()
    await rebuilds.rebuild()
    assert notes.asked[0] is None


async def test_nothing_vanishes_while_it_runs(index, rebuilds, notes):
    await rebuilds.rebuild()
    seen = []

    async def look(done, total_, doing):
        seen.append(await total(index, "note"))

    await rebuilds.rebuild(progress=look)
    assert set(seen) == {len(notes.notes)}


async def test_a_change_during_a_batch_is_not_overwritten(database, index, rebuilds, notes):
    """The provider reads a note; before the batch is put, somebody changes it. The change must win."""
    changing = None
    read = notes.batch

    async def change():
        await put(database, index, note("0003", "changed meanwhile"))

    async def batch(after, limit):
        nonlocal changing
        given = await read(after, limit)
        if changing is None:
            notes.notes["0003"] = note("0003", "changed meanwhile")
            changing = asyncio.create_task(change())
            await asyncio.wait([changing], timeout=0.2)
            assert not changing.done()
        return given

    notes.batch = batch
    await rebuilds.rebuild()
    await changing
    assert await total(index, "changed meanwhile") == 1


async def test_a_kind_that_nobody_provides_is_refused(rebuilds):
    with pytest.raises(InputError, match=r"no documents of the kind letter; the kinds are: note\."):
        await rebuilds.rebuild(["letter"])


@dataclass
class Held:
    rebuilds: IndexRebuilder


async def test_a_job_rebuilds_and_reports(database, index, rebuilds, notes, clock):
    jobs = PostgresJobs(database, JobRegistry([REBUILD]), clock, cursor_key=b"key")
    job_id = await jobs.defer(REBUILD, {"kinds": ["note"]})
    await Worker(jobs, Held(rebuilds), WorkerSettings(poll_seconds=0.05)).drain()
    view = (await jobs.job(job_id)).job
    assert view.status is JobStatus.SUCCEEDED
    assert await total(index, "note") == len(notes.notes)


async def test_a_cancelled_job_leaves_what_it_did(database, index, rebuilds, notes, clock):
    jobs = PostgresJobs(database, JobRegistry([REBUILD]), clock, cursor_key=b"key")
    job_id = await jobs.defer(REBUILD, {})
    read = notes.batch

    async def batch(after, limit):
        if after is not None:
            await jobs.cancel(job_id)
        return await read(after, limit)

    notes.batch = batch
    await Worker(jobs, Held(rebuilds), WorkerSettings(poll_seconds=0.05)).drain()
    assert (await jobs.job(job_id)).job.status is JobStatus.CANCELLED
    assert 0 < await total(index, "note") < len(notes.notes)
