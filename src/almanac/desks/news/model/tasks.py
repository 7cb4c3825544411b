"""What a query task is: its words, its sources, when it runs, and what its runs found."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Literal

from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.schedule import cron_of
from almanac.errors import FieldErrors, InputError

NAME_LIMIT, PROMPT_LIMIT, ADDRESS_LIMIT, MOST_SOURCES = 255, 5000, 2000, 500
Trigger = Literal["schedule", "by hand", "command"]


class SourceKind(StrEnum):
    """Where links come from: a feed, a page with links, a search endpoint, a model that searches the web."""

    FEED = "feed"
    SITE = "site"
    SEARCH = "search"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One place that a task looks at. A search or a model needs no address."""

    kind: SourceKind
    address: str = ""
    title: str = ""
    id: int = 0
    etag: str | None = None
    last_modified: str | None = None
    last_fetched: datetime | None = None
    last_error: str | None = None
    failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTask:
    """A row of `query_tasks` with its sources. `version` guards edits."""

    id: int
    task_name: str
    prompt_template: str
    is_active: bool
    schedule: str | None
    time_zone: str | None
    last_run: datetime | None
    next_run: datetime | None
    total_runs: int
    total_links_found: int
    created_at: datetime | None
    updated_at: datetime | None
    version: int
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEdit:
    """What to set; None leaves it as it is, or at its default in a new task. An empty schedule means by hand only."""

    task_name: str | None = None
    prompt_template: str | None = None
    is_active: bool | None = None
    schedule: str | None = None
    time_zone: str | None = None
    sources: tuple[Source, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a task: how many links it found, how many of them were new, known already, or not to be read."""

    id: int
    task_id: int
    trigger: str
    job_id: int | None
    started_at: datetime
    finished_at: datetime | None
    status: str
    found: int
    added: int
    duplicate: int
    blocked: int
    refused: int
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a run would find now, without keeping any of it."""

    links: list[FoundLink] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """What came of everything that a task found, and what the writing cost."""

    found: int
    added: int
    duplicate: int
    blocked: int
    failed: int
    completed: int
    waiting: int
    cost: float

    @property
    def cost_per_article(self) -> float | None:
        """US dollars for each article that became readable."""
        return self.cost / self.completed if self.completed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCount:
    """What came of the links that a task found on one day."""

    day: date
    found: int
    completed: int
    failed: int
    blocked: int
    duplicate: int


def schedule_problem(task: QueryTask, *, default_zone: str) -> str | None:
    """Why a task can't run by itself, if its schedule can't be read; other programs write descriptions there."""
    try:
        cron_of(task.schedule or "", task.time_zone or default_zone)
    except InputError as error:
        return error.sentence
    return None


def check_edit(edit: TaskEdit, *, default_zone: str) -> None:
    """Refuse, with a sentence for each field, what can't be stored or run."""
    wrong: dict[str, str] = {}
    if edit.task_name is not None and not 0 < len(edit.task_name.strip()) <= NAME_LIMIT:
        wrong["task_name"] = f"Give the task a name of 1 to {NAME_LIMIT} characters."
    if edit.prompt_template is not None and not 0 < len(edit.prompt_template.strip()) <= PROMPT_LIMIT:
        wrong["prompt_template"] = f"Say what to look for, in 1 to {PROMPT_LIMIT:,} characters."
    try:
        cron_of(edit.schedule or "", edit.time_zone or default_zone)
    except InputError as error:
        wrong["schedule"] = error.sentence
    if edit.sources is not None and (sentence := _wrong_sources(edit.sources)):
        wrong["sources"] = sentence
    if wrong:
        raise FieldErrors(wrong)


def _wrong_sources(sources: tuple[Source, ...]) -> str | None:
    if len(sources) > MOST_SOURCES:
        return f"A task may have {MOST_SOURCES} sources at most; make another task for the rest."
    for source in sources:
        if source.kind in (SourceKind.FEED, SourceKind.SITE) and not source.address.startswith(("http://", "https://")):
            return "A feed or site needs its address, which starts with http:// or https://."
        if len(source.address) > ADDRESS_LIMIT:
            return f"An address may have {ADDRESS_LIMIT:,} characters at most."
    return None


def filled_prompt(template: str, now: datetime) -> str:
    """The words to search for: `{today}`, `{month}` and `{year}` stand for those of the run."""
    day = now.astimezone(UTC)
    words = {"{today}": f"{day:%-d %B %Y}", "{month}": f"{day:%B %Y}", "{year}": f"{day:%Y}"}
    for mark, text in words.items():
        template = template.replace(mark, text)
    return template.strip()
