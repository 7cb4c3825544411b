"""The plan of a day over 10,000 customers and 30,000 open invoices on the embedded table, read and decided whole."""

import asyncio
import random
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from almanac.desks.reminders.model.ladder import DEFAULT_RULES, SentMark
from almanac.desks.reminders.model.plan import ReminderPlan
from almanac.desks.reminders.pipeline.plan import plan_snapshot
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.ladders import read_ledger_snapshot
from measure import Line
from tablature.async_database import AsyncDatabase
from tablature.transport.embedded import Embedded

CUSTOMERS, INVOICES, BATCH, ROUNDS = 10_000, 30_000, 500, 3
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
TODAY = date(2026, 3, 2)


def lines(folder: Path) -> list[Line]:
    return asyncio.run(measured(folder))


async def measured(folder: Path) -> list[Line]:
    with Embedded(folder / "tables.db") as transport:
        tables = AsyncDatabase(transport)
        await tables.admin.create_table(table.email_tracking)
        for some in in_batches(content()):
            await tables.put_many(some)
        seconds, busy, plan = [], [], None
        for _ in range(ROUNDS):
            begun, begun_busy = time.perf_counter(), time.process_time()
            plan = await plan_once(tables)
            seconds.append(time.perf_counter() - begun)
            busy.append(time.process_time() - begun_busy)
    assert plan is not None
    assert len(plan.lines) >= CUSTOMERS
    figures = f"{min(seconds):.2f} s, {len(plan.going_out):,} of {len(plan.lines):,} go out"
    return [
        Line("plan of a day, s", figures, min(seconds), 5, at_most=True),
        Line("of these on the processor, s", f"{min(busy):.2f} s", min(busy), 5, at_most=True),
    ]


async def plan_once(tables: AsyncDatabase) -> ReminderPlan:
    ledger = await read_ledger_snapshot(tables, gaps_since=NOW - timedelta(days=DEFAULT_RULES.longest_gap_days))
    return plan_snapshot(ledger, DEFAULT_RULES, NOW + timedelta(days=1))


def in_batches(entities: Iterator[object]) -> Iterator[list[object]]:
    batch: list[object] = []
    for entity in entities:
        batch.append(entity)
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch


def content() -> Iterator[object]:
    """Customers with three invoices each in one of two currencies, half of them reminded before, some on hold."""
    chance = random.Random(7)
    for number in range(CUSTOMERS):
        name, currency = f"customer-{number}", chance.choice(("EUR", "USD"))
        yield table.CustomerItem(
            customer_id=name,
            name=f"Customer {number}",
            sort_name=f"customer {number}",
            email=f"{name}@example.org",
            created_at=NOW,
        )
        for invoice in range(INVOICES // CUSTOMERS):
            yield table.Invoice(
                customer_id=name,
                number=f"INV-{number}-{invoice}",
                amount=Decimal(chance.randint(100, 99_999)) / 100,
                currency=currency,
                due=TODAY - timedelta(days=chance.randint(-20, 120)),
            )
        if chance.random() < 0.5:
            mark = SentMark(f"20260201_000000_{name}", 1, NOW - timedelta(days=chance.randint(1, 30)))
            yield table.LadderItem(customer_id=name, currency=currency, sent={"first": mark})
        if chance.random() < 0.05:
            yield table.HoldItem(customer_id=name, hold_id="h1", kind="pause", until=TODAY + timedelta(days=5))
