"""Pages of two filters over 10,000 and 100,000 articles of the recap desk, with facets and without, in process."""

import asyncio
import gc
import itertools
import random
import time
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import msgspec

from almanac.desks.recap.model.filters import Facet, parse_filter
from almanac.desks.recap.store import register, register_search
from almanac.desks.recap.store.register import RegisterEntry
from almanac.jobs import SCHEMA
from almanac.relational import MIGRATIONS, Database, EmbeddedPostgres, migrate
from measure import Line

FEW, MANY, BATCH, ROUNDS = 10_000, 100_000, 2_000, 12
FLAT, MILLISECONDS = 2.0, 50.0
FILTERED: tuple[Facet, ...] = ("category", "person", "keyword", "session", "house", "meeting")
COUNTED: tuple[Facet, ...] = ("category", "person", "keyword", "session", "house", "meeting")


def lines(folder: Path) -> list[Line]:
    # As root, PostgreSQL runs under an account of its own that must be able to pass through.
    folder.chmod(0o755)
    # As `almanac` does once its modules are loaded: what stays for ever is not looked through again and again.
    gc.freeze()
    return asyncio.run(measured(folder))


async def measured(folder: Path) -> list[Line]:
    async with EmbeddedPostgres(folder / "postgres") as url:
        await migrate(url, SCHEMA, MIGRATIONS)
        async with Database(url) as database:
            entries = [an_entry(number, random.Random(number)) for number in range(MANY)]
            await file_all(database, entries[:FEW])
            few = await pages(database, entries[:FEW])
            await file_all(database, entries[FEW:])
            many = await pages(database, entries)
    return [
        Line("page of two filters, p95 ms", figures(many[0]), p95(many[0]), MILLISECONDS, at_most=True),
        Line("the same with facets, p95 ms", figures(many[1]), p95(many[1]), MILLISECONDS, at_most=True),
        Line("page at 100,000 against 10,000", figures(few[0]), median(many[0]) / median(few[0]), FLAT, at_most=True),
        Line("facets at 100,000 against 10,000", figures(few[1]), median(many[1]) / median(few[1]), FLAT, at_most=True),
    ]


def an_entry(number: int, chance: random.Random) -> RegisterEntry:
    """Some people and words are in many articles and most in few, as in a parliament."""

    def often(kind: str, count: int, spread: float, most: int) -> tuple[str, ...]:
        return tuple({f"{kind}{min(most, int(chance.expovariate(1 / spread)))}" for _ in range(count)})

    card = {"id": str(number), "title": "会議の要約" * 8, "description": "説明" * 40, "categories": ["財政"]}
    return RegisterEntry(
        id=str(number),
        version=1,
        day=date(1990, 1, 1) + timedelta(days=number * 13_000 // MANY),
        card=msgspec.json.encode(card),
        values={
            "category": tuple(chance.sample([f"分野{item}" for item in range(21)], 3)),
            "person": often("議員", 12, 250, 1500),
            "keyword": often("語", 12, 400, 5000),
            "session": (str(100 + number * 120 // MANY),),
            "house": (chance.choice(["衆議院", "参議院"]),),
            "meeting": (f"委員会{chance.randrange(40)}",),
            "imagekind": ("会議録",),
            "issue": (f"i{number}",),
        },
    )


async def file_all(database: Database, entries: Sequence[RegisterEntry]) -> None:
    for first in range(0, len(entries), BATCH):
        async with database.unit() as unit:
            await register.register_articles(unit, entries[first : first + BATCH])
    async with database.dedicated() as connection:
        await connection.execute("VACUUM (ANALYZE) recap_articles, recap_filed, recap_cards, recap_values")


async def pages(database: Database, entries: Sequence[RegisterEntry]) -> tuple[list[float], list[float]]:
    """Milliseconds for every pair of facets, of values that some article has; without facets and with them."""
    chance = random.Random(11)
    plain: list[float] = []
    counted: list[float] = []
    for _ in range(ROUNDS):
        for item, two in itertools.combinations(FILTERED, 2):
            values = chance.choice(entries).values
            wanted = parse_filter({facet: [chance.choice(values[facet])] for facet in (item, two)})
            start = time.perf_counter()
            async with database.unit() as unit:
                await register_search.find_page(unit, wanted, after=None, limit=20)
            plain.append(1000 * (time.perf_counter() - start))
            async with database.unit() as unit:
                await register_search.count_several(unit, [(wanted, COUNTED)], most=20)
            counted.append(1000 * (time.perf_counter() - start))
    return plain, counted


def p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def median(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]


def figures(times: list[float]) -> str:
    return f"p50 {median(times):.1f}, p95 {p95(times):.1f}, worst {max(times):.1f} ms of {len(times)}"
