"""The ladder: the levels and gaps an installation has chosen, and how far one customer has climbed in one currency.

A ladder guards the whole desk. Every change of a draft or of the ledger writes it under its version, so that two
changes never rest on the same state. At most one draft is open at a time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from almanac.desks.reminders.model.ledger import Invoice
from almanac.desks.reminders.model.sent import SentReminder
from almanac.errors import FieldErrors
from almanac.kit.messages import gettext

SATURDAY = 5
MAX_GAP_DAYS = 3650
MAX_HOLIDAYS = 1000


@dataclass(frozen=True, slots=True)
class LevelRule:
    """One level: no second one within `none_within_days`, and at least `days_after_previous` after the level before."""

    name: str
    none_within_days: int
    days_after_previous: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRules:
    """The rules an installation has chosen. A day is 24 hours; the time zone decides which date it is."""

    levels: tuple[LevelRule, ...] = (
        LevelRule("first", none_within_days=7),
        LevelRule("second", none_within_days=5, days_after_previous=7),
        LevelRule("final", none_within_days=3, days_after_previous=5),
    )
    grace_days: int = 0
    business_days_only: bool = False
    holidays: frozenset[date] = frozenset()
    time_zone: str = "UTC"
    version: int = 0

    @property
    def longest_gap_days(self) -> int:
        """How far back a sent reminder can delay another one."""
        return max(max(level.none_within_days, level.days_after_previous) for level in self.levels)

    def level(self, name: str) -> LevelRule | None:
        return next((level for level in self.levels if level.name == name), None)

    def before(self, name: str) -> LevelRule | None:
        """The level below; None for the first."""
        names = [level.name for level in self.levels]
        at = names.index(name)
        return self.levels[at - 1] if at else None

    def zone(self, of_customer: str | None = None) -> ZoneInfo:
        return ZoneInfo(of_customer or self.time_zone)

    def is_sending_day(self, day: date) -> bool:
        return not self.business_days_only or (day.weekday() < SATURDAY and day not in self.holidays)

    def next_sending_moment(self, moment: datetime, zone: ZoneInfo) -> datetime:
        """The given moment if reminders go out on that day, else the start of the next day on which they do."""
        day = moment.astimezone(zone).date()
        if self.is_sending_day(day):
            return moment
        while not self.is_sending_day(day):
            day += timedelta(days=1)
        return datetime.combine(day, time(), zone).astimezone(UTC)


DEFAULT_RULES = LadderRules()


def check_rules(rules: LadderRules) -> LadderRules:
    """Returns valid rules; FieldErrors with one sentence for each invalid field."""
    errors: dict[str, str] = {}
    names = [level.name for level in rules.levels]
    if not 1 <= len(names) <= 10 or len(set(names)) < len(names):
        errors["levels"] = gettext("Enter one to ten levels with different names.")
    if not all(name.isidentifier() and name.isascii() and len(name) <= 30 for name in names):
        errors["levels"] = gettext("Name levels with letters, digits and underscores, up to 30 of them.")
    gaps = [gap for level in rules.levels for gap in (level.none_within_days, level.days_after_previous)]
    if not all(0 <= gap <= MAX_GAP_DAYS for gap in (*gaps, rules.grace_days)):
        errors["gaps"] = gettext("Gaps are 0 to %(limit)s days.", limit=MAX_GAP_DAYS)
    if len(rules.holidays) > MAX_HOLIDAYS:
        errors["holidays"] = gettext(
            "Give at most %(limit)s days; remove those that are past.", limit=f"{MAX_HOLIDAYS:,}"
        )
    if errors:
        raise FieldErrors(errors)
    return rules


DraftState = Literal["draft", "approved", "sending", "sent", "unknown", "failed", "rejected", "cancelled", "snoozed"]
OPEN_STATES: frozenset[DraftState] = frozenset({"draft", "approved", "snoozed", "sending", "unknown"})
UNSENT_STATES: frozenset[DraftState] = frozenset({"draft", "approved", "snoozed"})


@dataclass(frozen=True, slots=True)
class OpenDraft:
    """The draft that occupies a level. An unsent one frees it when it expires."""

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
    """The last sent reminder of a level."""

    draft_id: str
    cycle: int
    at: datetime


@dataclass(frozen=True, slots=True)
class DeclinedDraft:
    """The last draft that a person rejected; automatic drafting waits until the debt changes."""

    level: str
    cycle: int
    fingerprint: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The reminder state of one customer in one currency. Version 0 isn't stored yet."""

    customer_id: str
    currency: str
    cycle: int = 1
    open: OpenDraft | None = None
    sent: Mapping[str, SentMark] = field(default_factory=dict)
    declined: DeclinedDraft | None = None
    version: int = 0

    def open_at(self, now: datetime) -> OpenDraft | None:
        """The draft that occupies a level now."""
        return self.open if self.open and self.open.holds(now) else None

    def sent_in_cycle(self, level: str) -> SentMark | None:
        mark = self.sent.get(level)
        return mark if mark and mark.cycle == self.cycle else None

    def with_open(self, draft: OpenDraft | None) -> "Ladder":
        return replace(self, open=draft)

    def in_state(self, state: DraftState, now: datetime) -> "Ladder":
        """The ladder after its open draft changed state; a closed state frees the level."""
        assert self.open is not None
        return replace(self, open=replace(self.open, state=state, since=now) if state in OPEN_STATES else None)

    def with_sent(self, level: str, mark: SentMark) -> "Ladder":
        """The ladder after a reminder was sent; a newer mark of the level is kept."""
        previous = self.sent.get(level)
        if previous is not None and previous.at > mark.at:
            return self
        return replace(self, sent={**self.sent, level: mark})

    def with_foreign_sent(self, foreign: Sequence[SentReminder], invoices: Iterable[Invoice]) -> "Ladder":
        """The ladder with what other programs have sent.

        Their records have neither cycle nor currency. What was sent since the oldest open debt fell due counts for the
        current cycle, and for every currency.
        """
        if not foreign:
            return self
        due = [invoice.due for invoice in invoices if invoice.is_open and invoice.currency == self.currency]
        ladder = self
        for sent in foreign:
            in_cycle = bool(due) and sent.sent_at.date() >= min(due)
            cycle = self.cycle if in_cycle else self.cycle - 1
            ladder = ladder.with_sent(sent.level, SentMark(sent.id, cycle, sent.sent_at))
        return ladder

    def next_cycle(self) -> "Ladder":
        return replace(self, cycle=self.cycle + 1, declined=None)
