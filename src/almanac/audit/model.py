"""What an audit entry is and how entries are chained by hashes: pure rules, no storage."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from almanac.errors import InputError
from almanac.kit.messages import gettext

DetailValue = str | int | bool | list[str] | None
GENESIS = "0" * 64
_FIRST_YEAR, _LAST_YEAR = 1970, 9000

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
    """Which entries to list; what is left out is not restricted. `person` is part of a name or address, or an id."""

    actor_id: str | None = None
    action: str | None = None
    object_type: str | None = None
    object_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    person: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSummary:
    """The same action by the same actor in a span of time. `actor_name` is None for who has no account, `why` the last
    reason that was given, if any."""

    action: str
    actor_id: str
    actor_name: str | None
    number: int
    last_at: datetime
    why: str | None


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


def parse_period(since: str, until: str, zone: str) -> tuple[datetime | None, datetime | None]:
    """The beginning of the first day and the end of the last, in a time zone; InputError for what isn't a date."""
    first, last = _parse_day(since), _parse_day(until)
    return (
        datetime.combine(first, time(), ZoneInfo(zone)) if first else None,
        datetime.combine(last + timedelta(days=1), time(), ZoneInfo(zone)) if last else None,
    )


def _parse_day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError as error:
        raise InputError(gettext("“%(text)s” isn't a valid date; use 2026-03-02.", text=text[:20])) from error
    if day is not None and not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise InputError(
            gettext("Use a year from %(first_year)s to %(last_year)s.", first_year=_FIRST_YEAR, last_year=_LAST_YEAR)
        )
    return day


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
    return (
        gettext("Entry %(position)s is missing.", position=position)
        if entry.position != position
        else check_entry(entry, head)
    )


def check_entry(entry: AuditEntry, head: str) -> str:
    """Why an entry doesn't fit after the hash `head`; empty if it does."""
    if entry.previous_hash != head:
        return gettext("Entry %(position)s doesn't continue the entry before it.", position=entry.position)
    if entry.digest != _digest_again(entry):
        return gettext("Entry %(position)s was changed after it was written.", position=entry.position)
    if entry.hash != link_hash(head, entry.digest):
        return gettext("The hash of entry %(position)s doesn't match.", position=entry.position)
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
