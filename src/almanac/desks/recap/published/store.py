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
