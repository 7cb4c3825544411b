"""What a desk shows of itself on the home page: a few figures, a small chart, what came last, and what waits.

Pure values. Each desk makes its own from what it may tell a person; how they are drawn is the home page's business.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

MOST_ITEMS = 3
"""How many things of one kind a desk names; the rest are only counted."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with its words, and where it can be looked into."""

    number: int
    words: str
    href: str = ""
    or_more: bool = False

    @property
    def told(self) -> str:
        return f"{self.number:,}" + ("+" if self.or_more else "")


@dataclass(frozen=True, slots=True)
class Series:
    """Figures for a small chart, in order: over time they are joined by a line, otherwise each is a bar."""

    title: str
    points: Sequence[tuple[str, int]]
    over_time: bool = True

    @property
    def is_flat(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(value for _, value in self.points)


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead somewhere, with the moment they tell of; `language` where they are not English."""

    words: str
    href: str
    at: datetime | None = None
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingItem:
    """One thing that a person can act on, at the very place where it is done. A POST to `retry` tries failed work anew,
    where that is possible from elsewhere."""

    title: str
    text: str
    href: str
    since: datetime | None = None
    retry: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Things of one kind that wait for the person: how many, where all of them are, and the longest-waiting ones."""

    noun: str
    href: str
    count: int
    items: Sequence[WaitingItem]
    plural: str = ""
    tone: str = "waiting"
    verb: str = "Open"
    or_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A desk at a glance, for one person. Where there is nothing yet, `first_step` is how to begin, if they may."""

    figures: Sequence[Figure] = ()
    series: Series | None = None
    last: Link | None = None
    waiting: Sequence[Waiting] = ()
    first_step: Link | None = None
