"""What readers and operators are shown: lists of articles, one article with its texts, people, histories, tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from almanac.desks.recap.model.filters import Facet
from almanac.desks.recap.model.foreign import ForeignParticipant, ForeignTexts
from almanac.desks.recap.model.items import ArticleCard, LegislativeItem, StoredTerm, TaskStatus
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.search import Correction, Snippet


@dataclass(frozen=True, slots=True)
class ListedArticle:
    """An article in a list; `snippet` shows where the words of a free text stand."""

    card: ArticleCard
    snippet: Snippet = ()


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value to filter by, and how many articles have it."""

    facet: Facet
    value: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticlePage:
    """One page of a list. Facets come with the most frequent value first.

    `total` is known where facets were asked for; where it is not exact there are more. Facets are counted among so many
    of the newest, or among all where `facets_among` is None.
    """

    items: Sequence[ListedArticle] = ()
    total: int | None = None
    total_is_exact: bool = True
    facets_among: int | None = None
    facets: Mapping[Facet, Sequence[FacetValue]] = field(default_factory=dict)
    next_cursor: str | None = None
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FullArticle:
    """An article with all its texts and the official record they rest on. `latest` is the version that counts."""

    card: ArticleCard
    recap: Recap
    meeting: Meeting
    version: int
    latest: int
    updated_at: datetime | None = None
    bills: Sequence[LegislativeItem] = ()
    agenda: Sequence[LegislativeItem] = ()

    @property
    def issue_id(self) -> str:
        return self.meeting.issue_id


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignArticle:
    """An article of another program: what its item says, and its texts. `problem` says why these can't be shown."""

    card: ArticleCard
    description: str = ""
    problem: str = ""
    issue_id: str = ""
    participants: Sequence[ForeignParticipant] = ()
    keywords: Sequence[str] = ()
    terms: Sequence[StoredTerm] = ()
    texts: ForeignTexts = field(default_factory=ForeignTexts)
    updated_at: datetime | None = None


def foreign_asset(article: ForeignArticle) -> dict[str, object]:
    """What another program wrote, in its own documented form; for the API and exports."""
    return {
        "title": article.card.title,
        "description": article.description,
        "categories": article.card.categories,
        "participants": [
            {
                "name": person.name,
                "position": person.details,
                "summary": person.summary,
                "based_on_orders": person.orders,
            }
            for person in article.participants
        ],
        "keywords": article.keywords,
        "terms": article.terms,
        **article.texts.fields,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleVersionView:
    """One version of an article: when it was made, by what, and why.

    One that `is_edited` has the texts of the version before it, changed by an editor.
    """

    number: int
    title: str
    made_at: datetime
    model: str
    prompt_version: str
    record_digest: str
    reason: str
    is_edited: bool = False


RecapPart = Literal[
    "title",
    "description",
    "categories",
    "key_points",
    "summary",
    "soft_language_summary",
    "middle_summary",
    "dialogs",
    "participants",
    "keywords",
    "terms",
    "record",
]


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """A line of one part that is only in the older (`removed`) or only in the newer version (`added`)."""

    part: RecapPart
    kind: Literal["added", "removed"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingTimelineEntry:
    """One sitting in the history of a bill, an item of the agenda or a record; `outcome` is what it decided."""

    card: ArticleCard
    title: str = ""
    outcome: str = ""
    orders: Sequence[int] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingTimeline:
    """A bill, an item of the agenda or a record across sittings and houses, from its beginning."""

    key: str
    title: str
    entries: Sequence[MeetingTimelineEntry]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonOffice:
    """What a person was on one day, as the record says."""

    day: date
    group: str
    position: str
    role: str
    article_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonIdentity:
    """One person among namesakes: told apart by the reading of the name."""

    key: str
    name: str
    yomi: str
    articles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """A person: who else has the name, what they were when (the latest first), and their articles."""

    identity: PersonIdentity
    namesakes: Sequence[PersonIdentity]
    offices: Sequence[PersonOffice]
    articles: ArticlePage


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechQuotation:
    """What a person said in one speech, in the words of the record."""

    card: ArticleCard
    order: int
    sentences: Sequence[str]
    path: str
    official_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecapHeadlines:
    """The desk at a glance: the latest articles, the keywords and the people of the last weeks."""

    latest: Sequence[ArticleCard]
    keywords: Sequence[FacetValue]
    people: Sequence[FacetValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingTaskView:
    """A meeting on its way to becoming an article; `is_ours` is false where another program is to write about it."""

    pk: str
    status: TaskStatus
    issue_id: str
    session: int | None
    house: str
    meeting: str
    date: str
    speeches: int
    mode: str
    model: str
    prompt_version: str
    attempts: int
    retries: int
    is_ours: bool
    chunks: int
    chunks_done: int
    article_id: str
    error: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorReportView:
    """What a reader says is wrong with an article, and the answer; `correction_id` is what it led to."""

    article_id: str
    report_id: str
    status: Literal["open", "closed"]
    text: str
    order: int | None
    version: int | None
    by: str
    from_public: bool
    answer: str
    created_at: datetime
    closed_at: datetime | None = None
    correction_id: str = ""
