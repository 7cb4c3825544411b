"""A passage with the place it stands at, the words that stand there now, and a use of it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from almanac.language import search_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a passage stands: the desk that has it, the item and the part of it, and which characters of that.

    `path` opens it on this site. `version` names the words of the part as they were when the passage was cut.
    """

    desk: str
    item: str
    part: str = ""
    version: str = ""
    path: str = ""
    start: int = 0
    end: int = 0

    @property
    def name(self) -> tuple[str, str]:
        """The item and its part, as the desk knows them."""
        return self.item, self.part


@dataclass(frozen=True, kw_only=True)
class Passage:
    """The very words of a text that can be cited; `url` is where they were published."""

    id: str
    text: str
    title: str
    source: str
    place: Place
    url: str = ""
    date: dt.date | None = None
    language: str = ""

    @cached_property
    def terms(self) -> Mapping[str, int]:
        """How often each term occurs; the title counts along."""
        counts: dict[str, int] = {}
        for term in search_terms(f"{self.title}\n{self.text}"):
            counts[term.text] = counts.get(term.text, 0) + 1
        return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsNow:
    """What a part of an item says today."""

    text: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A document that cites a passage: its code, title and address, whose it is, and the words it rests on."""

    code: str
    title: str
    path: str
    owner_id: str
    passage: str
    part: str
    quote: str
    cited_at: dt.datetime
