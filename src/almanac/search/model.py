"""Values of search: documents, viewers, hits with snippets, and facets with counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from almanac.accounts.permissions import DESKS, PERMISSIONS, desk_permission

SearchOrder = Literal["relevance", "date", "-date"]

_READ_EVERY_DESK = frozenset(desk_permission(desk, "read") for desk in DESKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDocument:
    """Something that can be found, named by `kind` and `id`; `path` is where it opens on this site.

    `facets` are short values to count and filter by; `fields` are returned with a hit and not searched. Without `owner`
    and `permission` everybody signed in may find it; otherwise its owner and whoever has the permission.
    """

    kind: str
    id: str
    title: str
    path: str
    body: str = ""
    language: str = ""
    date: datetime | None = None
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    owner: str | None = None
    permission: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of document: its name, singular and plural for people, and the labels of its facets."""

    name: str
    title: str
    plural: str
    facets: Mapping[str, str] = field(default_factory=dict)


class PrincipalLike(Protocol):
    """Whoever searches, as far as search needs to know."""

    @property
    def user_id(self) -> str: ...

    def may(self, permission: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class SearchViewer:
    """What the viewer of a search may see: their own documents, and those of their permissions."""

    owner: str | None = None
    permissions: frozenset[str] = frozenset()
    sees_everything: bool = False

    @classmethod
    def for_principal(cls, principal: PrincipalLike) -> "SearchViewer":
        """The viewer for a principal. One that may not read every desk, such as a narrow token, gets no access by
        ownership.
        """
        held = frozenset(permission for permission in PERMISSIONS if principal.may(permission))
        return cls(principal.user_id if held >= _READ_EVERY_DESK else None, held)

    def may_see(self, owner: str | None, permission: str | None) -> bool:
        if self.sees_everything or (owner is None and permission is None):
            return True
        return (owner is not None and owner == self.owner) or permission in self.permissions


UNRESTRICTED_VIEWER = SearchViewer(sees_everything=True)


@dataclass(frozen=True, slots=True)
class SnippetSpan:
    """A piece of a snippet; `marked` where it matches the query. Not escaped."""

    text: str
    marked: bool = False


Snippet = tuple[SnippetSpan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A found document, without its text."""

    kind: str
    id: str
    title: str
    path: str
    language: str
    date: datetime | None
    facets: Mapping[str, tuple[str, ...]]
    fields: Mapping[str, str]
    score: float
    marked_title: Snippet
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class FacetCount:
    """A facet value and its number of matches; `or_more` where counting stopped at a limit."""

    value: str
    count: int
    or_more: bool = False


@dataclass(frozen=True, slots=True)
class SearchResults:
    """A page of hits with counts over all matches; facet values are sorted by count.

    Very many matches are not all counted: `or_more` means there are more than the total, and `facets_among` is the
    number of newest documents that facets are counted over (kinds and, with words, languages are counted separately).
    """

    hits: Sequence[SearchHit] = ()
    facets: Mapping[str, Sequence[FacetCount]] = field(default_factory=dict)
    next_cursor: str | None = None
    total: int = 0
    or_more: bool = False
    facets_among: int | None = None


@dataclass(frozen=True, slots=True)
class SearchSurvey:
    """All matches, counted: with several kinds the best few of each, with one kind its first page."""

    results: SearchResults
    best: Mapping[str, Sequence[SearchHit]] = field(default_factory=dict)
