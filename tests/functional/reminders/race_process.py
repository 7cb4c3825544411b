"""A process that approves and sends as fast as it can: `race_process.py <settings as JSON>`, with calls on standard
input.

It prints the number of each finished call, so that it can be killed and another process can continue.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks.reminders import service
from almanac.desks.reminders.pipeline.dispatch import advance_draft
from almanac.desks.reminders.store.drafts import iterate_drafts
from almanac.errors import AlmanacError
from almanac.mail.claims import SendPolicy
from almanac.mail.message import Address
from almanac.mail.service import Mailer
from almanac.mail.suppression import UnsubscribeLinks
from almanac.services import Services

AT_ONCE = 25
PEOPLE = 5
# A sender that is silent for longer than a send can take is gone, as in the product, only sooner.
QUICK = SendPolicy(send_seconds=2, lease_seconds=4, attempts=8, first_wait_seconds=0.1, longest_wait_seconds=0.5)


@asynccontextmanager
async def racing(wanted: dict[str, str]) -> AsyncIterator[Services]:
    """The product's services, with a mailer that doesn't wait for minutes."""
    settings = Settings(
        data=Path(wanted["data"]),
        database_url=wanted["database_url"],
        mail_url=wanted["mail_url"],
        dynamodb_endpoint=wanted["tables_url"],
        dynamodb_region="us-east-1",
    )
    async with open_services(settings) as services:
        mailer = Mailer(
            services.database,
            services.mail_transport,
            clock=services.clock,
            sender=Address("desk@example.org"),
            links=UnsubscribeLinks(b"k" * 32, "https://almanac.example.org"),
            policy=QUICK,
        )
        yield replace(services, mailer=mailer)


async def approve_and_send(services: Services, call: dict[str, Any]) -> None:
    """One of many people who click on the same draft at the same time."""
    number = call["number"] % PEOPLE
    by = Principal(user_id=f"p{number}", name=f"P{number}", email="p@example.org", role=Role.ADMIN, via="session")
    for verb in (_approve, _send):
        with suppress(AlmanacError):
            await verb(services, by, call)


async def _approve(services: Services, by: Principal, call: dict[str, Any]) -> None:
    await service.approve_draft(services, by, call["draft"], seen=call["seen"], send_after=timedelta())


async def _send(services: Services, by: Principal, call: dict[str, Any]) -> None:
    await service.send_draft(services, by, call["draft"])


async def keep_up(services: Services) -> int:
    """What the schedules of mail and reminders do every minute; returns how many reminders are still under way."""
    await services.mailer.reconcile()
    await services.mailer.deliver_due()
    under_way = [draft async for draft in iterate_drafts(services.tables, "sending")]
    approved = [draft async for draft in iterate_drafts(services.tables, "approved")]
    for draft in (*under_way, *approved):
        await advance_draft(services, draft)
    return len(under_way) + len(approved)


async def main() -> None:
    calls = json.load(sys.stdin)
    gate = asyncio.Semaphore(AT_ONCE)
    async with racing(json.loads(sys.argv[1])) as services:

        async def one(call: dict[str, Any]) -> None:
            async with gate:
                await approve_and_send(services, call)
            print(call["number"], flush=True)

        await asyncio.gather(*map(one, calls))


if __name__ == "__main__":
    asyncio.run(main())
