"""Optimistic transactions: version checks, the retry on conflict, and the outbox written with each change.

Events wait in the outbox until the audit log and the webhooks have them.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue, detail_text
from almanac.desks.reminders.model.ladder import Ladder
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.outbox import OutboxEntry
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.ladders import ladder_item
from almanac.kit.retry import WriteConflict
from tablature import Ref, Write, at_most, check, create, update
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed, TransactionFailed

_VERSIONED_ENTITIES = (table.LadderItem, table.CustomerItem)


def ladder_write(ladder: Ladder) -> Write[table.LadderItem]:
    """A write of the ladder that fails if it changed since it was read."""
    item = ladder_item(ladder)
    return update(item) if ladder.version else create(item)


def customer_check(customer: Customer) -> Write[table.CustomerItem]:
    """Fails if the customer or one of their holds changed since."""
    ref = table.CustomerItem.key(customer_id=customer.id)
    return check(ref, when=table.CustomerItem.version == customer.version)


async def commit(tables: AsyncDatabase, *writes: Write[Any]) -> None:
    """Write all or nothing. WriteConflict if a ladder or customer changed; otherwise the first error is raised."""
    try:
        await tables.transact(*writes)
    except (TransactionFailed, ConditionFailed) as failure:
        errors = failure.errors if isinstance(failure, TransactionFailed) else [failure]
        failed = [(write, error) for write, error in zip(writes, errors, strict=True) if error is not None]
        if any(write.ref.cls in _VERSIONED_ENTITIES and isinstance(error, ConditionFailed) for write, error in failed):
            raise WriteConflict from failure
        raise failed[0][1] from failure


def outbox_writes(entry: OutboxEntry | None) -> list[Write[Any]]:
    """The write that stores an outbox entry in the transaction of its change."""
    if entry is None:
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
        for deed in entry.deeds
    ]
    return [create(table.OutboxItem(notice_id=entry.id, created_at=entry.at, deeds=deeds))]


async def list_pending_outbox(tables: AsyncDatabase, *, until: datetime, limit: int) -> list[OutboxEntry]:
    """Entries stored by a moment and not published since, the oldest first."""
    page = await tables.query(table.OutboxItem.untold(created_at=at_most(until)), limit=limit)
    return [_to_outbox_entry(item) for item in page.items]


async def delete_outbox_entries(tables: AsyncDatabase, ids: Sequence[str]) -> None:
    """Delete published entries; deleting them twice is fine."""
    refs: list[table.OutboxItem | Ref[table.OutboxItem]] = [
        table.OutboxItem.key(notice_id=entry_id) for entry_id in ids
    ]
    await tables.delete_many(refs)


def _to_outbox_entry(item: table.OutboxItem) -> OutboxEntry:
    return OutboxEntry(item.notice_id, item.created_at, tuple(_to_deed(deed) for deed in item.deeds))


def _to_deed(stored: table.OutboxDeed) -> AuditAction:
    detail: dict[str, DetailValue] = json.loads(stored.detail)
    return AuditAction(
        Actor(stored.actor_id, stored.actor_via),
        stored.action,
        AuditSubject(stored.of_kind, stored.of_id),
        stored.why,
        detail,
    )
