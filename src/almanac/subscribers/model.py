"""People without an account who follow something by mail: what they follow, and what they are told. Data only."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

MailFrequency = Literal["daily", "at_once"]
FREQUENCIES: tuple[MailFrequency, ...] = ("daily", "at_once")
TOPIC = "alerts"


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowRequest:
    """What an address asks to follow: a target of a kind at a desk, under the label that mails call it by."""

    email: str
    desk: str
    kind: str
    target: str
    label: str
    language: str
    frequency: MailFrequency


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriber:
    """An address. Links to its list of alerts hold for one generation."""

    id: str
    email: str
    language: str
    frequency: MailFrequency
    generation: int
    created_at: datetime
    last_mail_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """Something that an address follows, or asked to follow."""

    id: str
    desk: str
    kind: str
    target: str
    label: str
    requested_at: datetime
    confirmed_at: datetime | None


@dataclass(frozen=True, slots=True)
class FollowedTarget:
    """What a part of an item was found by."""

    kind: str
    target: str
    label: str


@dataclass(frozen=True, slots=True)
class UntoldPart:
    """A part of an item, such as a speech of a meeting, that somebody follows and has not been told of."""

    desk: str
    item: str
    part: str
    follows: tuple[FollowedTarget, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        return self.desk, self.item, self.part


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertQuote:
    """A part of an item in its own words, as a mail quotes it; `path` is its page below the reader's language.

    `language` is that of the words. `like_it` are all parts of the item that its first follow is about, of which a mail
    quotes some, and `like_it_path` is the page that lists them.
    """

    part: UntoldPart
    speaker: str
    place: str
    day: str
    words: str
    path: str
    language: str
    like_it: frozenset[str]
    like_it_path: str


@dataclass(frozen=True, slots=True)
class SubscriberCounts:
    """How many people get mail, how many alerts they have, and how many requests wait to be confirmed."""

    people: int
    alerts: int
    unconfirmed: int


@dataclass(frozen=True, slots=True)
class SubscriberFile:
    """Everything that is stored about an address."""

    subscriber: Subscriber
    subscriptions: Sequence[Subscription]


QuoteLoader = Callable[[Sequence[UntoldPart], str], Awaitable[Sequence[AlertQuote]]]
"""Quotes parts of items in a language; what nobody may read any more is missing."""
