"""What an audit entry is and how entries are chained by hashes: pure rules, no storage."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

DetailValue = str | int | bool | list[str] | None
GENESIS = "0" * 64

# An entry can never be removed, so what must be removable on request may never enter it.
PRIVATE_WORDS = frozenset({"password", "secret", "token", "cookie", "hash", "email", "mail", "address", "phone"})


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acted: an account id, and the way in (session, token, automation, console, system)."""

    id: str
    via: str


SYSTEM = Actor(id="system", via="system")


@dataclass(frozen=True, slots=True)
class AuditSubject:
    """What was acted on."""

    type: str
    id: str


@dataclass(frozen=True, slots=True)
class AuditAction:
    """One thing done, as its author reports it: `action` is a noun and a past verb such as `user.deactivated`."""

    actor: Actor
    action: str
    subject: AuditSubject
    why: str = ""
    detail: Mapping[str, DetailValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.detail:
            if name.lower().rpartition("_")[2] in PRIVATE_WORDS:
                raise ValueError(f"An audit entry can't hold {name!r}; name the thing by its id instead.")


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry as stored. `position` counts from 1 without gaps in the order of commits."""

    id: str
    position: int
    recorded_at: datetime
    actor_id: str
    actor_via: str
    action: str
    object_type: str
    object_id: str
    why: str
    request_id: str | None
    detail_json: str
    digest: str
    previous_hash: str
    hash: str

    @property
    def detail(self) -> dict[str, DetailValue]:
        detail: dict[str, DetailValue] = json.loads(self.detail_json)
        return detail


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries to list; what is left out is not restricted."""

    actor_id: str | None = None
    action: str | None = None
    object_type: str | None = None
    object_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class ChainReport:
    """Outcome of checking the chain: `broken_at` is the first position that doesn't fit, with the reason."""

    entries: int
    head: str
    broken_at: int | None = None
    reason: str = ""

    @property
    def intact(self) -> bool:
        return self.broken_at is None


def detail_text(detail: Mapping[str, DetailValue]) -> str:
    """The one spelling of a detail, stored as it is hashed."""
    return json.dumps(dict(detail), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def entry_digest(
    *,
    entry_id: str,
    recorded_at: datetime,
    actor: Actor,
    action: str,
    subject: AuditSubject,
    why: str,
    request_id: str | None,
    detail_json: str,
) -> str:
    """The hash of everything an entry says, apart from its place in the chain."""
    moment = recorded_at.astimezone(UTC).isoformat(timespec="microseconds")
    fields = [entry_id, moment, actor.id, actor.via, action, subject.type, subject.id, why, request_id, detail_json]
    return _sha256(json.dumps(fields, ensure_ascii=False, separators=(",", ":")))


def link_hash(previous_hash: str, digest: str) -> str:
    """The hash that ties an entry to all before it. The database computes the same when it seals the entry."""
    return _sha256(previous_hash + digest)


def check_links(entries: Iterable[AuditEntry], *, position: int = 0, head: str = GENESIS) -> ChainReport:
    """Walk entries in order, from the state after `position`, and stop at the first that doesn't fit."""
    for entry in entries:
        position += 1
        if reason := _misfit(entry, position, head):
            return ChainReport(position - 1, head, broken_at=position, reason=reason)
        head = entry.hash
    return ChainReport(position, head)


def _misfit(entry: AuditEntry, position: int, head: str) -> str:
    if entry.position != position:
        return f"Entry {position} is missing."
    if entry.previous_hash != head:
        return f"Entry {position} doesn't continue the entry before it."
    if entry.digest != _digest_again(entry):
        return f"Entry {position} was changed after it was written."
    if entry.hash != link_hash(head, entry.digest):
        return f"The hash of entry {position} doesn't match."
    return ""


def _digest_again(entry: AuditEntry) -> str:
    return entry_digest(
        entry_id=entry.id,
        recorded_at=entry.recorded_at,
        actor=Actor(entry.actor_id, entry.actor_via),
        action=entry.action,
        subject=AuditSubject(entry.object_type, entry.object_id),
        why=entry.why,
        request_id=entry.request_id,
        detail_json=entry.detail_json,
    )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
