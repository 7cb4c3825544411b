"""What search is made of: documents, who may see them, hits with snippets as data, and facets with counts.

Pure values. How a document is taken apart is `terms`; what people type is `syntax`; where it is kept is an adapter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from almanac.accounts.permissions import DESKS, PERMISSIONS, desk_permission

SearchOrder = Literal["relevance", "date", "-date"]

_READ_EVERY_DESK = frozenset(desk_permission(desk, "read") for desk in DESKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDocument:
    """Something that can be found. `kind` and `id` name it; `path` is where it opens on this site.

    `facets` are short values that can be counted and filtered by; `fields` come back with a hit and are not searched.
    With neither `owner` nor `permission` everybody signed in may find it; otherwise its owner and whoever has the
    permission.
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
    """A kind of document: its name, what people call one and several, and the facets its documents have by label."""

    name: str
    title: str
    plural: str
    facets: Mapping[str, str] = field(default_factory=dict)


class PrincipalLike(Protocol):
    """Whoever asks, as far as search is concerned."""

    @property
    def user_id(self) -> str: ...

    def may(self, permission: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class SearchViewer:
    """Whose eyes a search is made with: what is theirs, and what they have the permission for."""

    owner: str | None = None
    permissions: frozenset[str] = frozenset()
    sees_everything: bool = False

    @classmethod
    def for_principal(cls, principal: PrincipalLike) -> "SearchViewer":
        """A principal's eyes. One that may not read everywhere, such as a narrow token, gets no right by ownership."""
        held = frozenset(permission for permission in PERMISSIONS if principal.may(permission))
        return cls(principal.user_id if held >= _READ_EVERY_DESK else None, held)

    def may_see(self, owner: str | None, permission: str | None) -> bool:
        if self.sees_everything or (owner is None and permission is None):
            return True
        return (owner is not None and owner == self.owner) or permission in self.permissions


UNRESTRICTED_VIEWER = SearchViewer(sees_everything=True)


@dataclass(frozen=True, slots=True)
class SnippetSpan:
    """A piece of a snippet; `marked` where it matches the query. Whoever shows it escapes it."""

    text: str
    marked: bool = False


Snippet = tuple[SnippetSpan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A document that was found: what to show of it, without its text."""

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
    """One value of a facet, and how many of the documents found have it; `or_more` where counting ended there."""

    value: str
    count: int
    or_more: bool = False


@dataclass(frozen=True, slots=True)
class SearchResults:
    """One page of what was found, and what is counted over everything found; facets have the most frequent value first.

    Of very many not all are counted: `or_more` says that there are more than the total, and `facets_among` of how many
    of the newest the facets are. Kinds and, with words, languages are not: each of them is counted for itself.
    """

    hits: Sequence[SearchHit] = ()
    facets: Mapping[str, Sequence[FacetCount]] = field(default_factory=dict)
    next_cursor: str | None = None
    total: int = 0
    or_more: bool = False
    facets_among: int | None = None


@dataclass(frozen=True, slots=True)
class SearchSurvey:
    """Everything found, counted: of several kinds the best few of each by its name, of one kind its first page."""

    results: SearchResults
    best: Mapping[str, Sequence[SearchHit]] = field(default_factory=dict)
