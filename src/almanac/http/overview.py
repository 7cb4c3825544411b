"""What a desk shows on the home page: a few figures, a small chart, the latest item, and what waits for the person.

Plain values that each desk fills for one person; the home page renders them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.kit.messages import pgettext

MAX_WAITING_ITEMS = 3
"""How many items of one kind a desk lists; the rest are only counted."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with its label, and the page behind it."""

    number: int
    words: str
    href: str = ""
    or_more: bool = False

    @property
    def text(self) -> str:
        return f"{self.number:,}" + ("+" if self.or_more else "")


@dataclass(frozen=True, slots=True)
class Series:
    """Values of a small chart, in order: a line if `over_time`, otherwise bars."""

    title: str
    points: Sequence[tuple[str, int]]
    over_time: bool = True

    @property
    def is_flat(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(value for _, value in self.points)


@dataclass(frozen=True, slots=True)
class OverviewLink:
    """A link with the time it refers to; `language` if its text isn't English."""

    words: str
    href: str
    at: datetime | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class NamedObject:
    """An object as a person who may see it knows it. `owner_id` is empty where it belongs to nobody in particular."""

    title: str
    href: str
    owner_id: str = ""


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

    `noun` is the kind for programs, `label` for people, and `words` says how many there are.
    """

    noun: str
    label: str
    words: str
    href: str
    count: int
    items: Sequence[WaitingItem]
    tone: str = "waiting"
    verb: str = pgettext("button", "Open")
    or_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What one person sees of a desk. Where there is nothing yet, `first_step` is how to start, if they may."""

    figures: Sequence[Figure] = ()
    series: Series | None = None
    last: OverviewLink | None = None
    waiting: Sequence[WaitingGroup] = ()
    first_step: OverviewLink | None = None
