"""The verbs of the audit log: record in the caller's transaction, list, and verify the chain."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import asdict, replace
from datetime import datetime

from almanac.audit import store
from almanac.audit.export import ExportForm, write_entry, write_header
from almanac.audit.model import (
    GENESIS,
    ActionSummary,
    Actor,
    AuditAction,
    AuditEntry,
    AuditFilter,
    AuditSubject,
    ChainReport,
    check_links,
)
from almanac.errors import InputError
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.logs import request_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page, decode_cursor
from almanac.kit.text import storable
from almanac.relational import Database, Unit

CHECKED_AT_A_TIME = 1000
EXPORTED_AT_A_TIME = 1000


async def record(unit: Unit, clock: Clock, deed: AuditAction) -> str:
    """Write what was done, with the id of the request it was done in; returns the entry's id."""
    entry_id = new_id()
    deed = replace(deed, why=storable(deed.why))
    await store.append_entry(unit, deed, entry_id=entry_id, at=clock.now(), request_id=request_id.get())
    return entry_id


async def record_once(unit: Unit, clock: Clock, deed: AuditAction, *, entry_id: str) -> bool:
    """Write what was done under an id that the caller keeps; False where it was written before."""
    deed = replace(deed, why=storable(deed.why))
    return await store.append_entry(unit, deed, entry_id=entry_id, at=clock.now(), request_id=request_id.get())


async def list_entries(
    database: Database, wanted: AuditFilter, *, key: bytes, cursor: str | None = None, limit: int = 50
) -> Page[AuditEntry]:
    """Newest first. The cursor belongs to this filter and can't be forged without the key."""
    name = f"audit {sorted((k, str(v)) for k, v in asdict(wanted).items())}"
    before = _position(cursor, name, key) if cursor else None
    if any(isinstance(value, str) and value != storable(value) for value in asdict(wanted).values()):
        return Page()
    async with database.unit() as unit:
        entries = await store.list_entries(unit, wanted, before=before, limit=limit + 1)
    return build_page(entries, limit, lambda entry: [entry.position], of=name, key=key)


async def list_names(database: Database, entries: Iterable[AuditEntry]) -> dict[str, str]:
    """What the people are called whom these entries are by or about, by id."""
    async with database.unit() as unit:
        return await store.list_names(unit, _ids_of(entries))


def _ids_of(entries: Iterable[AuditEntry]) -> set[str]:
    return {person for entry in entries for person in (entry.actor_id, entry.object_id)}


async def begin_export(
    database: Database, clock: Clock, by: Actor, wanted: AuditFilter, form: ExportForm
) -> AsyncIterator[str]:
    """The lines of a file with everything up to now that fits the filter. The export itself is recorded first."""
    if any(isinstance(value, str) and value != storable(value) for value in asdict(wanted).values()):
        raise InputError(gettext("This filter has characters that no entry can have."))
    async with database.unit() as unit:
        head = await store.get_chain_head(unit)
        detail = {name: str(value) for name, value in asdict(wanted).items() if value is not None}
        deed = AuditAction(by, "audit.exported", AuditSubject("audit", form), detail={"form": form, **detail})
        await record(unit, clock, deed)
    return _export_lines(database, wanted, form, head.position)


async def _export_lines(database: Database, wanted: AuditFilter, form: ExportForm, upto: int) -> AsyncIterator[str]:
    """Reads in pieces, each in a transaction of its own, so that a slow reader holds no connection."""
    if header := write_header(form):
        yield header
    after = 0
    while True:
        async with database.unit() as unit:
            piece = await store.list_export_entries(unit, wanted, after=after, upto=upto, limit=EXPORTED_AT_A_TIME)
            names = await store.list_names(unit, _ids_of(piece)) if form == "csv" else {}
        if piece:
            yield "".join(write_entry(entry, form, names) for entry in piece)
        if len(piece) < EXPORTED_AT_A_TIME:
            return
        after = piece[-1].position


async def summarize_actions(
    database: Database,
    since: datetime,
    until: datetime,
    *,
    open_actions: Sequence[str],
    actions: Sequence[str],
    actor_id: str | None,
) -> list[ActionSummary]:
    """What was done between two moments, the latest first; of `actions` only what the actor did, if one is given."""
    async with database.reading() as reading:
        return await store.summarize_actions(
            reading, since, until, open_actions=open_actions, actions=actions, actor_id=actor_id
        )


async def list_actions(database: Database) -> list[str]:
    """Every kind of action that ever happened, to fill a filter."""
    async with database.unit() as unit:
        return await store.list_actions(unit)


async def list_actors(database: Database) -> dict[str, str]:
    """Everybody who ever did something, by id, to fill a filter; without a name where it isn't a person."""
    async with database.unit() as unit:
        return await store.list_actors(unit)


async def list_subject_names(database: Database, ids: Iterable[str]) -> dict[AuditSubject, str]:
    """What people, teams, tokens, webhooks and shared sources are called now, whatever kind the ids are of."""
    async with database.unit() as unit:
        return await store.list_subject_names(unit, ids)


async def verify_chain(database: Database) -> ChainReport:
    """Check every entry against its own hash and the one before it, and the end against the chain's own account."""
    async with database.unit() as unit:
        head = await store.get_chain_head(unit)
    report = ChainReport(0, GENESIS)
    while report.intact and report.entries < head.position:
        async with database.unit() as unit:
            piece = await store.list_entries_after(unit, report.entries, limit=CHECKED_AT_A_TIME)
        if not piece:
            return _broken(report, gettext("Entry %(entries)s is missing.", entries=report.entries + 1))
        piece = piece[: head.position - report.entries]
        report = check_links(piece, position=report.entries, head=report.head)
    if report.intact and (report.entries, report.head) != (head.position, head.hash):
        return _broken(report, gettext("The log doesn't end at its last recorded entry."))
    return report


def _broken(report: ChainReport, reason: str) -> ChainReport:
    return ChainReport(report.entries, report.head, broken_at=report.entries + 1, reason=reason)


def _position(cursor: str, name: str, key: bytes) -> int:
    (position,) = decode_cursor(cursor, of=name, key=key)
    if not isinstance(position, int):
        raise InputError(gettext("This page link is out of date; start again from the first page."))
    return position
