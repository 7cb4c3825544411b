"""Request and response bodies of the desk's API. Links, rules, tasks, runs and blocks are returned as they are."""

from datetime import date, datetime
from typing import Any

from pydantic import Field

from almanac.desks.news.api.dependencies import Words
from almanac.desks.news.model.articles import LANGUAGES, Bullet, NewsArticle, StoryFallback, StorySource
from almanac.desks.news.model.links import FoundLink, LinkStatus, NewsLink
from almanac.desks.news.model.rules import RuleAction
from almanac.desks.news.model.tasks import DayCount, LinkSource, LinkSourceKind, TaskEdit, TaskPreview
from almanac.desks.news.service import tasks
from almanac.http.api_models import ApiModel
from almanac.jobs import JobStatus
from almanac.llm.answer import DroppedSentence

_COPIED = (
    "id",
    "url",
    "domain",
    "source_task",
    "title",
    "content",
    "tags",
    "country",
    "news_date",
    "language",
    "discovered_at",
    "processed_at",
)


class StoryBody(ApiModel):
    """A story by its first article. `translations` says for each language: original, translated, partly translated
    or not translated."""

    id: int
    url: str
    domain: str
    source_task: str | None
    title: str
    title_en: str | None
    title_zh: str | None
    title_ms: str | None
    content: str
    translated_content: dict[str, list[str]]
    translations: dict[str, str]
    tags: list[str]
    country: str | None
    news_date: date | None
    language: str
    story: int
    sources: list[StorySource]
    discovered_at: datetime | None
    processed_at: datetime | None

    @classmethod
    def from_article(cls, article: NewsArticle) -> "StoryBody":
        return cls(**_members(article))


class FullStoryBody(StoryBody):
    """A story with its points, the text of its article, and how it was written."""

    points: list[Bullet]
    article: str
    writer: str | None
    dropped: list[DroppedSentence] = Field(description="Sentences that were written and aren't shown, with the reason.")
    instructions: list[str] = Field(description="Sentences of the page that are addressed to machines; none is used.")
    fallback: StoryFallback | None = Field(description="Why sentences of the article stand in for those of a model.")

    @classmethod
    def from_article(cls, article: NewsArticle) -> "FullStoryBody":
        # Other programs may store anything under these names.
        writer = article.metadata.get("writer")
        return cls(
            **_members(article),
            points=list(article.points),
            article=article.article,
            writer=writer if isinstance(writer, str) else None,
            dropped=list(article.dropped),
            instructions=list(article.instructions),
            fallback=article.fallback,
        )


def _members(article: NewsArticle) -> dict[str, Any]:
    return {
        **{name: getattr(article, name) for name in _COPIED},
        **{f"title_{language}": article.titles.get(language) for language in LANGUAGES},
        "translated_content": {language: article.bullets.get(language, []) for language in LANGUAGES},
        "translations": dict(article.states),
        "story": article.cluster,
        "sources": list(article.sources),
    }


class ImportedOpmlBody(ApiModel):
    """How many feeds the list names, and the task that has them now."""

    feeds: int
    task_name: str


class AddLinksRequest(ApiModel):
    """Addresses to read; `source_task` names the task that is credited with them."""

    urls: list[Words] = Field(max_length=10_000, examples=[["https://example.org/news/1"]])
    source_task: Words | None = None


class LinkTallyBody(ApiModel):
    """What came of the addresses: new, already known, of blocked sites, or invalid."""

    found: int
    added: int
    duplicate: int
    blocked: int
    refused: int


class RetryLinksRequest(ApiModel):
    """Which links to retry: all failed or blocked ones, or those with a cause or domain."""

    status: LinkStatus = LinkStatus.FAILED
    cause: Words | None = None
    domain: Words | None = None


class RetriedLinksBody(ApiModel):
    """How many links are queued again."""

    retried: int


class FateBody(ApiModel):
    """What became of an address, in one sentence and in detail."""

    url: str
    canonical_url: str
    status: str = Field(description="That of the link, or `unknown`.")
    sentence: str
    link: NewsLink | None
    found_by: list[str]
    also_known_as: list[str]
    story: int | None
    blocked_until: datetime | None
    next_attempt_at: datetime | None


class RulePatch(ApiModel):
    """What to change; members that are left out keep their value. A rule that isn't active does nothing."""

    name: Words | None = None
    action: RuleAction | None = None
    query: Words | None = Field(None, examples=["solar country:MY -rooftop"])
    tag: Words | None = None
    is_active: bool | None = None


class NewRuleRequest(RulePatch):
    """A rule to add: its name, its action, and the query for its articles."""

    name: Words
    action: RuleAction
    query: Words = Field(examples=["solar country:MY -rooftop"])
    is_active: bool = True


class DomainBody(ApiModel):
    """A domain: how it answers, how many links are waiting, and when it may be asked next."""

    domain: str
    requests: int
    succeeded: int
    failed: int
    refused: int
    failures_in_a_row: int
    last_status: int | None
    last_problem: str | None
    last_success_at: datetime | None
    last_request_at: datetime | None
    next_request_at: datetime
    delay_ms: int | None
    waiting: int
    blocked_until: datetime | None


class BlockSiteRequest(ApiModel):
    """A site to block, for some days or until it is unblocked; or, with `is_allowed`, one to allow always."""

    domain: Words = Field(examples=["example.org"])
    reason: Words = ""
    days: int | None = None
    is_allowed: bool = False


class FreedLinksBody(ApiModel):
    """How many blocked links are queued again."""

    freed: int


class TaskSourceRequest(ApiModel):
    """A source of links."""

    kind: LinkSourceKind = LinkSourceKind.FEED
    address: Words = Field("", examples=["https://example.org/feed.xml"])
    title: Words = ""

    def to_source(self) -> LinkSource:
        return LinkSource(kind=self.kind, address=self.address.strip(), title=self.title)


class TaskRequest(ApiModel):
    """What to set; members that are left out keep their value, or get their default in a new task."""

    task_name: Words | None = None
    prompt_template: Words | None = None
    is_active: bool | None = None
    schedule: Words | None = Field(None, description="A cron line, or hourly, daily, weekdays, weekly; empty: by hand.")
    time_zone: Words | None = Field(None, examples=["Asia/Kuala_Lumpur"])
    sources: list[TaskSourceRequest] | None = Field(None, max_length=1000)

    def to_edit(self) -> TaskEdit:
        return TaskEdit(
            task_name=self.task_name,
            prompt_template=self.prompt_template,
            is_active=self.is_active,
            schedule=self.schedule,
            time_zone=self.time_zone,
            sources=None if self.sources is None else tuple(source.to_source() for source in self.sources),
        )


class StartedJobBody(ApiModel):
    """The job that was queued; watch it at `/api/v1/jobs/{job_id}`."""

    job_id: int


class ScorecardBody(ApiModel):
    """The results of a task, and the cost of each readable article."""

    found: int
    added: int
    duplicate: int
    blocked: int
    failed: int
    completed: int
    waiting: int
    cost: float
    cost_per_article: float | None
    days: list[DayCount]


class TaskPreviewBody(ApiModel):
    """The status of a preview, and what a run would find; empty until its job has succeeded."""

    status: JobStatus
    doing: str
    links: list[FoundLink]
    problems: list[str]

    @classmethod
    def from_job(cls, preview: tasks.PreviewJob) -> "TaskPreviewBody":
        job, result = preview.detail.job, preview.found or TaskPreview()
        problems = result.problems or ([job.reason] if job.reason else [])
        return cls(status=job.status, doing=job.doing or "", links=result.links, problems=problems)
