"""The knowledge under test: on PostgreSQL with real search, and the fake; both fetch from answers laid out."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from almanac.fetch.fake import FakeFetcher
from almanac.jobs import JobRegistry
from almanac.jobs.fake import FakeJobs
from almanac.kit.clock import FixedClock
from almanac.knowledge import Knowledge, KnowledgeSource, KnowledgeViewer
from almanac.knowledge.fake import FakeKnowledge
from almanac.knowledge.indexing import KIND
from almanac.knowledge.jobs import KnowledgeJobs
from almanac.knowledge.service import StoredKnowledge
from almanac.knowledge.source_reader import SourceReader
from almanac.objects.memory import MemoryObjectStore
from almanac.relational import Database
from almanac.search.postgres import PostgresIndex

AMINA, BARAKA = KnowledgeViewer("amina"), KnowledgeViewer("baraka")


@dataclass
class Library:
    """Knowledge with the web it reads from, and a way to wait until everything that was added is read."""

    knowledge: Knowledge
    web: FakeFetcher
    settle: Callable[[], Awaitable[None]]

    async def read(self, source: KnowledgeSource, viewer: KnowledgeViewer = AMINA) -> KnowledgeSource:
        """The source once it has been read."""
        await self.settle()
        return (await self.knowledge.get(viewer, source.id)).source

    async def texts(self, source: KnowledgeSource, viewer: KnowledgeViewer = AMINA) -> dict[str, str]:
        """Every chunk of a source by id."""
        await self.settle()
        texts, cursor = {}, None
        while True:
            page = await self.knowledge.list_chunks(viewer, source.id, cursor=cursor, limit=7)
            texts |= {chunk.id: chunk.text for chunk in page.items}
            if (cursor := page.next_cursor) is None:
                return texts


@dataclass
class Stored:
    """The real adapter with everything it stands on."""

    knowledge: StoredKnowledge
    jobs: FakeJobs
    registry: JobRegistry
    search: PostgresIndex
    objects: MemoryObjectStore
    web: FakeFetcher


@pytest.fixture
def stored(database: Database, clock: FixedClock) -> Stored:
    search, objects, web = PostgresIndex(database, cursor_key=b"key"), MemoryObjectStore(clock), FakeFetcher()
    search.add_kinds(KIND)
    registry = JobRegistry()
    jobs = FakeJobs(registry, clock, database=database)
    knowledge_jobs = KnowledgeJobs(SourceReader(database, objects, web, search, clock), jobs)
    registry.add(knowledge_jobs.read_task)
    registry.schedule(*knowledge_jobs.schedules)
    knowledge = StoredKnowledge(
        database=database, jobs=knowledge_jobs, cursor_key=b"cursor key", max_file_bytes=1_000_000
    )
    return Stored(knowledge, jobs, registry, search, objects, web)


@pytest.fixture(params=["fake", "stored"])
def library(request: pytest.FixtureRequest, clock: FixedClock) -> Library:
    if request.param == "stored":
        stored: Stored = request.getfixturevalue("stored")
        return Library(stored.knowledge, stored.web, stored.jobs.drain)
    web = FakeFetcher()

    async def settled() -> None:
        """The fake reads at once."""

    return Library(FakeKnowledge(web, clock, max_file_bytes=1_000_000), web, settled)
