"""Values of search: documents, viewers, hits with snippets, and facets with counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, Protocol

from almanac.accounts.permissions import PERMISSIONS, desk_permission

PUBLISHED_FIELD = "published_at"
"""The field of a document that says when it was published, where its date is that of an event."""
SearchOrder = Literal["relevance", "date", "-date"]

# Kinds that people find because they own them, by the desk that one must be allowed to read for it.
OWNED_KINDS = {"habit": "habits", "newsletter": "newsletter", "knowledge": "newsletter"}


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
    """A kind of document: its name, singular and plural for people, and the labels of its facets.

    `value_names` are, by facet, what people see instead of some values; queries may use them as well.
    """

    name: str
    title: str
    plural: str
    facets: Mapping[str, str] = field(default_factory=dict)
    value_names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


class PrincipalLike(Protocol):
    """Whoever searches, as far as search needs to know."""

    @property
    def user_id(self) -> str: ...

    def may(self, permission: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class SearchViewer:
    """What the viewer of a search may see: their own documents but those of `hidden_kinds`, and those of their
    permissions.
    """

    owner: str | None = None
    permissions: frozenset[str] = frozenset()
    sees_everything: bool = False

    hidden_kinds: tuple[str, ...] = ()

    @classmethod
    def for_principal(cls, principal: PrincipalLike) -> "SearchViewer":
        """The viewer for a principal; what it owns at a desk is shown only if it may read there."""
        held = frozenset(right for right in PERMISSIONS if principal.may(right))
        hidden = tuple(kind for kind, desk in OWNED_KINDS.items() if desk_permission(desk, "read") not in held)
        return cls(principal.user_id, held, hidden_kinds=hidden)

    def may(self, permission: str) -> bool:
        return self.sees_everything or permission in self.permissions

    def may_see(self, document: SearchDocument) -> bool:
        owner, permission = document.owner, document.permission
        if self.sees_everything or (owner is None and permission is None):
            return True
        is_own = owner is not None and owner == self.owner and document.kind not in self.hidden_kinds
        return is_own or permission in self.permissions


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
    title_language: str = ""

    def titled_in(self, languages: Sequence[str]) -> "SearchHit":
        """The hit with its title in the first of the languages that it has one in; else with its own."""
        for language in languages:
            if title := self.fields.get(f"title_{language}"):
                marked = self.marked_title if title == self.title else (SnippetSpan(title),)
                return replace(self, title=title, marked_title=marked, title_language=language)
            if language == self.language:
                break
        return self


@dataclass(frozen=True, slots=True)
class FacetCount:
    """A facet value and its number of matches; `or_more` where counting stopped at a limit."""

    value: str
    count: int
    or_more: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """A word of a query and the words that were also searched for; none where one character of it may differ.

    With `is_beginning` every word that begins so was searched for; the alternatives are some of them.
    """

    word: str
    alternatives: tuple[str, ...] = ()
    is_beginning: bool = False


@dataclass(frozen=True, slots=True)
class SearchResults:
    """A page of hits with counts over all matches; facet values are sorted by count.

    Very many matches are not all counted: `or_more` means there are more than the total, and `facets_among` is the
    number of newest documents that facets are counted over (kinds and, with words, languages are counted separately).
    `corrections` are the words that were also searched for, because those of the query have few matches.
    """

    hits: Sequence[SearchHit] = ()
    facets: Mapping[str, Sequence[FacetCount]] = field(default_factory=dict)
    next_cursor: str | None = None
    total: int = 0
    or_more: bool = False
    facets_among: int | None = None
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchSurvey:
    """All matches, counted: with several kinds the best few of each, with one kind its first page."""

    results: SearchResults
    best: Mapping[str, Sequence[SearchHit]] = field(default_factory=dict)
