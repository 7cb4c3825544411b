"""Speeches as readers find them: the words of the record with who said them, where, when and about what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from almanac.desks.recap.model.items import ArticleCard
from almanac.desks.recap.model.speech_filters import SpeechFacet
from almanac.search import Snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechHit:
    """A speech that was found; `text` is the whole of it, `snippet` the part around the words looked for.

    `card` is its meeting's, `key` tells the speaker from namesakes, `bills` are keys, `added_at` is when it was
    first published here.
    """

    card: ArticleCard
    order: int
    speaker: str
    key: str
    group: str
    position: str
    role: str
    reaction: str
    bills: tuple[str, ...]
    text: str
    snippet: Snippet
    url: str
    added_at: datetime


@dataclass(frozen=True, slots=True)
class SpeechFacetValue:
    """A value to filter speeches by, and how many speeches have it."""

    facet: SpeechFacet
    value: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechPage:
    """One page of speeches. `total` is None where nothing was counted; where it isn't exact there are more.

    Facets are counted among so many of the newest, or among all where `facets_among` is None. By relevance only
    so many as `ranked` says are listed, or all where it is None.
    """

    items: Sequence[SpeechHit] = ()
    total: int | None = None
    total_is_exact: bool = True
    facets_among: int | None = None
    facets: Mapping[SpeechFacet, Sequence[SpeechFacetValue]] = field(default_factory=dict)
    ranked: int | None = None
    next_cursor: str | None = None
