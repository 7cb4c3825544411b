"""Erasing a customer's personal data, and removing demo customers completely."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from almanac.desks.reminders.model.ladder import UNSENT_STATES, Ladder, LadderRules
from almanac.desks.reminders.model.ledger import ERASED_NAME, Customer
from almanac.desks.reminders.model.transitions import cancel
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.drafts import change_draft, list_customer_drafts
from almanac.desks.reminders.store.ladders import list_ladders
from almanac.desks.reminders.store.ledger import customer_item
from almanac.desks.reminders.store.ledger_queries import get_customer, list_customer_holds
from almanac.desks.reminders.store.transactions import commit
from almanac.errors import Conflict
from almanac.kit.messages import gettext
from almanac.kit.retry import retry_on_conflict
from tablature import check, update
from tablature.async_database import AsyncDatabase

_ERASED_TEXT = "Erased on request."


async def erase_customer(tables: AsyncDatabase, customer_id: str, *, rules: LadderRules, now: datetime) -> Customer:
    """Erase everything personal; it can be repeated. Conflict while a reminder is being sent or in doubt.

    The profile is erased first, so that nobody drafts or sends for the customer meanwhile.
    """
    await retry_on_conflict(lambda: _erase_profile(tables, customer_id, now))
    await _erase_drafts(tables, customer_id, rules, now)
    await _erase_sent(tables, customer_id)
    await _erase_notes(tables, customer_id)
    return await get_customer(tables, customer_id)


async def _erase_profile(tables: AsyncDatabase, customer_id: str, now: datetime) -> None:
    """Checks the ladders' versions in the same transaction, so that no sending starts in between."""
    ladders, customer = await require_settled(tables, customer_id), await get_customer(tables, customer_id)
    erased = replace(
        Customer(id=customer.id, name=ERASED_NAME, never_remind=True, opted_out=customer.opted_out),
        version=customer.version,
        created_at=customer.created_at,
        erased_at=customer.erased_at or now.replace(microsecond=0),
    )
    checks = [
        check(
            table.LadderItem.key(customer_id=customer_id, currency=ladder.currency),
            when=table.LadderItem.version == ladder.version,
        )
        for ladder in ladders
    ]
    await commit(tables, update(customer_item(erased)), *checks)


async def require_settled(tables: AsyncDatabase, customer_id: str) -> list[Ladder]:
    """The customer's ladders. Conflict if a reminder is being sent or in doubt."""
    ladders = await list_ladders(tables, customer_id)
    for ladder in ladders:
        if ladder.open is not None and ladder.open.state not in UNSENT_STATES:
            raise Conflict(
                gettext(
                    "A reminder to this customer is %(state)s; resolve it first, then erase.", state=ladder.open.state
                )
            )
    return ladders


async def _erase_drafts(tables: AsyncDatabase, customer_id: str, rules: LadderRules, now: datetime) -> None:
    for draft in await list_customer_drafts(tables, customer_id):
        if draft.state in UNSENT_STATES and draft.currency is not None:
            await change_draft(tables, draft.id, lambda current, _: cancel(current, _ERASED_TEXT), rules=rules, now=now)
    query = table.EmailDraft.of_customer(customer_id=customer_id)
    async for item in tables.each(query):
        if item.status not in ("sending", "unknown"):
            await tables.delete(item)


async def _erase_sent(tables: AsyncDatabase, customer_id: str) -> None:
    async for item in tables.each(table.SentEmail.history(customer_id=customer_id)):
        words: dict[str, Any] = {"email_subject": ERASED_NAME, "email_content": _ERASED_TEXT, "delivery": None}
        await tables.patch(item, **words)
        copy = table.SentCopy.key(customer_id=customer_id, timestamp=item.timestamp, reminder_type=item.reminder_type)
        await tables.delete(copy)


async def _erase_notes(tables: AsyncDatabase, customer_id: str) -> None:
    for hold in await list_customer_holds(tables, customer_id):
        if hold.note:
            await tables.patch(table.HoldItem.key(customer_id=customer_id, hold_id=hold.id), note=None)
    async for payment in tables.each(table.PaymentItem.of_customer(customer_id=customer_id)):
        if payment.note:
            await tables.patch(payment, note=None)
    async for invoice in tables.each(table.Invoice.of_customer(customer_id=customer_id)):
        if invoice.dispute_note:
            await tables.patch(invoice, dispute_note=None)


async def remove_customer(tables: AsyncDatabase, customer_id: str) -> None:
    """Delete all items of a customer, the profile last; it can be repeated."""
    queries: tuple[Any, ...] = (
        table.EmailDraft.of_customer(customer_id=customer_id),
        table.PaymentItem.of_customer(customer_id=customer_id),
        table.HoldItem.of_customer(customer_id=customer_id),
        table.Invoice.of_customer(customer_id=customer_id),
        table.LadderItem.of_customer(customer_id=customer_id),
    )
    async for sent in tables.each(table.SentEmail.history(customer_id=customer_id)):
        copy = table.SentCopy.key(customer_id=customer_id, timestamp=sent.timestamp, reminder_type=sent.reminder_type)
        await tables.delete(copy)
        await tables.delete(sent)
    for query in queries:
        for item in [stored async for stored in tables.each(query)]:
            await tables.delete(item)
    await tables.delete(table.CustomerItem.key(customer_id=customer_id))
