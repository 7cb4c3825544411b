"""API: query tasks, their runs, and running one now."""

from fastapi import Request, Response
from pydantic import Field

from almanac.desks.news import service
from almanac.desks.news.api.dependencies import PREFIX, Editor, Name, Number, Reader, StartedBody, Words, new_router
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import (
    TASK_TEMPLATES,
    DayCount,
    LinkSource,
    LinkSourceKind,
    QueryTask,
    TaskEdit,
    TaskPreview,
    TaskRun,
    TaskTemplate,
)
from almanac.http.api_models import ApiModel, Listed
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.jobs import JobStatus

router = new_router()


class SourceWish(ApiModel):
    """A place to look at."""

    kind: LinkSourceKind = LinkSourceKind.FEED
    address: Words = Field("", examples=["https://example.org/feed.xml"])
    title: Words = ""


class TaskWish(ApiModel):
    """What to set; what is left out stays as it is, or has its default in a new task."""

    task_name: Words | None = None
    prompt_template: Words | None = None
    is_active: bool | None = None
    schedule: Words | None = Field(None, description="A cron line, or hourly, daily, weekdays, weekly; empty: by hand.")
    time_zone: Words | None = Field(None, examples=["Asia/Kuala_Lumpur"])
    sources: list[SourceWish] | None = Field(None, max_length=1000)

    def value(self) -> TaskEdit:
        sources = self.sources
        told = (
            None
            if sources is None
            else tuple(LinkSource(kind=one.kind, address=one.address.strip(), title=one.title) for one in sources)
        )
        return TaskEdit(
            task_name=self.task_name,
            prompt_template=self.prompt_template,
            is_active=self.is_active,
            schedule=self.schedule,
            time_zone=self.time_zone,
            sources=told,
        )


class ScorecardBody(ApiModel):
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
    days: list[DayCount]


class PreviewBody(ApiModel):
    """How a look at a task stands, and what a run would find; there is nothing before its job has succeeded."""

    status: JobStatus
    doing: str
    links: list[FoundLink]
    problems: list[str]

    @classmethod
    def of(cls, look: service.PreviewJob) -> "PreviewBody":
        job, found = look.detail.job, look.found or TaskPreview()
        problems = found.problems or ([job.reason] if job.reason else [])
        return cls(status=job.status, doing=job.doing or "", links=found.links, problems=problems)


@router.get("/tasks")
async def list_tasks(request: Request, _principal: Reader) -> Listed[QueryTask]:
    """Every task, by name."""
    found = await service.list_tasks(get_state(request).services)
    return Listed(items=found, next_cursor=None)


@router.get("/templates")
async def list_templates(_principal: Reader) -> list[TaskTemplate]:
    """The tasks that come with the desk, to begin from."""
    return list(TASK_TEMPLATES)


@router.post("/tasks", status_code=201, responses=documented_problems(409))
async def create_task(request: Request, response: Response, wish: TaskWish, principal: Editor) -> QueryTask:
    """Add a task."""
    made = await service.create_task(get_state(request).services, principal, wish.value())
    response.headers["Location"] = f"{PREFIX}/tasks/{made.task_name}".encode("ascii", "ignore").decode()
    return with_etag(response, made)


@router.get("/tasks/{name}")
async def get_task(request: Request, response: Response, name: Name, _principal: Reader) -> QueryTask:
    """One task."""
    task = await service.get_task(get_state(request).services, name)
    return with_etag(response, task)


@router.patch("/tasks/{name}", responses=documented_problems(409, 412, 428))
async def edit_task(
    request: Request, response: Response, name: Name, wish: TaskWish, principal: Editor, if_match: IfMatch = None
) -> QueryTask:
    """Change a task, if it is still what was read."""
    task = await service.edit_task(
        get_state(request).services, principal, name, wish.value(), expected=parse_if_match(if_match)
    )
    return with_etag(response, task)


@router.delete("/tasks/{name}", status_code=204)
async def delete_task(request: Request, name: Name, principal: Editor) -> None:
    """Remove a task; what it found stays."""
    await service.delete_task(get_state(request).services, principal, name)


@router.post("/tasks/{name}/run", status_code=202)
async def run_task(request: Request, name: Name, principal: Editor) -> StartedBody:
    """Let a worker run a task now."""
    return StartedBody(job_id=await service.run_task_now(get_state(request).services, principal, name))


@router.post("/tasks/{name}/preview", status_code=202)
async def preview_task(request: Request, name: Name, principal: Editor) -> StartedBody:
    """Let a worker find out what a run would find now; read it at `/api/v1/news/previews/{job_id}`."""
    services = get_state(request).services
    return StartedBody(job_id=await service.preview_task(services, principal, await service.get_task(services, name)))


@router.get("/previews/{job_id}")
async def get_preview(request: Request, job_id: Number, _principal: Editor) -> PreviewBody:
    """What a run would find, once its job has ended; nothing of it is kept as a link."""
    return PreviewBody.of(await service.get_preview(get_state(request).services, job_id))


@router.post("/previews/{job_id}/cancel")
async def cancel_preview(request: Request, job_id: Number, _principal: Editor) -> PreviewBody:
    """Stop asking the sources."""
    return PreviewBody.of(await service.cancel_preview(get_state(request).services, job_id))


@router.get("/tasks/{name}/runs")
async def list_runs(
    request: Request, name: Name, _principal: Reader, cursor: Cursor = None, limit: Limit = 25
) -> Listed[TaskRun]:
    """The runs of a task, the latest first."""
    page = await service.list_runs(get_state(request).services, name, cursor=cursor, limit=limit)
    return Listed(items=page.items, next_cursor=page.next_cursor)


@router.get("/tasks/{name}/scorecard")
async def get_scorecard(request: Request, name: Name, _principal: Reader) -> ScorecardBody:
    """What came of everything that a task found, and day by day."""
    card = await service.get_task_card(get_state(request).services, name)
    told = {one: getattr(card.scorecard, one) for one in ScorecardBody.model_fields if one != "days"}
    return ScorecardBody(**told, days=card.days)
