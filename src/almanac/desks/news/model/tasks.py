"""Query tasks: what they search for, their sources, their schedule and the results of their runs."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Literal

from almanac.desks.news.model.links import FoundLink
from almanac.errors import FieldErrors, InputError
from almanac.jobs.cron import check_cron, next_due
from almanac.kit.dates import is_time_zone
from almanac.kit.messages import gettext
from almanac.kit.time_zones import describe_unknown_zone

NAME_LIMIT, PROMPT_LIMIT, ADDRESS_LIMIT, MOST_SOURCES = 255, 5000, 2000, 500
Trigger = Literal["schedule", "by hand", "command"]
SCHEDULE_LABELS = {"hourly": "0 * * * *", "daily": "0 6 * * *", "weekly": "0 6 * * 1", "weekdays": "0 6 * * 1-5"}
BY_HAND = frozenset({"", "manual", "none", "never"})


class LinkSourceKind(StrEnum):
    """Where links come from: a feed, a page with links, a search endpoint, a model that searches the web."""

    FEED = "feed"
    SITE = "site"
    SEARCH = "search"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSource:
    """One place that a task looks at. A search or a model needs no address."""

    kind: LinkSourceKind
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
    sources: tuple[LinkSource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEdit:
    """What to set; None leaves it as it is, or at its default in a new task. An empty schedule means by hand only."""

    task_name: str | None = None
    prompt_template: str | None = None
    is_active: bool | None = None
    schedule: str | None = None
    time_zone: str | None = None
    sources: tuple[LinkSource, ...] | None = None


@dataclass(frozen=True, slots=True)
class TaskTemplate:
    """A task to begin from: its name, what it looks for, and how often."""

    name: str
    prompt: str
    schedule: str


TASK_TEMPLATES = (
    TaskTemplate("Renewable energy in Malaysia", "Malaysia renewable energy news {month}", "daily"),
    TaskTemplate("Renewable energy in ASEAN", "ASEAN renewable energy news {month}", "daily"),
    TaskTemplate("Solar in Malaysia", "Malaysia solar energy LSS rooftop NEM news {month}", "daily"),
    TaskTemplate("Electric vehicles in Malaysia", "Malaysia electric vehicles EV charging news {month}", "daily"),
    TaskTemplate("Electric vehicles in ASEAN", "ASEAN electric vehicles battery factory news {month}", "daily"),
    TaskTemplate("Energy policy in ASEAN", "ASEAN energy policy tariff regulation power grid news {month}", "daily"),
    TaskTemplate("Energy technology", "energy storage battery hydrogen solar technology news {month}", "daily"),
    TaskTemplate("AI and energy", "artificial intelligence data centre energy demand news {month}", "daily"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRun:
    """One run of a task: how many links it found, how many of them were new, already known, or not to be read."""

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
class TaskPreview:
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


def parse_schedule(schedule: str, time_zone: str) -> str | None:
    """The cron line that a schedule stands for; None where a task runs by hand only; InputError for nonsense."""
    label = schedule.strip().lower()
    if label in BY_HAND:
        return None
    cron = SCHEDULE_LABELS.get(label, schedule.strip())
    check_cron(cron, time_zone)
    return cron


def next_run(schedule: str | None, time_zone: str, after: datetime) -> datetime | None:
    """The next moment at which a task is due, in UTC."""
    cron = parse_schedule(schedule or "", time_zone)
    return next_due(cron, time_zone, after) if cron else None


def schedule_problem(task: QueryTask, *, default_zone: str) -> str | None:
    """Why a task can't run by itself, if its schedule can't be read; other programs write descriptions there."""
    try:
        parse_schedule(task.schedule or "", task.time_zone or default_zone)
    except InputError as error:
        return error.sentence
    return None


def check_task_edit(edit: TaskEdit, *, default_zone: str) -> None:
    """Refuse, with a sentence for each field, what can't be stored or run."""
    wrong: dict[str, str] = {}
    if edit.task_name is not None and not 0 < len(edit.task_name.strip()) <= NAME_LIMIT:
        wrong["task_name"] = gettext("Enter a name of 1 to %(limit)s characters.", limit=NAME_LIMIT)
    if edit.prompt_template is not None and not 0 < len(edit.prompt_template.strip()) <= PROMPT_LIMIT:
        wrong["prompt_template"] = gettext(
            "Say what to look for, in 1 to %(limit)s characters.", limit=f"{PROMPT_LIMIT:,}"
        )
    if edit.time_zone and not is_time_zone(edit.time_zone):
        wrong["time_zone"] = describe_unknown_zone(edit.time_zone)
    try:
        parse_schedule(edit.schedule or "", default_zone)
    except InputError as error:
        wrong["schedule"] = error.sentence
    if edit.sources is not None and (sentence := _wrong_sources(edit.sources)):
        wrong["sources"] = sentence
    if wrong:
        raise FieldErrors(wrong)


def _wrong_sources(sources: tuple[LinkSource, ...]) -> str | None:
    if len(sources) > MOST_SOURCES:
        return gettext("A task may have %(limit)s sources at most; make another task for the rest.", limit=MOST_SOURCES)
    for source in sources:
        if source.kind in (LinkSourceKind.FEED, LinkSourceKind.SITE) and not source.address.startswith(
            ("http://", "https://")
        ):
            return gettext("A feed or site needs its address, which starts with http:// or https://.")
        if len(source.address) > ADDRESS_LIMIT:
            return gettext("An address may have %(limit)s characters at most.", limit=f"{ADDRESS_LIMIT:,}")
    return None


def fill_prompt(template: str, now: datetime) -> str:
    """The words to search for: `{today}`, `{month}` and `{year}` stand for those of the run."""
    day = now.astimezone(UTC)
    words = {"{today}": f"{day:%-d %B %Y}", "{month}": f"{day:%B %Y}", "{year}": f"{day:%Y}"}
    for mark, text in words.items():
        template = template.replace(mark, text)
    return template.strip()
