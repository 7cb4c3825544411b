"""Notices in the table: written with the change that they tell of, removed once they are told."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from almanac.audit.model import Actor, Deed, DetailValue, Subject, detail_text
from almanac.desks.reminders import table
from almanac.desks.reminders.model.notice import Notice
from tablature import Ref, Write, at_most, create
from tablature.async_database import AsyncDatabase


def notice_writes(notice: Notice | None) -> list[Write[Any]]:
    """The write that keeps a notice, as part of the transaction that makes its change."""
    if notice is None:
        return []
    deeds = [
        table.NoticedDeed(
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
    return [create(table.Notice(notice_id=notice.id, created_at=notice.at, deeds=deeds))]


async def untold_notices(tables: AsyncDatabase, *, until: datetime, limit: int) -> list[Notice]:
    """Notices that were kept by a moment and not told since, the oldest first."""
    page = await tables.query(table.Notice.untold(created_at=at_most(until)), limit=limit)
    return [_notice(item) for item in page.items]


async def remove_notices(tables: AsyncDatabase, ids: Sequence[str]) -> None:
    """They are told; removing them twice is fine."""
    told: list[table.Notice | Ref[table.Notice]] = [table.Notice.key(notice_id=one) for one in ids]
    await tables.delete_many(told)


def _notice(item: table.Notice) -> Notice:
    return Notice(item.notice_id, item.created_at, tuple(_deed(deed) for deed in item.deeds))


def _deed(kept: table.NoticedDeed) -> Deed:
    detail: dict[str, DetailValue] = json.loads(kept.detail)
    return Deed(Actor(kept.actor_id, kept.actor_via), kept.action, Subject(kept.of_kind, kept.of_id), kept.why, detail)
