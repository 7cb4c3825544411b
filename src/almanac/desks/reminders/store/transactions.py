"""Optimistic transactions: version checks, the retry on conflict, and the outbox written with each change.

Events wait in the outbox until the audit log and the webhooks have them.
"""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue, detail_text
from almanac.desks.reminders.model.ladder import Ladder
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.outbox import OutboxEntry
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.ladders import ladder_item
from almanac.errors import Unavailable
from tablature import Ref, Write, at_most, check, create, update
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed, TransactionFailed

T = TypeVar("T")
MAX_ATTEMPTS = 60
_VERSIONED_ENTITIES = (table.Ladder, table.Customer)
_PAUSE_SECONDS = 0.002
_LONGEST_PAUSE_SECONDS = 0.25


class WriteConflict(Exception):
    """Somebody else wrote first; nothing was written."""


async def retry_on_conflict(attempt: Callable[[], Awaitable[T]]) -> T:
    """Read, decide and write, again and again until nobody else writes in between."""
    for turn in range(MAX_ATTEMPTS):
        try:
            return await attempt()
        except WriteConflict:
            longest = min(_PAUSE_SECONDS * 2**turn, _LONGEST_PAUSE_SECONDS)
            await asyncio.sleep(random.uniform(0, longest))  # noqa: S311 - it only keeps writers apart
    raise Unavailable("Too many others change this customer right now; try again in a moment.")


def ladder_write(ladder: Ladder) -> Write[table.Ladder]:
    """The ladder as it shall be, if it still is as it was read."""
    item = ladder_item(ladder)
    return update(item) if ladder.version else create(item)


def customer_check(customer: Customer) -> Write[table.Customer]:
    """Neither the customer nor a hold on them changed since."""
    ref = table.Customer.key(customer_id=customer.id)
    return check(ref, when=table.Customer.version == customer.version)


async def commit(tables: AsyncDatabase, *writes: Write[Any]) -> None:
    """Write all or nothing. A guard that moved is Moved; otherwise the first error of a write is raised."""
    try:
        await tables.transact(*writes)
    except (TransactionFailed, ConditionFailed) as failure:
        errors = failure.errors if isinstance(failure, TransactionFailed) else [failure]
        failed = [(write, error) for write, error in zip(writes, errors, strict=True) if error is not None]
        if any(write.ref.cls in _VERSIONED_ENTITIES and isinstance(error, ConditionFailed) for write, error in failed):
            raise WriteConflict from failure
        raise failed[0][1] from failure


def outbox_writes(notice: OutboxEntry | None) -> list[Write[Any]]:
    """The write that keeps a notice, as part of the transaction that makes its change."""
    if notice is None:
        return []
    deeds = [
        table.OutboxDeed(
            actor_id=deed.actor.id,
            actor_via=deed.actor.via,
            action=deed.action,
            of_kind=deed.subject.type,
            of_id=deed.subject.id,
            why=deed.why,
            detail=detail_text(deed.detail),
        )
        for deed in notice.deeds
    ]
    return [create(table.OutboxItem(notice_id=notice.id, created_at=notice.at, deeds=deeds))]


async def list_pending_outbox(tables: AsyncDatabase, *, until: datetime, limit: int) -> list[OutboxEntry]:
    """Notices that were kept by a moment and not told since, the oldest first."""
    page = await tables.query(table.OutboxItem.untold(created_at=at_most(until)), limit=limit)
    return [_to_outbox_entry(item) for item in page.items]


async def delete_outbox_entries(tables: AsyncDatabase, ids: Sequence[str]) -> None:
    """They are told; removing them twice is fine."""
    told: list[table.OutboxItem | Ref[table.OutboxItem]] = [table.OutboxItem.key(notice_id=one) for one in ids]
    await tables.delete_many(told)


def _to_outbox_entry(item: table.OutboxItem) -> OutboxEntry:
    return OutboxEntry(item.notice_id, item.created_at, tuple(_to_deed(deed) for deed in item.deeds))


def _to_deed(kept: table.OutboxDeed) -> AuditAction:
    detail: dict[str, DetailValue] = json.loads(kept.detail)
    return AuditAction(
        Actor(kept.actor_id, kept.actor_via), kept.action, AuditSubject(kept.of_kind, kept.of_id), kept.why, detail
    )
