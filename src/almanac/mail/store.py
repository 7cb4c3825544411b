"""Every read and write of mail in PostgreSQL, by name; decides nothing by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from almanac.kit.ids import new_id
from almanac.mail.model import (
    KEEPING_TRANSPORTS,
    EndedMail,
    MailEvent,
    MailFailure,
    MailOutcome,
    MailRetention,
    MailStatus,
    MessageFilter,
    MessageSummary,
    Suppression,
    SuppressionSource,
    mail_outcome,
)
from almanac.relational import Jsonb, ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message to be queued."""

    id: str
    idempotency_key: str
    topic: str
    bulk: bool
    sender: str
    recipients: Sequence[str]
    subject: str
    content: object
    digest: str
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimable:
    """A waiting message, locked by this transaction."""

    id: str
    topic: str
    bulk: bool
    sender: str
    recipients: Sequence[str]
    content: object
    message_id: str | None
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MailClaim:
    """What is stored before a mail is sent."""

    claim: str
    message_id: str
    raw: bytes
    envelope_to: Sequence[str]
    transport: str
    lease_until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SendOutcome:
    """The status of a message after an attempt; `due_at` is set if it waits for another one."""

    status: MailStatus
    reason: str | None = None
    failure: MailFailure | None = None
    provider_id: str | None = None
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class QueuedKey:
    """The message that an idempotency key belongs to."""

    id: str
    digest: str


@dataclass(frozen=True, slots=True)
class MailState:
    """The status of a message."""

    status: MailStatus
    reason: str | None


@dataclass(frozen=True, slots=True)
class UnknownMail:
    """A message whose outcome is unknown."""

    id: str
    message_id: str


@dataclass(frozen=True, slots=True)
class MailReference:
    """A message that somebody outside referred to, and its topic."""

    id: str
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage(MessageSummary):
    """A row of the message table."""

    idempotency_key: str
    bulk: bool
    content: object
    message_id: str | None
    provider_id: str | None
    raw: bytes | None


async def insert_message(unit: Unit, message: NewMessage, now: datetime) -> bool:
    """Queue the message; false if its key was used before."""
    params = {name: getattr(message, name) for name in NewMessage.__slots__}
    params |= {"recipients": list(message.recipients), "content": Jsonb(message.content), "now": now}
    return await unit.execute(QUERIES["insert_message"], params) == 1


async def find_by_key(unit: Unit, key: str) -> QueuedKey | None:
    return await unit.one(QUERIES["find_by_idempotency_key"], {"idempotency_key": key}, into=QueuedKey)


async def lock_to_claim(unit: Unit, mail_id: str | None, now: datetime) -> Claimable | None:
    """Lock one due message: the one named, or the one that has waited longest."""
    query = "lock_next_due" if mail_id is None else "lock_to_claim"
    return await unit.one(QUERIES[query], {"id": mail_id, "now": now}, into=Claimable)


async def mark_sending(unit: Unit, mail_id: str, claim: MailClaim, now: datetime) -> None:
    params = {name: getattr(claim, name) for name in MailClaim.__slots__}
    params |= {"id": mail_id, "envelope_to": list(claim.envelope_to), "now": now}
    await unit.execute(QUERIES["mark_sending"], params)


async def finish_claim(unit: Unit, mail_id: str, claim: str, outcome: SendOutcome, now: datetime) -> bool:
    params = {name: getattr(outcome, name) for name in SendOutcome.__slots__}
    return await unit.execute(QUERIES["finish_claim"], {**params, "id": mail_id, "claim": claim, "now": now}) == 1


async def fail_unclaimed(unit: Unit, mail_id: str, failure: MailFailure, reason: str, now: datetime) -> bool:
    params = {"id": mail_id, "failure": failure, "reason": reason, "now": now}
    return await unit.execute(QUERIES["fail_unclaimed"], params) == 1


async def expire_leases(unit: Unit, reason: str, now: datetime) -> list[str]:
    rows = await unit.all(QUERIES["expire_leases"], {"reason": reason, "now": now})
    return [row["id"] for row in rows]


async def list_unknown(unit: Unit, transport: str, limit: int) -> list[UnknownMail]:
    return await unit.all(QUERIES["list_unknown"], {"transport": transport, "limit": limit}, into=UnknownMail)


async def settle_unknown(unit: Unit, mail_id: str, outcome: SendOutcome, now: datetime) -> bool:
    params = {"id": mail_id, "status": outcome.status, "failure": outcome.failure, "reason": outcome.reason, "now": now}
    return await unit.execute(QUERIES["settle_unknown"], params) == 1


async def confirm_sent(unit: Unit, mail_id: str, now: datetime) -> bool:
    return await unit.execute(QUERIES["prove_sent"], {"id": mail_id, "now": now}) == 1


async def requeue_failed(unit: Unit, mail_id: str, now: datetime, *, nobody: str) -> bool:
    return await unit.execute(QUERIES["queue_failed_again"], {"id": mail_id, "now": now, "nobody": nobody}) == 1


async def erase_messages(
    unit: Unit, email: str, *, nobody: str, subject: str, content: object, topic: str | None = None
) -> list[str]:
    """Erase the messages to an address, of a topic or all, and the recipients of their events; returns their ids."""
    params = {"email": email, "nobody": nobody, "subject": subject, "content": Jsonb(content), "topic": topic}
    return await _erase(unit, "erase_messages_to", params)


async def list_waiting(unit: Unit, email: str, topic: str) -> list[str]:
    """The mails of a topic to an address that still wait, locked until the unit ends."""
    return [row["id"] for row in await unit.all(QUERIES["list_waiting_to"], {"email": email, "topic": topic})]


async def erase_old_messages(
    unit: Unit, old: MailRetention, *, nobody: str, subject: str, content: object, limit: int
) -> list[str]:
    """Erase up to `limit` mails past their retention."""
    erasure = {"nobody": nobody, "subject": subject, "content": Jsonb(content), "limit": limit}
    span = {"topic": old.topic, "sent_before": old.sent_before, "failed_before": old.failed_before}
    return await _erase(unit, "erase_old_messages", erasure | span)


async def _erase(unit: Unit, query: str, params: Mapping[str, object]) -> list[str]:
    ids = [row["id"] for row in await unit.all(QUERIES[query], params)]
    await unit.execute(QUERIES["erase_events_of"], {"ids": ids, "nobody": params["nobody"]})
    return ids


async def find_state(unit: Unit, mail_id: str) -> MailState | None:
    return await unit.one(QUERIES["find_status"], {"id": mail_id}, into=MailState)


async def insert_event(unit: Unit, mail_id: str, event: MailEvent, now: datetime, source_id: str | None = None) -> bool:
    """Add to the message's history; false if the source sent this event before."""
    params = {name: getattr(event, name) for name in MailEvent.__slots__}
    params |= {"id": new_id(), "mail_id": mail_id, "source_id": source_id, "now": now}
    return await unit.execute(QUERIES["insert_event"], params) == 1


async def list_events(unit: Unit, mail_id: str) -> list[MailEvent]:
    return await unit.all(QUERIES["list_events"], {"mail_id": mail_id}, into=MailEvent)


async def find_mail(
    unit: Unit, *, mail_id: str | None = None, message_id: str | None = None, provider_id: str | None = None
) -> MailReference | None:
    """The message with one of these ids; None if it isn't ours."""
    names = {"mail_id": mail_id, "message_id": message_id, "provider_id": provider_id}
    return await unit.one(QUERIES["find_message_of_event"], names, into=MailReference)


async def list_messages(
    reading: ReadTransaction, which: MessageFilter, before: str | None, limit: int
) -> list[MessageSummary]:
    params = {
        "topic": which.topic,
        "hidden": list(which.hidden),
        "pattern": _pattern(which.text),
        "before": before,
        "limit": limit,
    }
    return await reading.all(QUERIES["list_messages"], params | _outcome_params(which.outcome), into=MessageSummary)


async def find_message(unit: Unit, mail_id: str) -> StoredMessage | None:
    return await unit.one(QUERIES["find_message"], {"id": mail_id}, into=StoredMessage)


def _outcome_params(outcome: MailOutcome | None) -> dict[str, object]:
    """The status and transport that an outcome stands for: a kept mail is a sent one that a transport kept."""
    kept = {"kept": True, "sent": False}.get(outcome or "")
    status = "sent" if outcome == "kept" else outcome
    return {"status": status, "kept": kept, "keeping": list(KEEPING_TRANSPORTS)}


async def find_kept(reading: ReadTransaction, ids: Sequence[str]) -> set[str]:
    """Those of the messages that never left this machine."""
    rows = await reading.all(QUERIES["kept_among"], {"ids": list(ids), "keeping": list(KEEPING_TRANSPORTS)})
    return {row["id"] for row in rows}


async def count_by_outcome(reading: ReadTransaction) -> dict[MailOutcome, int]:
    counts: dict[MailOutcome, int] = {}
    for row in await reading.all(QUERIES["count_by_status"]):
        outcome = mail_outcome(row["status"], row["transport"])
        counts[outcome] = counts.get(outcome, 0) + row["number"]
    return counts


async def summarize_ended(
    reading: ReadTransaction, since: datetime, until: datetime, hidden: Sequence[str]
) -> list[EndedMail]:
    asked = {"since": since, "until": until, "hidden": list(hidden)}
    return await reading.all(QUERIES["summarize_ended"], asked, into=_ended_mail)


def _ended_mail(*, status: MailStatus, transport: str | None, **rest: Any) -> EndedMail:
    return EndedMail(outcome=mail_outcome(status, transport), **rest)


async def insert_suppression(
    unit: Unit,
    *,
    email: str,
    topic: str,
    source: SuppressionSource,
    reason: str,
    now: datetime,
    mail_id: str | None = None,
    added_by: str | None = None,
) -> bool:
    """Suppress an address; False if it was suppressed already."""
    params = {"email": email, "topic": topic, "source": source, "reason": reason, "mail_id": mail_id}
    return (
        await unit.execute(QUERIES["insert_suppression"], {**params, "id": new_id(), "added_by": added_by, "now": now})
        == 1
    )


async def lift_suppression(unit: Unit, *, email: str, topic: str, by: str, why: str, now: datetime) -> bool:
    params = {"email": email, "topic": topic, "lifted_by": by, "lifted_why": why, "now": now}
    return await unit.execute(QUERIES["lift_suppression"], params) == 1


async def list_suppressions(unit: Unit, text: str | None, before: str | None, limit: int) -> list[Suppression]:
    params = {"pattern": _pattern(text), "before": before, "limit": limit}
    return await unit.all(QUERIES["list_suppressions"], params, into=Suppression)


async def find_suppressions(
    reading: ReadTransaction, emails: Sequence[str], *, topic: str, bulk: bool
) -> list[Suppression]:
    params = {"emails": list(emails), "topic": topic, "bulk": bulk}
    return await reading.all(QUERIES["suppressed_among"], params, into=Suppression)


def _pattern(text: str | None) -> str | None:
    if not text:
        return None
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
