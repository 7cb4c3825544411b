"""Reports over the ledger and what was sent, for those who may read it."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.ledger import Payment
from almanac.desks.reminders.model.reports import Ageing, Recovered, TimeToPay, ageing, recovered, time_to_pay
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.sending.deciding import READ, rules_of
from almanac.desks.reminders.store.whole import each_invoice
from almanac.errors import InputError
from almanac.services import Services

_AT_A_TIME = 50


async def ageing_report(services: Services, by: Principal, today: date | None = None) -> list[Ageing]:
    """What is open by currency and age, today on the installation's calendar unless said."""
    by.require(READ)
    day = today or services.clock.now().astimezone((await rules_of(services)).zone()).date()
    return ageing([invoice async for invoice in each_invoice(services.tables, "open")], day)


async def recovered_report(services: Services, by: Principal, since: datetime, until: datetime) -> list[Recovered]:
    """What came in after the reminders that were sent in a range of time, by level, template and currency."""
    by.require(READ)
    sent = await _sent_between(services, since, until)
    return recovered(sent, await _payments_of(services, sorted({one.customer_id for one in sent})))


async def time_to_pay_report(services: Services, by: Principal, since: datetime, until: datetime) -> list[TimeToPay]:
    """How late invoices were paid that were settled in a range of time."""
    by.require(READ)
    _check_range(since, until)
    return time_to_pay([invoice async for invoice in each_invoice(services.tables, "paid")], since, until)


async def _sent_between(services: Services, since: datetime, until: datetime) -> list[SentReminder]:
    _check_range(since, until)
    found: list[SentReminder] = []
    cursor: str | None = None
    while True:
        page = await store.list_sent(services.tables, since, until, limit=100, cursor=cursor)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found


async def _payments_of(services: Services, customers: Sequence[str]) -> dict[str, list[Payment]]:
    found: dict[str, list[Payment]] = defaultdict(list)
    for start in range(0, len(customers), _AT_A_TIME):
        some = customers[start : start + _AT_A_TIME]
        payments = await asyncio.gather(*(store.payments_of(services.tables, customer) for customer in some))
        found.update(zip(some, payments, strict=True))
    return found


def _check_range(since: datetime, until: datetime) -> None:
    if since.tzinfo is None or until.tzinfo is None:
        raise InputError("Give moments with their time zone, such as 2025-09-21T00:00:00Z.")
    if until <= since:
        raise InputError("The range ends before it begins; change places.")
