"""Every read and write of the audit log, by name."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from almanac.audit.model import (
    ActionSummary,
    AuditAction,
    AuditEntry,
    AuditFilter,
    AuditSubject,
    detail_text,
    entry_digest,
)
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True)
class ChainHead:
    """Where the chain ends according to its own account."""

    position: int
    hash: str


async def append_entry(unit: Unit, deed: AuditAction, *, entry_id: str, at: datetime, request_id: str | None) -> bool:
    """Write one entry in the caller's transaction; False where its id is there already."""
    detail_json = detail_text(deed.detail)
    digest = entry_digest(
        entry_id=entry_id,
        recorded_at=at,
        actor=deed.actor,
        action=deed.action,
        subject=deed.subject,
        why=deed.why,
        request_id=request_id,
        detail_json=detail_json,
    )
    row = {
        "id": entry_id,
        "recorded_at": at,
        "actor_id": deed.actor.id,
        "actor_via": deed.actor.via,
        "action": deed.action,
        "object_type": deed.subject.type,
        "object_id": deed.subject.id,
        "why": deed.why,
        "request_id": request_id,
        "detail_json": detail_json,
        "digest": digest,
    }
    return await unit.execute(QUERIES["append_entry"], row) == 1


async def list_entries(unit: Unit, wanted: AuditFilter, *, before: int | None, limit: int) -> list[AuditEntry]:
    """Newest entries before a position."""
    params = {**asdict(wanted), "before": before, "limit": limit}
    return await unit.all(QUERIES["list_entries"], params, into=AuditEntry)


async def list_export_entries(
    unit: Unit, wanted: AuditFilter, *, after: int, upto: int, limit: int
) -> list[AuditEntry]:
    """The next entries of an export, in order."""
    params = {**asdict(wanted), "after": after, "upto": upto, "limit": limit}
    return await unit.all(QUERIES["export_entries"], params, into=AuditEntry)


async def list_entries_after(unit: Unit, after: int, *, limit: int) -> list[AuditEntry]:
    """The next piece of the chain, in order."""
    return await unit.all(QUERIES["entries_after"], {"after": after, "limit": limit}, into=AuditEntry)


async def get_chain_head(unit: Unit) -> ChainHead:
    """Where the chain ends according to its own account."""
    head = await unit.one(QUERIES["chain_head"], into=ChainHead)
    return head or ChainHead(position=-1, hash="")


async def list_names(unit: Unit, ids: Iterable[str]) -> dict[str, str]:
    """What people are called, by id; ids of anything else are left out."""
    rows = await unit.all(QUERIES["list_names"], {"ids": sorted(ids)})
    return {str(row["id"]): str(row["name"]) for row in rows}


async def list_actions(unit: Unit) -> list[str]:
    """Every kind of action that ever happened."""
    return [str(row["action"]) for row in await unit.all(QUERIES["list_actions"])]


async def summarize_actions(
    reading: ReadTransaction,
    since: datetime,
    until: datetime,
    *,
    open_actions: Sequence[str],
    actions: Sequence[str],
    actor_id: str | None,
) -> list[ActionSummary]:
    """What was done between two moments, the latest first; of `actions` only what the actor did, if one is given."""
    asked = {
        "since": since,
        "until": until,
        "open_actions": list(open_actions),
        "actions": list(actions),
        "actor_id": actor_id,
    }
    return await reading.all(QUERIES["summarize_actions"], asked, into=ActionSummary)


async def list_actors(unit: Unit) -> dict[str, str]:
    """Everybody who ever did something, by id; without a name where it isn't a person."""
    return {str(row["actor_id"]): str(row["name"] or "") for row in await unit.all(QUERIES["list_actors"])}


async def list_subject_names(unit: Unit, ids: Iterable[str]) -> dict[AuditSubject, str]:
    """What things of the platform are called now; what is gone is left out."""
    rows = await unit.all(QUERIES["list_subject_names"], {"ids": sorted(ids)})
    return {AuditSubject(str(row["kind"]), str(row["id"])): str(row["name"]) for row in rows}
