"""What actions cost as data grows: the same actions in one installation of a thousand up to a million items.

Work is counted, not timed: table calls and units, statements, and the rows and blocks that PostgreSQL reads for them.
"""

import argparse
import asyncio
import gc
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from capacity import SITTINGS, do_everything
from content import bring_stories, publish_sittings
from counting import Statement, Work, counting
from documented import write_block
from filling import Items, fill_items, fill_relational, items_with
from psycopg import AsyncConnection
from served_here import CountedPerson, counted_person, opened, serving
from writing import approve_draft, complete_habit, draft_reminder, settle_in

from almanac.bootstrap import make_worker
from almanac.kit.clock import FixedClock
from almanac.services import Services
from tablature.engine.engine import Engine

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
FLAT = 1.5
FEW_ROWS, FEW_BLOCKS = 200, 100
COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)
WRITES = ("pg_notify", "FOR UPDATE", "FOR SHARE", "INSERT", "UPDATE", "DELETE", "procrastinate_")


@dataclass(frozen=True)
class Cost:
    """The work of one action at one size."""

    calls: int
    units: float
    statements: int
    rows: float
    blocks: float
    milliseconds: float

    def stays_near(self, other: "Cost") -> bool:
        """Whether this is as much work as the other, or so little that it makes no difference."""
        return all(
            (
                self.calls <= FLAT * other.calls,
                self.units <= FLAT * other.units,
                self.statements <= FLAT * other.statements,
                self.rows <= max(FLAT * other.rows, FEW_ROWS),
                self.blocks <= max(FLAT * other.blocks, FEW_BLOCKS),
            )
        )


Costs = Mapping[str, Cost]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=6, help="the power of ten to end with")
    parser.add_argument("--write", action="store_true", help="write the table into docs/reference/load.md")
    options = parser.parse_args()
    # As `almanac` does once its modules are loaded: what stays for ever is not looked through again and again.
    gc.freeze()
    with tempfile.TemporaryDirectory(prefix="almanac-growth-", ignore_cleanup_errors=True) as folder:
        # As root, PostgreSQL runs under an account of its own that must be able to pass through.
        Path(folder).chmod(0o755)
        sizes = [10**power for power in range(3, options.largest + 1)]
        text = table(asyncio.run(measured(Path(folder) / "data", sizes)))
    sys.stdout.write(text)
    if options.write:
        write_block("growth", text)
    return 0


async def measured(folder: Path, sizes: list[int]) -> dict[int, Costs]:
    async with opened(folder, None, FixedClock(NOON)) as services:
        await bring_stories(services)
        await publish_sittings(services, SITTINGS)
        with counting(services) as meter:
            async with serving(services) as url:
                async with counted_person(services, meter, url, name="original") as original:
                    templates = await made_by(services, original)
                async with counted_person(services, meter, url) as person:
                    await settle_in(person)
                    return await at_sizes(services, person, templates, sizes)


async def at_sizes(
    services: Services, person: CountedPerson, templates: list[Items], sizes: list[int]
) -> dict[int, Costs]:
    results: dict[int, Costs] = {}
    reached = 0
    for size in sizes:
        await grow(services, templates, reached, size)
        reached = size
        await do_everything(person, rounds=1)
        async with services.database.dedicated() as connection:
            results[size] = {name: await cost(connection, work) for name, work in person.asked.items()}
        sys.stderr.write(f"{size:,} items:\n{table(results)}\n")
    return results


async def made_by(services: Services, person: CountedPerson) -> list[Items]:
    """What somebody made at each desk that has a table, to be copied under other ids."""
    await settle_in(person)
    for do in (complete_habit, draft_reminder, draft_reminder, approve_draft):
        await do(person)
    await make_worker(services).drain()
    engine, settings = services.engine, services.settings
    assert engine is not None
    (code,), (draft, *_) = person.newsletters, person.drafts
    customer = draft.rpartition("_")[2]
    me = person.user_id
    return [
        Items(
            settings.newsletter_table,
            items_with(engine, settings.newsletter_table, code),
            lambda n: {code: f"NL-{20300000 + n // 10_000}-{n % 10_000:04}", me: f"made{n % 4000}"},
        ),
        Items(settings.habits_table, items_with(engine, settings.habits_table, me), lambda n: {me: f"made{n}"}),
        Items(
            settings.email_tracking_table,
            items_with(engine, settings.email_tracking_table, customer),
            lambda n: {customer: f"made{n}"},
        ),
        Items(
            settings.articles_table,
            items_with(engine, settings.articles_table, person.world.articles[0]),
            lambda n: {person.world.articles[0]: f"made{n}"},
        ),
    ]


async def grow(services: Services, templates: list[Items], reached: int, size: int) -> None:
    """So many rows in every PostgreSQL table that grows, and so many items in every table of the tables' service."""
    await asyncio.gather(
        fill_relational(services.database, reached, size),
        asyncio.to_thread(grow_tables, services.engine, templates, reached, size),
    )


def grow_tables(engine: Engine | None, templates: list[Items], reached: int, size: int) -> None:
    assert engine is not None
    for items in templates:
        each = len(items.items)
        fill_items(engine, items, reached // each, size // each)


async def cost(connection: AsyncConnection[Any], work: Work) -> Cost:
    """The work with what PostgreSQL reads for its statements, by having them explained."""
    rows = blocks = 0.0
    # In one transaction, since some say to the following how they are to be planned.
    async with connection.transaction(force_rollback=True):
        for statement in work.statements:
            read = await explained(connection, statement)
            rows, blocks = rows + read[0], blocks + read[1]
    units = work.read_units + work.write_units
    return Cost(work.calls, units, len(work.statements), rows, blocks, 1000 * work.seconds)


async def explained(connection: AsyncConnection[Any], statement: Statement) -> tuple[float, float]:
    """Rows looked at and blocks touched by a statement that only reads; nothing for another."""
    sql, params = statement
    text = COMMENT.sub("", sql if isinstance(sql, str) else sql.as_string(None)).strip()
    if not text.lower().startswith(("select", "with")) or any(word in text for word in WRITES):
        return 0.0, 0.0
    answer = await connection.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {text}", params)  # type: ignore[arg-type]  # the product's own text
    (((explanation,),),) = await answer.fetchall()
    plan = explanation["Plan"]
    return rows_of(plan), plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


def rows_of(plan: Mapping[str, Any]) -> float:
    """Rows that scans of tables and indexes looked at, those that they threw away too."""
    below = sum(rows_of(part) for part in plan.get("Plans", ()))
    if "Scan" not in plan["Node Type"]:
        return below
    looked_at = (
        plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
    )
    return below + looked_at * plan["Actual Loops"]


def table(costs: Mapping[int, Costs]) -> str:
    """The smallest and the largest side by side, and what is not flat."""
    small, large = min(costs), max(costs)
    head = [
        f"Each figure at {small:,} and at {large:,} items: rows in each PostgreSQL table, items in each of the tables.",
        "",
        "| action | calls | units | statements | rows read | blocks | processor ms | flat |",
        "|---" * 8 + "|",
    ]
    return "\n".join([*head, *(row(name, costs[small][name], costs[large][name]) for name in sorted(costs[small])), ""])


def row(name: str, small: Cost, large: Cost) -> str:
    pairs = [
        (small.calls, large.calls),
        (small.units, large.units),
        (small.statements, large.statements),
        (small.rows, large.rows),
        (small.blocks, large.blocks),
        (small.milliseconds, large.milliseconds),
    ]
    figures = " | ".join(f"{before:.4g} → {after:.4g}" for before, after in pairs)
    return f"| {name} | {figures} | {'yes' if large.stays_near(small) else '**no**'} |"


if __name__ == "__main__":
    sys.exit(main())
