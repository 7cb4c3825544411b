"""API: query tasks, their runs, and running one now."""

from datetime import date, datetime

from fastapi import Request, Response
from pydantic import Field

from almanac.desks.news import service
from almanac.desks.news.model.tasks import QueryTask, Run, Source, SourceKind, TaskEdit
from almanac.desks.news.model.templates import TEMPLATES
from almanac.desks.news.routes.parts import PREFIX, Editor, Name, Reader, StartedBody, Words, new_router
from almanac.http.api_models import Listed, Model
from almanac.http.etags import IfMatch, edited_version, etag
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.http.surface import surface_of

router = new_router()


class SourceWish(Model):
    """A place to look at."""

    kind: SourceKind = SourceKind.FEED
    address: Words = Field("", examples=["https://example.org/feed.xml"])
    title: Words = ""


class SourceBody(SourceWish):
    """A place that a task looks at, and how it answered last."""

    last_fetched: datetime | None
    last_error: str | None
    failures: int


class TaskBody(Model):
    """A query task."""

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
    version: int = Field(description="Rises with each edit; send it back in If-Match.")
    sources: list[SourceBody]

    @classmethod
    def of(cls, task: QueryTask) -> "TaskBody":
        return cls.model_validate(task)


class TaskWish(Model):
    """What to set; what is left out stays as it is, or has its default in a new task."""

    task_name: Words | None = None
    prompt_template: Words | None = None
    is_active: bool | None = None
    schedule: Words | None = Field(None, description="A cron line, or hourly, daily, weekdays, weekly; empty: by hand.")
    time_zone: Words | None = Field(None, examples=["Asia/Kuala_Lumpur"])
    sources: list[SourceWish] | None = Field(None, max_length=1000)

    def value(self) -> TaskEdit:
        sources = self.sources
        told = None if sources is None else tuple(
            Source(kind=one.kind, address=one.address.strip(), title=one.title) for one in sources
        )  # fmt: skip
        return TaskEdit(
            task_name=self.task_name, prompt_template=self.prompt_template, is_active=self.is_active,
            schedule=self.schedule, time_zone=self.time_zone, sources=told,
        )  # fmt: skip


class RunBody(Model):
    """One run: what it found, and what of it was new, known already, on a blocked site, or no address."""

    id: int
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
    problems: list[str]

    @classmethod
    def of(cls, run: Run) -> "RunBody":
        return cls(**{name: getattr(run, name) for name in cls.model_fields})


class DayBody(Model):
    """What came of the links found on one day."""

    day: date
    found: int
    completed: int
    failed: int
    blocked: int
    duplicate: int


class ScorecardBody(Model):
    """What came of everything that a task found, and the price of each article that became readable."""

    found: int
    added: int
    duplicate: int
    blocked: int
    failed: int
    completed: int
    waiting: int
    cost: float
    cost_per_article: float | None
    days: list[DayBody]


class FoundBody(Model):
    """A link that a run would find."""

    url: str
    title: str
    published: date | None


class PreviewBody(Model):
    """What a run would find now."""

    links: list[FoundBody]
    problems: list[str]


class TemplateBody(Model):
    """A task to begin from."""

    name: str
    prompt: str
    schedule: str


@router.get("/tasks")
async def list_tasks(request: Request, _principal: Reader) -> Listed[TaskBody]:
    """Every task, by name."""
    found = await service.list_tasks(surface_of(request).services)
    return Listed(items=[TaskBody.of(task) for task in found], next_cursor=None)


@router.get("/templates")
async def list_templates(_principal: Reader) -> list[TemplateBody]:
    """The tasks that come with the desk, to begin from."""
    return [TemplateBody.model_validate(template) for template in TEMPLATES]


@router.post("/tasks", status_code=201, responses=documented_problems(409))
async def create_task(request: Request, response: Response, wish: TaskWish, principal: Editor) -> TaskBody:
    """Add a task."""
    made = await service.create_task(surface_of(request).services, principal, wish.value())
    response.headers["Location"] = f"{PREFIX}/tasks/{made.task_name}".encode("ascii", "ignore").decode()
    response.headers["ETag"] = etag(made.version)
    return TaskBody.of(made)


@router.get("/tasks/{name}")
async def get_task(request: Request, response: Response, name: Name, _principal: Reader) -> TaskBody:
    """One task."""
    task = await service.get_task(surface_of(request).services, name)
    response.headers["ETag"] = etag(task.version)
    return TaskBody.of(task)


@router.patch("/tasks/{name}", responses=documented_problems(409, 412))
async def edit_task(
    request: Request, response: Response, name: Name, wish: TaskWish, principal: Editor, if_match: IfMatch = None
) -> TaskBody:
    """Change a task. With If-Match, only if it is still what was read."""
    expected = edited_version(if_match) if if_match is not None else None
    task = await service.edit_task(surface_of(request).services, principal, name, wish.value(), expected=expected)
    response.headers["ETag"] = etag(task.version)
    return TaskBody.of(task)


@router.delete("/tasks/{name}", status_code=204)
async def delete_task(request: Request, name: Name, principal: Editor) -> None:
    """Remove a task; what it found stays."""
    await service.delete_task(surface_of(request).services, principal, name)


@router.post("/tasks/{name}/run", status_code=202)
async def run_task(request: Request, name: Name, principal: Editor) -> StartedBody:
    """Let a worker run a task now."""
    return StartedBody(job_id=await service.run_now(surface_of(request).services, principal, name))


@router.post("/tasks/{name}/preview")
async def preview_task(request: Request, name: Name, _principal: Editor) -> PreviewBody:
    """What a run would find now, without keeping any of it."""
    services = surface_of(request).services
    found = await service.preview_task(services, await service.get_task(services, name))
    return PreviewBody(links=[FoundBody.model_validate(link) for link in found.links], problems=found.problems)


@router.get("/tasks/{name}/runs")
async def list_runs(
    request: Request, name: Name, _principal: Reader, cursor: Cursor = None, limit: Limit = 25
) -> Listed[RunBody]:
    """The runs of a task, the latest first."""
    page = await service.list_runs(surface_of(request).services, name, cursor=cursor, limit=limit)
    return Listed(items=[RunBody.of(run) for run in page.items], next_cursor=page.next_cursor)


@router.get("/tasks/{name}/scorecard")
async def get_scorecard(request: Request, name: Name, _principal: Reader) -> ScorecardBody:
    """What came of everything that a task found, and day by day."""
    card = await service.task_card(surface_of(request).services, name)
    told = {one: getattr(card.scorecard, one) for one in ScorecardBody.model_fields if one != "days"}
    return ScorecardBody(**told, days=[DayBody.model_validate(day) for day in card.days])
