"""The two adapters of the search port, behind one bench on which the contract is tried."""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from almanac.relational import Database
from almanac.search import UNRESTRICTED_VIEWER, DocumentKind, SearchDocument, SearchIndex, SearchResults
from almanac.search.memory import MemoryIndex
from almanac.search.postgres import PostgresIndex

ARTICLE = DocumentKind("news.article", "Article", "Articles", {"tag": "Tag", "country": "Country"})
SPEECH = DocumentKind("recap.speech", "Speech", "Speeches", {"person": "Person"})


def on(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


@dataclass
class Bench:
    """One adapter with what is needed to fill it and ask it."""

    index: SearchIndex
    database: Database
    numbers: Any

    async def put(self, *documents: SearchDocument) -> None:
        async with self.database.unit() as unit:
            await self.index.put(unit, *documents)

    async def remove(self, kind: str, *ids: str) -> None:
        async with self.database.unit() as unit:
            await self.index.remove(unit, kind, ids)

    async def add(self, title: str = "", body: str = "", **more: Any) -> str:
        """Put one document; it gets an id unless it is given one."""
        key = more.pop("id", None) or f"{next(self.numbers):03}"
        if isinstance(more.get("date"), str):
            more["date"] = on(more["date"])
        given = {"kind": ARTICLE.name, "path": f"/news/{key}", **more}
        await self.put(SearchDocument(id=key, title=title, body=body, **given))
        return key

    async def find(self, query: str = "", **more: Any) -> SearchResults:
        return await self.index.find(query, **{"viewer": UNRESTRICTED_VIEWER, **more})

    async def ids(self, query: str = "", **more: Any) -> list[str]:
        """The ids found, in order."""
        return [hit.id for hit in (await self.find(query, **more)).hits]

    async def found(self, query: str = "", **more: Any) -> set[str]:
        """The titles found."""
        return {hit.title for hit in (await self.find(query, **more)).hits}


@pytest.fixture(params=["postgres", "memory"])
def bench(request: pytest.FixtureRequest, database: Database) -> Bench:
    key = b"a key of the contract suite"
    index = PostgresIndex(database, cursor_key=key) if request.param == "postgres" else MemoryIndex(key)
    index.add_kinds(ARTICLE, SPEECH)
    return Bench(index, database, count(1))
