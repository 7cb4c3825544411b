"""Request and response bodies of the desk's API."""

from datetime import date, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from almanac.desks.recap.model.filters import Facet
from almanac.desks.recap.model.foreign import ForeignDialog
from almanac.desks.recap.model.items import ArticleCard, ReportStatus
from almanac.desks.recap.model.speech_filters import SpeechFacet
from almanac.desks.recap.model.speech_views import SpeechHit
from almanac.desks.recap.model.views import (
    ForeignArticle,
    FullArticle,
    ListedArticle,
    PersonIdentity,
    PersonOffice,
    RecapPart,
    foreign_asset,
)
from almanac.desks.recap.urls import WORKSPACE
from almanac.http.api_models import ApiModel, Text
from almanac.kit.json_text import to_builtins


class SnippetSpanBody(ApiModel):
    """A piece of text, marked where it matches."""

    text: str
    marked: bool


class ListedArticleBody(ApiModel):
    """An article that was found."""

    id: str
    title: str
    date: str
    month: str | None
    image_kind: str | None
    session: int | None
    name_of_house: str | None
    name_of_meeting: str | None
    categories: list[str]
    description: str | None
    snippet: list[SnippetSpanBody] = Field(description="Where the words stand; empty without words.")

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, listed: object) -> object:
        if not isinstance(listed, ListedArticle):
            return listed
        return {name: getattr(listed if name == "snippet" else listed.card, name) for name in cls.model_fields}


class FacetValueBody(ApiModel):
    """A value to filter by, and how many articles have it."""

    facet: Facet
    value: str
    count: int


class ArticlePageBody(ApiModel):
    """One page of articles; facets and total only where facets were asked for."""

    items: list[ListedArticleBody]
    next_cursor: str | None = Field(description="Send it as `cursor` for the next page; null where the list ends.")
    total: int | None
    total_is_exact: bool = Field(description="False where there are more.")
    facets_among: int | None = Field(description="Of how many of the newest facets are counted; null where of all.")
    facets: dict[Facet, list[FacetValueBody]]


class SpeechHitBody(ApiModel):
    """A speech that was found, in the words of the official record."""

    card: ArticleCard = Field(description="Its meeting.")
    order: int
    speaker: str
    key: str = Field(description="Tells the speaker from namesakes.")
    group: str
    position: str
    role: str
    reaction: str = Field(description="What the speech does, such as 質問 or 反対.")
    bills: list[str] = Field(description="Keys of the bills that it is about.")
    text: str
    snippet: list[SnippetSpanBody] = Field(description="The words around the match, or the beginning.")
    url: str = Field(description="The speech in the official record; empty where that has no address of it.")
    path: str = Field(description="Its permanent address here.")
    added_at: datetime = Field(description="When its meeting was first published here.")

    @model_validator(mode="before")
    @classmethod
    def _with_path(cls, hit: object) -> object:
        if not isinstance(hit, SpeechHit):
            return hit
        values = {name: getattr(hit, name) for name in cls.model_fields if name != "path"}
        return {**values, "path": WORKSPACE.speech(hit.card.id, hit.order)}


class SpeechFacetValueBody(ApiModel):
    """A value to filter by, and how many speeches have it."""

    facet: SpeechFacet
    value: str
    count: int


class SpeechPageBody(ApiModel):
    """One page of speeches; facets and total only where facets were asked for."""

    items: list[SpeechHitBody]
    next_cursor: str | None = Field(description="Send it as `cursor` for the next page; null where the list ends.")
    total: int | None
    total_is_exact: bool = Field(description="False where there are more.")
    facets_among: int | None = Field(description="Of how many of the newest facets are counted; null where of all.")
    ranked: int | None = Field(description="By relevance only so many are listed; null where all are.")
    facets: dict[SpeechFacet, list[SpeechFacetValueBody]]


class RecapHeadlinesBody(ApiModel):
    """The desk at a glance."""

    latest: list[ArticleCard]
    keywords: list[FacetValueBody]
    people: list[FacetValueBody]


class SpeechBody(ApiModel):
    """A speech in the words of the official record."""

    order: int
    id: str
    speaker: str
    yomi: str | None
    group: str | None
    position: str | None
    role: str | None
    text: str
    url: str | None


class RecapArticleBody(ApiModel):
    """An article with its texts; `asset` is what `asset.json` holds, `speeches` the record it rests on.

    Where another program wrote it, `asset` is as that program keeps it, `speeches` are those whose words it kept, and
    `problem` says what can't be read here.
    """

    article: ArticleCard
    issue_id: str
    version: int
    latest: int
    updated_at: datetime | None
    official_url: str | None
    asset: dict[str, Any]
    speeches: list[SpeechBody]
    problem: str | None = None

    @classmethod
    def from_article(cls, full: FullArticle) -> Self:
        return cls(
            article=full.card,
            issue_id=full.issue_id,
            version=full.version,
            latest=full.latest,
            updated_at=full.updated_at,
            official_url=full.meeting.url,
            asset=to_builtins(full.recap),
            speeches=[SpeechBody.model_validate(speech) for speech in full.meeting.speeches],
        )

    @classmethod
    def from_foreign(cls, foreign: ForeignArticle) -> Self:
        return cls(
            article=foreign.card,
            issue_id=foreign.issue_id,
            version=1,
            latest=1,
            updated_at=foreign.updated_at,
            official_url=None,
            asset=foreign_asset(foreign),
            speeches=[_foreign_speech(dialog) for dialog in foreign.texts.dialogs if dialog.original],
            problem=foreign.problem or None,
        )


def _foreign_speech(dialog: ForeignDialog) -> SpeechBody:
    return SpeechBody(
        order=dialog.order,
        id="",
        speaker=dialog.speaker,
        yomi=dialog.yomi or None,
        group=dialog.group or None,
        position=dialog.position or None,
        role=None,
        text=dialog.original,
        url=None,
    )


class GroupVoteBody(ApiModel):
    """How a group voted."""

    name: str
    in_favour: int
    against: int


class DecisionVotesBody(ApiModel):
    """The official result by group of one decision of an article."""

    decision: int = Field(description="Which of the decisions in the facts of the article's asset, from 0.")
    title: str = Field(description="As the official result has it.")
    in_favour: int
    against: int
    groups: list[GroupVoteBody]
    source: str


class ArticleVersionBody(ApiModel):
    """One version of an article."""

    number: int
    title: str
    made_at: datetime
    model: str
    prompt_version: str
    record_digest: str
    reason: str


class VersionDifferenceBody(ApiModel):
    """A line that is only in the older or only in the newer version."""

    part: RecapPart
    kind: Literal["added", "removed"]
    text: str


class MeetingTimelineEntryBody(ApiModel):
    """One sitting in a history, with what it decided."""

    card: ArticleCard
    title: str
    outcome: str
    orders: list[int]


class MeetingTimelineBody(ApiModel):
    """A history from its beginning."""

    key: str
    title: str
    entries: list[MeetingTimelineEntryBody]


class ParliamentPersonBody(ApiModel):
    """A person, who else has the name, what they were when, and their articles."""

    identity: PersonIdentity
    namesakes: list[PersonIdentity]
    offices: list[PersonOffice]
    articles: ArticlePageBody


class SpeechQuotationBody(ApiModel):
    """What a person said in one speech, in the words of the record."""

    card: ArticleCard
    order: int
    sentences: list[str]
    path: str
    official_url: str


class ErrorReportInput(ApiModel):
    """What is wrong, perhaps with one speech."""

    text: Text
    order: Annotated[int, Field(ge=0, le=10**6)] | None = None


class ReportAnswerInput(ApiModel):
    """The outcome of a report."""

    answer: Text


class ErrorReportBody(ApiModel):
    """What a reader says is wrong with an article."""

    article_id: str
    report_id: str
    status: ReportStatus
    text: str
    order: int | None
    version: int | None
    by: str
    from_public: bool
    answer: str
    created_at: datetime


class CollectionInput(ApiModel):
    """Days to collect, both included."""

    since: date = Field(alias="from")
    until: date


class CollectionStartedBody(ApiModel):
    """The job that does it; follow it at `/api/v1/jobs/{job_id}`."""

    job_id: int
