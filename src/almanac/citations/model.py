"""A passage of a text, its location, the text there today, and a citation of it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from almanac.language.terms import search_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageLocation:
    """Where a passage is: the desk, the item, the part of the item, and the characters from `start` to `end` of it.

    `path` opens it on this site. `version` is the digest of the part's text when the passage was taken.
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
        """The item and its part, which together identify a text of the desk."""
        return self.item, self.part


@dataclass(frozen=True, kw_only=True)
class Passage:
    """The exact words of a text that can be cited; `url` is where they were published."""

    id: str
    text: str
    title: str
    source: str
    place: PassageLocation
    url: str = ""
    date: dt.date | None = None
    language: str = ""

    @cached_property
    def terms(self) -> Mapping[str, int]:
        """How often each search term occurs in the title and the text."""
        counts: dict[str, int] = {}
        for term in search_terms(f"{self.title}\n{self.text}"):
            counts[term.text] = counts.get(term.text, 0) + 1
        return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentText:
    """The present text of a part of an item, and its digest."""

    text: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageCitation:
    """A document that cites a passage: its code, title, path and owner, and the quoted words."""

    code: str
    title: str
    path: str
    owner_id: str
    passage: str
    part: str
    quote: str
    cited_at: dt.datetime
