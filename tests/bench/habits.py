"""The habits desk: a leaderboard of a million people, a dashboard, ten years of a habit, and completions."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from almanac.desks.habits.model.history import HabitHistory, HabitRule
from almanac.desks.habits.model.stats import compute_stats
from almanac.desks.habits.store import items, table
from measure import Line
from tablature.async_database import AsyncDatabase
from tablature.engine.encoding.values import item_size
from tablature.engine.engine import Engine
from tablature.engine.storage import Transaction
from tablature.engine.storage.layout import encode_item
from tablature.operations.items import build_item
from tablature.transport.embedded import Embedded

FEW, MANY, CHUNK = 1_000, 1_000_000, 50_000
ROUNDS = 200
TODAY = date(2026, 3, 2)


def lines(folder: Path) -> list[Line]:
    few, _ = asyncio.run(measured(folder / "few.db", FEW))
    many, dashboard = asyncio.run(measured(folder / "many.db", MANY))
    years = ten_years()
    return [
        Line(f"top 10 of {MANY:,} people, ms", f"{many:.2f} ms", many, 10, at_most=True),
        Line(f"the same against {FEW:,} people", f"{few:.2f} and {many:.2f} ms", many / few, 1.5, at_most=True),
        Line("dashboard of 20 habits, ms", f"{dashboard:.2f} ms", dashboard, 5, at_most=True),
        Line("standing after ten years of days, ms", f"{years:.2f} ms", years, 10, at_most=True),
    ]


async def measured(file: Path, people: int) -> tuple[float, float]:
    """Milliseconds for the top ten and for one dashboard."""
    with Embedded(file) as transport:
        tables = AsyncDatabase(transport)
        await tables.admin.create_table(table.habits)
        load(transport.engine, tables, people)
        for number in range(20):
            await tables.put(table.Streak(user_id="u7", habit_id=f"h{number}", current_streak=number))
            await tables.put(table.Achievement(user_id="u7", type=f"streak_7:h{number}", description="Seven days"))
        top = await best(lambda: items.list_top_users(tables, 10))
        return top, await best(lambda: items.read_dashboard(tables, "u7"))


def load(engine: Engine, tables: AsyncDatabase, people: int) -> None:
    """Past the engine's calls, in a few large transactions: a call for each person would take an hour."""
    there = engine.storage.table(table.habits.name)
    assert there is not None
    (index,) = there.indexes
    for start in range(0, people, CHUNK):

        def fill(transaction: Transaction, start: int = start) -> None:
            made = [entry(tables, number) for number in range(start, min(start + CHUNK, people))]
            places = [there.key_of(item) for item in made]
            rows = [(*place, item_size(item), encode_item(item)) for place, item in zip(places, made, strict=True)]
            transaction.connection.executemany(there.upsert, rows)
            listed = [index.key_of(item, place) for item, place in zip(made, places, strict=True)]
            transaction.connection.executemany(index.insert, listed)

        engine.storage.write(fill)


def entry(tables: AsyncDatabase, number: int) -> dict[str, object]:
    points = number * 7919 % 1_000_003
    person = table.UserStats(user_id=f"u{number}", username=f"User {number}", total_points=points)
    return build_item(tables.context, person, None, {})


async def best(work: Callable[[], Awaitable[object]]) -> float:
    """The best of many rounds, in milliseconds: noise only ever slows down."""
    shortest = float("inf")
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        await work()
        shortest = min(shortest, time.perf_counter() - begun)
    return shortest * 1000


def ten_years() -> float:
    first = TODAY - timedelta(days=3652)
    log = {first + timedelta(days=number): Decimal(1) for number in range(3653) if number % 97}
    history, shortest = HabitHistory(rules=(HabitRule(first),), log=log), float("inf")
    for _ in range(30):
        begun = time.process_time()
        compute_stats(history, TODAY)
        shortest = min(shortest, time.process_time() - begun)
    return shortest * 1000
