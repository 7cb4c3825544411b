"""The first page of the approval queue with 1,000 drafts waiting, as a signed-in person asks for it, in process."""

import asyncio
import gc
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from statistics import quantiles

import httpx
from reminders import in_batches

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.desks.reminders.model.draft import DebtFacts, InvoiceFact
from almanac.desks.reminders.store import table
from almanac.jobs import SCHEMA
from almanac.relational import MIGRATIONS, EmbeddedPostgres, migrate
from almanac.services import Services
from almanac.web.app import create_app
from measure import Line

DRAFTS, CALLS, BAR_MS = 1000, 300, 20.0
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
BASE = "http://bench"
LETTER = "Dear customer,\n\naccording to our records, the following is overdue:\n\n" + "An invoice. " * 80


def lines(folder: Path) -> list[Line]:
    # As root, PostgreSQL runs under an account of its own that must be able to pass through.
    folder.chmod(0o755)
    return asyncio.run(measured(folder))


async def measured(folder: Path) -> list[Line]:
    async with EmbeddedPostgres(folder / "postgres") as url:
        await migrate(url, SCHEMA, MIGRATIONS)
        settings = Settings(
            data=folder / "data", database_url=url, mail_url="memory:", base_url=BASE, rate_limit_per_minute=1_000_000
        )
        async with open_services(settings) as services:
            for some in in_batches(drafts()):
                await services.tables.put_many(some)
            return await asked(services)


async def asked(services: Services) -> list[Line]:
    transport = httpx.ASGITransport(create_app(services, DESKS))
    # As `almanac serve` does once all is built: what stays for ever is not looked through again and again.
    gc.freeze()
    async with httpx.AsyncClient(transport=transport, base_url=BASE, follow_redirects=True) as client:
        user = await accounts.create_user(
            services.accounts, CONSOLE, email="ada@example.org", name="Ada", role=Role.ADMIN
        )
        await client.post((await accounts.issue_sign_in_link(services.accounts, CONSOLE, user.id)).path)
        assert (await client.get("/reminders")).text.count("data-draft=") == 25
        took, busy = [], []
        for _ in range(CALLS):
            begun, begun_busy = time.perf_counter(), time.process_time()
            await client.get("/reminders")
            took.append(1000 * (time.perf_counter() - begun))
            busy.append(1000 * (time.process_time() - begun_busy))
    return [line("queue page of 1,000 drafts, p95 in ms", took), line("of these on the processor, p95 in ms", busy)]


def line(what: str, took: list[float]) -> Line:
    p95 = quantiles(took, n=20)[-1]
    return Line(what, f"{p95:.1f} ms, at best {min(took):.1f} ms", p95, BAR_MS, at_most=True)


def drafts() -> Iterator[object]:
    for number in range(DRAFTS):
        customer, amount = f"customer-{number}", Decimal("120.00")
        fact = InvoiceFact(f"I-{number}", amount, START.date() - timedelta(days=20), 20)
        yield table.EmailDraft(
            customer_id=customer,
            timestamp=START + timedelta(seconds=number),
            customer_name=f"Customer {number}",
            created_date=START + timedelta(seconds=number),
            reminder_type="first",
            email_subject="Payment reminder",
            email_content=LETTER,
            currency="EUR",
            cycle=1,
            recipients=[f"{customer}@example.org"],
            revision=1,
            facts=DebtFacts("EUR", amount, (fact,), "0" * 64),
            written_by="template",
            created_by="automation",
            created_by_name="Automation",
        )
