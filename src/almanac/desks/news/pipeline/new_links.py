"""Adds found links to the table: each page once, under any address, credited to the task that found it."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from almanac.desks.news.model.canonical_urls import canonical_url_and_domain, url_hash
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.store import links
from almanac.desks.news.store.links import NewLink
from almanac.errors import InputError
from almanac.kit.clock import Clock
from almanac.kit.text import storable
from almanac.relational import Database

BATCH_SIZE = 5000
TITLE_LIMIT = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTally:
    """What came of found links: new, already known, of blocked sites, or invalid. `found` is the total."""

    found: int = 0
    added: int = 0
    duplicate: int = 0
    blocked: int = 0
    refused: int = 0
    credited: int = 0

    def __add__(self, other: "LinkTally") -> "LinkTally":
        return LinkTally(
            found=self.found + other.found,
            added=self.added + other.added,
            duplicate=self.duplicate + other.duplicate,
            blocked=self.blocked + other.blocked,
            refused=self.refused + other.refused,
            credited=self.credited + other.credited,
        )


@dataclass(frozen=True, slots=True)
class FoundBy:
    """The task and run that found the links; all None for links added by hand."""

    task_name: str | None = None
    task_id: int | None = None
    run_id: int | None = None


BY_HAND = FoundBy()
_Batch = tuple[list[NewLink], int, int]


async def add_found_links(
    database: Database,
    clock: Clock,
    found_links: Iterable[FoundLink],
    found_by: FoundBy = BY_HAND,
    *,
    batch_size: int = BATCH_SIZE,
) -> LinkTally:
    """Insert new links in batches, each in its own transaction; the next batch is prepared while one is stored."""
    total = LinkTally()
    batches = _batches(found_links, batch_size)
    prepared = await asyncio.to_thread(next, batches, None)
    while prepared is not None:
        stored, prepared = await asyncio.gather(
            _store_batch(database, clock, prepared, found_by), asyncio.to_thread(next, batches, None)
        )
        total += stored
    return total


def identify_links(found_links: Iterable[FoundLink]) -> _Batch:
    """Links with canonical address, hash and domain, without repetitions; then how many were repeated or invalid."""
    links_by_hash: dict[str, NewLink] = {}
    seen = invalid = 0
    for link in found_links:
        seen += 1
        try:
            canonical, domain = canonical_url_and_domain(link.url)
        except InputError:
            invalid += 1
            continue
        hashed = url_hash(canonical)
        if hashed not in links_by_hash:
            url = storable(link.url).strip()
            links_by_hash[hashed] = NewLink(
                url=url,
                canonical_url=canonical,
                url_hash=hashed,
                raw_hash=url_hash(url),
                domain=domain,
                title=storable(link.title).strip()[:TITLE_LIMIT],
                published=link.published,
            )
    return list(links_by_hash.values()), seen - invalid - len(links_by_hash), invalid


def _batches(found_links: Iterable[FoundLink], size: int) -> Iterator[_Batch]:
    rest = iter(found_links)
    while batch := list(islice(rest, size)):
        yield identify_links(batch)


async def _store_batch(database: Database, clock: Clock, batch: _Batch, found_by: FoundBy) -> LinkTally:
    new, repeated, invalid = batch
    if not new:
        return LinkTally(found=repeated + invalid, duplicate=repeated, refused=invalid)
    async with database.unit() as unit:
        added = await links.add_links(
            unit, new, task=found_by.task_name, task_id=found_by.task_id, run_id=found_by.run_id, now=clock.now()
        )
    return LinkTally(
        found=len(new) + repeated + invalid,
        added=added.new,
        duplicate=repeated + len(new) - added.new,
        blocked=added.blocked,
        refused=invalid,
        credited=added.credited,
    )
