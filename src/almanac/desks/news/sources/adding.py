"""Putting found links into the table: each page once, whatever its address, and credited to the task that found it."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.urls import identity_of, url_hash
from almanac.desks.news.store import links
from almanac.desks.news.store.links import NewLink
from almanac.errors import InputError
from almanac.kit.clock import Clock
from almanac.relational import Database

BATCH = 5000
TITLE_LIMIT = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What came of found links: new ones, those known already, those of blocked sites, and what was no address."""

    found: int = 0
    added: int = 0
    duplicate: int = 0
    blocked: int = 0
    refused: int = 0
    credited: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            found=self.found + other.found,
            added=self.added + other.added,
            duplicate=self.duplicate + other.duplicate,
            blocked=self.blocked + other.blocked,
            refused=self.refused + other.refused,
            credited=self.credited + other.credited,
        )


@dataclass(frozen=True, slots=True)
class Finder:
    """Who found the links: a task and its run, or nobody in particular."""

    task_name: str | None = None
    task_id: int | None = None
    run_id: int | None = None


NOBODY = Finder()


async def add_found(
    database: Database, clock: Clock, found: Iterable[FoundLink], finder: Finder = NOBODY, *, batch: int = BATCH
) -> Tally:
    """Keep what is new, in batches that commit on their own; the next one is prepared while one is stored."""
    total = Tally()
    batches = _batched(found, batch)
    prepared = await asyncio.to_thread(next, batches, None)
    while prepared is not None:
        stored, prepared = await asyncio.gather(
            _store(database, clock, prepared, finder), asyncio.to_thread(next, batches, None)
        )
        total += stored
    return total


def identified(found: Iterable[FoundLink]) -> tuple[list[NewLink], int, int]:
    """Links with their identity, each once, and how many came twice or are no address."""
    known: dict[str, NewLink] = {}
    seen = refused = 0
    for one in found:
        seen += 1
        try:
            canonical, domain = identity_of(one.url)
        except InputError:
            refused += 1
            continue
        hashed = url_hash(canonical)
        if hashed not in known:
            url = _storable(one.url)
            known[hashed] = NewLink(
                url=url,
                canonical_url=canonical,
                url_hash=hashed,
                raw_hash=url_hash(url),
                domain=domain,
                title=_storable(one.title)[:TITLE_LIMIT],
                published=one.published,
            )
    return list(known.values()), seen - refused - len(known), refused


def _batched(found: Iterable[FoundLink], size: int) -> Iterator[tuple[list[NewLink], int, int]]:
    rest = iter(found)
    while piece := list(islice(rest, size)):
        yield identified(piece)


async def _store(
    database: Database, clock: Clock, prepared: tuple[Sequence[NewLink], int, int], finder: Finder
) -> Tally:
    new, twice, refused = prepared
    if not new:
        return Tally(found=twice + refused, duplicate=twice, refused=refused)
    async with database.unit() as unit:
        added = await links.add_links(
            unit, new, task=finder.task_name, task_id=finder.task_id, run_id=finder.run_id, now=clock.now()
        )
    return Tally(
        found=len(new) + twice + refused,
        added=added.new,
        duplicate=twice + len(new) - added.new,
        blocked=added.blocked,
        refused=refused,
        credited=added.credited,
    )


def _storable(text: str) -> str:
    plain = text if text.isascii() else text.encode("utf-8", "ignore").decode("utf-8")
    return plain.replace("\x00", "").strip()
