"""The ladder of one customer and currency: which levels of the present cycle are taken, and by which draft.

It is the guard of the whole desk. Every change of a draft and of the ledger writes it under its version, so that two
of them can never both happen on the same state. At most one draft is open at a time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from almanac.desks.reminders.model.ledger import Invoice
from almanac.desks.reminders.model.sent import SentReminder

DraftState = Literal["draft", "approved", "sending", "sent", "unknown", "failed", "rejected", "cancelled", "snoozed"]

OPEN_STATES: frozenset[DraftState] = frozenset({"draft", "approved", "snoozed", "sending", "unknown"})
UNSENT_STATES: frozenset[DraftState] = frozenset({"draft", "approved", "snoozed"})


@dataclass(frozen=True, slots=True)
class OpenDraft:
    """The draft that holds a level. An unsent one lets go of it when it expires."""

    draft_id: str
    level: str
    cycle: int
    state: DraftState
    fingerprint: str
    since: datetime
    expires_at: datetime | None = None

    def holds(self, now: datetime) -> bool:
        expired = self.expires_at is not None and self.expires_at <= now
        return not (expired and self.state in UNSENT_STATES)


@dataclass(frozen=True, slots=True)
class SentMark:
    """The last reminder of a level that went out."""

    draft_id: str
    cycle: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Declined:
    """The last draft that a person rejected: what is drafted by itself waits until the debt is another one."""

    level: str
    cycle: int
    fingerprint: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Where the reminders of one customer in one currency stand. Version 0 is a ladder that is not stored yet."""

    customer_id: str
    currency: str
    cycle: int = 1
    open: OpenDraft | None = None
    sent: Mapping[str, SentMark] = field(default_factory=dict)
    declined: Declined | None = None
    version: int = 0

    def open_at(self, now: datetime) -> OpenDraft | None:
        """The draft that holds a level now."""
        return self.open if self.open and self.open.holds(now) else None

    def sent_in_cycle(self, level: str) -> SentMark | None:
        mark = self.sent.get(level)
        return mark if mark and mark.cycle == self.cycle else None

    def with_open(self, draft: OpenDraft | None) -> "Ladder":
        return replace(self, open=draft)

    def in_state(self, state: DraftState, now: datetime) -> "Ladder":
        """The ladder after its open draft changed state; a state that is over lets go of the level."""
        assert self.open is not None
        return replace(self, open=replace(self.open, state=state, since=now) if state in OPEN_STATES else None)

    def with_sent(self, level: str, mark: SentMark) -> "Ladder":
        """The ladder after a reminder went out; an older mark of the level gives way."""
        known = self.sent.get(level)
        if known is not None and known.at > mark.at:
            return self
        return replace(self, sent={**self.sent, level: mark})

    def knowing(self, foreign: Sequence[SentReminder], invoices: Iterable[Invoice]) -> "Ladder":
        """The ladder with what other programs have sent. Their records know neither cycle nor currency: what was sent
        since the oldest open debt fell due belongs to the present cycle, and each counts for every currency."""
        if not foreign:
            return self
        due = [invoice.due for invoice in invoices if invoice.is_open and invoice.currency == self.currency]
        ladder = self
        for one in foreign:
            in_cycle = bool(due) and one.sent_at.date() >= min(due)
            cycle = self.cycle if in_cycle else self.cycle - 1
            ladder = ladder.with_sent(one.level, SentMark(one.id, cycle, one.sent_at))
        return ladder

    def next_cycle(self) -> "Ladder":
        return replace(self, cycle=self.cycle + 1, declined=None)
