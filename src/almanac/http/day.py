"""A day of one person, and what a desk has for it: what to decide, to do and to read, and what happened.

Plain values that each desk fills for one person and one day; the home page, its API and the morning mail show them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from almanac.errors import InputError
from almanac.kit.messages import gettext, join_texts, money_text, ngettext, pgettext
from almanac.kit.money import Money

MAX_WAITING_ITEMS = 3
"""How many items of one kind a desk lists; the rest are only counted."""
MAX_READINGS = 5
_MAX_AMOUNTS_SHOWN = 2
_FIRST_YEAR, _MAX_DAYS_AHEAD = 1970, 366
_NEVER = datetime.max.replace(tzinfo=UTC)

EventKind = Literal["decided", "sent", "published", "collected", "failed", "planned"]
TaskState = Literal["open", "done", "missed", "protected"]


@dataclass(frozen=True, slots=True)
class Day:
    """A calendar day in a person's time zone, beside the day it is for them now. `language` is the one they read."""

    on: date
    today: date
    zone: str
    language: str

    @property
    def since(self) -> datetime:
        """Its first moment."""
        return datetime.combine(self.on, time(), ZoneInfo(self.zone))

    @property
    def until(self) -> datetime:
        """The first moment after it."""
        return datetime.combine(self.on + timedelta(days=1), time(), ZoneInfo(self.zone))

    @property
    def is_today(self) -> bool:
        return self.on == self.today

    @property
    def is_past(self) -> bool:
        return self.on < self.today

    @property
    def is_future(self) -> bool:
        return self.on > self.today

    @property
    def before(self) -> date:
        return self.on - timedelta(days=1)

    @property
    def after(self) -> date:
        return self.on + timedelta(days=1)


def open_day(text: str, now: datetime, zone: str, language: str) -> Day:
    """The day that a URL names, today if it names none. InputError for what isn't a day, or is out of reach."""
    today = now.astimezone(ZoneInfo(zone)).date()
    if not text:
        return Day(today, today, zone, language)
    try:
        chosen = date.fromisoformat(text)
    except ValueError as error:
        raise InputError(gettext("“%(text)s” isn't a valid date; use 2026-03-02.", text=text[:20])) from error
    last = today + timedelta(days=_MAX_DAYS_AHEAD)
    if chosen.year < _FIRST_YEAR or chosen > last:
        raise InputError(gettext("Choose a day up to %(last)s.", last=last))
    return Day(chosen, today, zone, language)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingItem:
    """One item that a person can act on, with the page where it is done. A POST to `retry` retries failed work; empty
    if that isn't possible from the home page."""

    title: str
    text: str
    href: str
    since: datetime | None = None
    retry: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingGroup:
    """Items of one kind that wait for the person: how many, the page of all, and those waiting longest.

    `noun` is the kind for programs, `words` says how many there are, and `amounts` how much money is in them, once for
    each currency. The tone `failed` is for failed work that needs a person.
    """

    noun: str
    words: str
    href: str
    count: int
    items: Sequence[WaitingItem]
    amounts: Sequence[Money] = ()
    icon: str = "info"
    tone: Literal["waiting", "failed", "plain"] = "waiting"
    verb: str = pgettext("button", "Open")
    or_more: bool = False

    @property
    def number_text(self) -> str:
        """How many there are, with a hint where counting stopped."""
        return gettext("%(number)s or more", number=self.words) if self.or_more else self.words

    @property
    def amounts_text(self) -> str:
        """The largest amounts, and how many currencies more; empty without any."""
        return describe_amounts(self.amounts)

    @property
    def waits_since(self) -> datetime | None:
        """When the one that has waited longest began to wait, if that is known."""
        return min((item.since for item in self.items if item.since), default=None)


def add_amounts(amounts: Iterable[Money]) -> list[Money]:
    """One sum for each currency, the largest number first."""
    sums: dict[str, Money] = {}
    for money in amounts:
        sums[money.currency] = sums[money.currency] + money if money.currency in sums else money
    return sorted(sums.values(), key=lambda money: (-money.amount, money.currency))


def describe_amounts(amounts: Sequence[Money]) -> str:
    """Such as `43,244.11 EUR + 4,461.00 USD`; amounts of different currencies are never added."""
    shown: list[str] = [money_text(money) for money in amounts[:_MAX_AMOUNTS_SHOWN]]
    if more := len(amounts) - len(shown):
        shown.append(ngettext("%(num)s more currency", "%(num)s more currencies", more))
    return join_texts(shown, " + ") if shown else ""


def oldest_first(groups: Iterable[WaitingGroup]) -> list[WaitingGroup]:
    """What waits longest comes first, what has no time last."""
    return sorted(groups, key=lambda group: group.waits_since or _NEVER)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayTask:
    """Something to do on the day itself. A POST to `action` ticks it, or takes the tick back; empty where that can't be
    done from the home page."""

    id: str
    title: str
    text: str
    href: str
    state: TaskState
    action: str = ""
    is_urgent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Something worth reading; `language` if its text isn't in the language of the page."""

    title: str
    href: str
    text: str = ""
    about: str = ""
    icon: str = "book"
    day: date | None = None
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayEvent:
    """Something that happened, or is planned, in a sentence; many of a kind are one event at the time of the last.

    `text` says by whom or why.
    """

    kind: EventKind
    sentence: str
    at: datetime | None = None
    text: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class DayLink:
    """A link with its words."""

    words: str
    href: str


@dataclass(frozen=True, slots=True)
class Deed:
    """What an entry of the audit log is called in the record of the day, by how many there are. An `is_open` one is
    shown to everybody who may read the desk, others to whoever did it and to those who may read the audit log.
    """

    describe: Callable[[int], str]
    kind: EventKind = "decided"
    href: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskDay:
    """What one person has of a desk on one day. `tasks_summary` is a line about the tasks. Where there is nothing yet,
    `first_step` is how to start, if they may.
    """

    waiting: Sequence[WaitingGroup] = ()
    tasks: Sequence[DayTask] = ()
    tasks_summary: str = ""
    readings: Sequence[Reading] = ()
    events: Sequence[DayEvent] = ()
    first_step: DayLink | None = None
