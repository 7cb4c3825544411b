"""Reads of the register for the public side, each one statement."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from almanac.desks.recap.model.views import ListedArticle
from almanac.desks.recap.store.article_mapping import decode_card
from almanac.kit.paging import Page
from almanac.relational import Database, load_queries

QUERIES = load_queries(__package__)
_END = 2**62


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page of the desk for search engines: an article, a person or a bill by its name in the address.

    `changed_at` is when the texts of an article last changed; nobody knows it of the others.
    """

    kind: Literal["articles", "people", "bills"]
    name: str
    changed_at: datetime | None


@dataclass(frozen=True, slots=True)
class BulkFileRow:
    """A file of a whole session: where its content is kept, its lines, its size in bytes and its SHA-256."""

    name: str
    session: int
    content: str
    key: str
    lines: int
    size: int
    digest: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class PublicFigures:
    """What can be counted of the articles; `unbound` decisions are those whose subject the record doesn't tell.

    `counted_at` is None as long as nothing was counted.
    """

    articles: int
    speeches: int
    decisions: int
    unbound: int
    corrections: int
    open_reports: int
    counted_at: datetime | None


async def list_latest_cards(database: Database, *, limit: int, below: int | None = None) -> Page[ListedArticle]:
    """The newest articles below a place, which the cursor of the page before says."""
    params = {"below": _END if below is None else below, "limit": limit + 1}
    async with database.reading() as reading:
        rows = await reading.all(QUERIES["list_latest_cards"], params)
    shown = rows[:limit]
    cards = [ListedArticle(decode_card(row["card"])) for row in shown]
    return Page(cards, str(shown[-1]["place"]) if len(rows) > limit else None)


async def count_pages(database: Database) -> int:
    """How many articles, people and bills there are."""
    async with database.reading() as reading:
        return int(await reading.value(QUERIES["count_pages"]))


async def list_pages(database: Database, *, offset: int, limit: int) -> list[ListedPage]:
    """Articles in the order in which they were first published, then people and bills."""
    async with database.reading() as reading:
        return await reading.all(QUERIES["list_pages"], {"offset": offset, "limit": limit}, into=ListedPage)


async def list_bulk_files(database: Database) -> list[BulkFileRow]:
    """The files of whole sessions, the latest session first."""
    async with database.reading() as reading:
        return await reading.all(QUERIES["list_bulk_files"], into=BulkFileRow)


async def get_bulk_file(database: Database, name: str) -> BulkFileRow | None:
    """A file by its name; None if there is none."""
    async with database.reading() as reading:
        return await reading.one(QUERIES["get_bulk_file"], {"name": name}, into=BulkFileRow)


async def list_origins(database: Database) -> list[str]:
    """The hosts that publish the records."""
    async with database.reading() as reading:
        return [row["host"] for row in await reading.all(QUERIES["list_origins"])]


async def sum_figures(database: Database) -> PublicFigures:
    """What was counted in all articles."""
    async with database.reading() as reading:
        rows = await reading.all(QUERIES["sum_figures"], into=PublicFigures)
    return rows[0]
