"""What people can be notified of and how: kinds, channels, a person's settings, events and messages."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

from almanac.errors import FieldErrors
from almanac.kit.messages import gettext

_HOURS, _HOUR_DIGITS = 24, 2


class NotificationKind(StrEnum):
    """What happened. The values are stored."""

    APPROVALS = "approvals"
    FAILURES = "failures"
    FINISHED = "finished"
    DESKS = "desks"
    ALERTS = "alerts"
    MAIL = "mail"
    BACKUP = "backup"
    SIGN_IN = "sign_in"


class NotificationChannel(StrEnum):
    """How it reaches a person."""

    PUSH = "push"
    MAIL = "mail"
    NTFY = "ntfy"
    APPRISE = "apprise"
    WEBHOOK = "webhook"


ADDRESSED = (NotificationChannel.NTFY, NotificationChannel.APPRISE, NotificationChannel.WEBHOOK)
# A second message there takes the place of the first, or carries its id: repeating one tells nobody twice.
REPEATABLE = frozenset({NotificationChannel.PUSH, NotificationChannel.WEBHOOK})


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRules:
    """How a kind is told. `settle` is how long further events are waited for, `spacing` the least time between two
    messages. A `standing` one tells how much is open in all, and a newer message replaces the older one. An `urgent`
    one also comes in quiet hours.
    """

    settle: timedelta = timedelta(seconds=30)
    spacing: timedelta = timedelta(minutes=10)
    standing: bool = False
    urgent: bool = False
    by_mail: bool = False


RULES: Mapping[NotificationKind, KindRules] = {
    NotificationKind.APPROVALS: KindRules(standing=True),
    NotificationKind.FAILURES: KindRules(standing=True),
    NotificationKind.FINISHED: KindRules(settle=timedelta(0), spacing=timedelta(0)),
    NotificationKind.DESKS: KindRules(),
    NotificationKind.ALERTS: KindRules(settle=timedelta(0), spacing=timedelta(0), by_mail=True),
    NotificationKind.MAIL: KindRules(standing=True, by_mail=True),
    NotificationKind.BACKUP: KindRules(standing=True, by_mail=True),
    NotificationKind.SIGN_IN: KindRules(settle=timedelta(0), spacing=timedelta(0), urgent=True, by_mail=True),
}


def usual_channels(kind: NotificationKind) -> frozenset[NotificationChannel]:
    """The channels of a kind for somebody who chose nothing; those that need an address wait for one."""
    return frozenset(NotificationChannel) - (frozenset() if RULES[kind].by_mail else {NotificationChannel.MAIL})


@dataclass(frozen=True, slots=True, kw_only=True)
class MorningChoice:
    """When a person wants their day as a mail: the hour in their time zone, None for never, and the days from Monday,
    which is 1. `when_empty` sends it also when there is nothing to tell.
    """

    hour: int | None = None
    days: frozenset[int] = frozenset(range(1, 6))
    when_empty: bool = False

    def require_day(self) -> None:
        """FieldErrors for an hour without any day."""
        if self.hour is not None and not self.days:
            raise FieldErrors({"morning_hour": gettext("Choose at least one day of the week.")})


Choices = Mapping[NotificationKind, frozenset[NotificationChannel]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationSettings:
    """What a person chose. `version` rises with each edit; without `titles` a message tells numbers only."""

    choices: Choices = field(default_factory=dict)
    quiet_from: time | None = None
    quiet_to: time | None = None
    titles: bool = False
    morning: MorningChoice = field(default_factory=MorningChoice)
    version: int = 0

    @property
    def quiet_texts(self) -> tuple[str, str]:
        """Begin and end of the quiet hours as `22:00`; both empty if there are none."""
        if self.quiet_from is None or self.quiet_to is None:
            return "", ""
        return f"{self.quiet_from:%H:%M}", f"{self.quiet_to:%H:%M}"

    def channels(self, kind: NotificationKind) -> frozenset[NotificationChannel]:
        """The channels by which this person wants to hear of a kind."""
        return self.choices.get(kind, usual_channels(kind))

    def wants(self, kind: NotificationKind, channel: NotificationChannel) -> bool:
        return channel in self.channels(kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationAddress:
    """Where a channel sends to, as its owner sees it: without what is secret."""

    channel: NotificationChannel
    shown: str
    failing_since: datetime | None
    failing_why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PushDevice:
    """A browser that gets push messages, as its owner sees it."""

    id: str
    session_id: str
    service: str
    user_agent: str
    created_at: datetime
    last_sent_at: datetime | None
    failing_why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationProfile:
    """Everything about a person's notifications."""

    settings: NotificationSettings
    addresses: Mapping[NotificationChannel, NotificationAddress]
    devices: tuple[PushDevice, ...]

    @property
    def version(self) -> int:
        return self.settings.version

    @property
    def usable_channels(self) -> tuple[NotificationChannel, ...]:
        """Push and mail, and the channels that have an address."""
        return tuple(
            channel for channel in NotificationChannel if channel not in ADDRESSED or channel in self.addresses
        )

    def choose(self, offered: Collection[NotificationKind], chosen: Collection[str]) -> Choices:
        """What a form says, as `kind.channel`; what it didn't offer stays as it is."""
        usable = frozenset(self.usable_channels)
        return {
            kind: frozenset(channel for channel in usable if f"{kind}.{channel}" in chosen)
            | (self.settings.channels(kind) - usable)
            if kind in offered
            else self.settings.channels(kind)
            for kind in NotificationKind
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationEvent:
    """Something that happened. `facts` are of its kind."""

    id: str
    kind: NotificationKind
    key: str
    user_id: str | None
    actor_id: str | None
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentNotification:
    """A message in the history of a person."""

    id: str
    kind: NotificationKind
    channel: NotificationChannel
    state: str
    due_at: datetime
    reason: str
    finished_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationText:
    """What a message says, in the language of its reader. A test has no kind; `waiting` is how much is open in all."""

    kind: NotificationKind | None
    title: str
    body: str
    path: str
    language: str
    waiting: int | None = None


@dataclass(frozen=True, slots=True)
class DigestLine:
    """One line of a person's day, in their language, with the path of its page."""

    text: str
    detail: str
    path: str


@dataclass(frozen=True, slots=True)
class DigestPart:
    """A part of a person's day."""

    title: str
    lines: tuple[DigestLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayDigest:
    """A person's day as a mail tells it, in their language. `is_empty` says that it has no news for them."""

    day: date
    subject: str
    parts: tuple[DigestPart, ...]
    language: str
    is_empty: bool


def parse_morning(hour: str, days: Collection[str], *, when_empty: bool) -> MorningChoice:
    """What a form says; an empty hour means never. FieldErrors for what isn't an hour."""
    if hour and not (hour.isdecimal() and len(hour) <= _HOUR_DIGITS and int(hour) < _HOURS):
        raise FieldErrors({"morning_hour": gettext("Choose an hour from 0 to 23, or none.")})
    chosen = frozenset(int(day) for day in days if day in set("1234567"))
    if not hour:
        return MorningChoice(days=chosen or MorningChoice().days, when_empty=when_empty)
    return MorningChoice(hour=int(hour), days=chosen, when_empty=when_empty)


def parse_quiet_hours(begin: str, end: str) -> tuple[time, time] | tuple[None, None]:
    """Both times, or none; FieldErrors for only one, or what isn't a time."""
    if not begin and not end:
        return None, None
    errors = {
        name: "Use a time such as 22:00, or leave both fields empty."
        for name, text in (("quiet_from", begin), ("quiet_to", end))
        if not _is_time(text)
    }
    if errors:
        raise FieldErrors(errors)
    return time.fromisoformat(begin), time.fromisoformat(end)


def _is_time(text: str) -> bool:
    try:
        time.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == len("00:00")
