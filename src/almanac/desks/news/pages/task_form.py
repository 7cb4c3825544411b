"""The form for a query task, with a preview of what it would find."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.news.model.tasks import (
    SCHEDULE_LABELS,
    TASK_TEMPLATES,
    LinkSource,
    LinkSourceKind,
    QueryTask,
    TaskEdit,
    check_task_edit,
)
from almanac.desks.news.pages.layout import PREFIX, RowNumber, Writer, desk_page
from almanac.desks.news.pages.tasks import preview_progress
from almanac.desks.news.service import tasks
from almanac.errors import Conflict, FieldErrors, InputError, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, compare_fields, make_conflict
from almanac.http.live import RunningWork
from almanac.http.pages import ZoneText, parse_form_version, redirect_with_message
from almanac.jobs.cron import check_cron, next_due_times
from almanac.jobs.cron_presets import REPEATS, CronChoice
from almanac.jobs.cron_words import describe_cron
from almanac.kit.messages import gettext
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/tasks")
RUNS_SHOWN = 3
# As a cron line counts them.
WEEKDAYS = [
    ("1", gettext("Monday")),
    ("2", gettext("Tuesday")),
    ("3", gettext("Wednesday")),
    ("4", gettext("Thursday")),
    ("5", gettext("Friday")),
    ("6", gettext("Saturday")),
    ("0", gettext("Sunday")),
]
EDIT_LABELS = {
    "task_name": gettext("Name"),
    "prompt_template": gettext("What to look for"),
    "sources": gettext("Sources"),
    "schedule": gettext("Schedule"),
    "time_zone": gettext("Time zone"),
    "is_active": gettext("Run on schedule"),
}


class TaskForm(BaseModel):
    """The form as a browser sends it. One source per line, with its kind before the address unless it is a feed."""

    task_name: str = ""
    prompt_template: str = ""
    schedule: str = ""
    repeat: str | None = None
    at: str = "06:30"
    weekday: str = "1"
    monthday: str = "1"
    time_zone: ZoneText = ""
    sources: str = ""
    is_active: str = ""
    version: str = ""
    try_it: str = ""

    @classmethod
    def from_task(cls, task: QueryTask) -> "TaskForm":
        """The form filled with an existing task."""
        return cls(
            task_name=task.task_name,
            prompt_template=task.prompt_template,
            schedule=task.schedule or "",
            time_zone=task.time_zone or "",
            sources="\n".join(_source_line(source) for source in task.sources),
            is_active="yes" if task.is_active else "",
            version=str(task.version),
        )

    @property
    def choice(self) -> CronChoice:
        """The schedule as choices; a form without a repetition has a line or one of its short names."""
        if self.repeat is None:
            return CronChoice.from_cron(SCHEDULE_LABELS.get(self.schedule.strip().lower(), self.schedule))
        return CronChoice(
            repeat=self.repeat, at=self.at, weekday=self.weekday, monthday=self.monthday, line=self.schedule
        )

    def in_words(self) -> dict[str, str]:
        """The fields as a person compares them."""
        try:
            cron = self.choice.to_cron()
        except FieldErrors:
            cron = self.at
        return {
            **self.model_dump(exclude={"repeat"}),
            "schedule": describe_cron(cron) if cron else gettext("By hand only"),
            "is_active": gettext("Yes") if self.is_active == "yes" else gettext("No"),
        }

    def list_runs(self, default_zone: str, now: datetime) -> tuple[datetime, ...]:
        """The next moments at which it runs; none by hand, or while the schedule isn't valid."""
        zone = self.time_zone or default_zone
        try:
            cron = self.choice.to_cron()
            check_cron(cron, zone)
        except (FieldErrors, InputError):
            return ()
        return next_due_times(cron, zone, now, RUNS_SHOWN)

    def to_edit(self) -> TaskEdit:
        return TaskEdit(
            task_name=self.task_name,
            prompt_template=self.prompt_template,
            is_active=self.is_active == "yes",
            schedule=self.schedule if self.repeat is None else self.choice.to_cron(),
            time_zone=self.time_zone.strip(),
            sources=tuple(_parse_source(line) for line in self.sources.splitlines() if line.strip()),
        )


Sent = Annotated[TaskForm, Form()]


@router.get("/new")
async def show_new(request: Request, _principal: Writer, template: int = -1) -> Response:
    """The form for a new task, empty or filled from a template."""
    form = TaskForm(is_active="yes")
    if 0 <= template < len(TASK_TEMPLATES):
        start = TASK_TEMPLATES[template]
        form = TaskForm(task_name=start.name, prompt_template=start.prompt, schedule=start.schedule, is_active="yes")
    return await _form(request, form)


@router.post("/new")
async def add_task(request: Request, principal: Writer, sent: Sent) -> Response:
    """Add a task, or only show what it would find."""
    services = get_state(request).services
    try:
        if sent.try_it:
            return await _form(request, sent, preview=await _start_preview(services, principal, sent))
        task = await tasks.create_task(services, principal, sent.to_edit())
    except FieldErrors as error:
        return await _form(request, sent, error.fields, status=422)
    except Conflict as error:
        return await _form(request, sent, {"task_name": error.sentence}, status=409)
    return redirect_with_message(
        request, f"{PREFIX}/tasks/{task.id}", gettext("Task %(name)s added.", name=task.task_name)
    )


@router.get("/{number}/edit")
async def show_edit(request: Request, number: RowNumber, _principal: Writer) -> Response:
    """The form as the task is."""
    task = await tasks.get_task_by_id(get_state(request).services, number)
    return await _form(request, TaskForm.from_task(task), task=task)


@router.post("/{number}/edit")
async def save_task(request: Request, number: RowNumber, principal: Writer, sent: Sent) -> Response:
    """Save the form, or only show what the task would find."""
    services = get_state(request).services
    task = await tasks.get_task_by_id(services, number)
    try:
        if sent.try_it:
            return await _form(request, sent, task=task, preview=await _start_preview(services, principal, sent))
        expected = parse_form_version(sent.version)
        saved = await tasks.edit_task(services, principal, task.task_name, sent.to_edit(), expected=expected)
    except FieldErrors as error:
        return await _form(request, sent, error.fields, task=task, status=422)
    except StaleEdit:
        rows = compare_fields(EDIT_LABELS, sent.in_words(), TaskForm.from_task(task).in_words())
        conflict = await make_conflict(request, rows, task.version, f"{PREFIX}/tasks/{number}/edit")
        merging = sent.model_copy(update={"version": str(task.version)})
        return await _form(request, merging, task=task, conflict=conflict, status=412)
    except Conflict as error:
        return await _form(request, sent, {"task_name": error.sentence}, task=task, status=409)
    return redirect_with_message(
        request, f"{PREFIX}/tasks/{number}", gettext("Task %(name)s saved.", name=saved.task_name)
    )


async def _start_preview(services: Services, principal: Principal, sent: TaskForm) -> RunningWork:
    """Queue a preview of the task in the form; the task isn't saved."""
    edit = sent.to_edit()
    check_task_edit(edit, default_zone=services.settings.time_zone)
    job = await tasks.start_preview(services, principal, sent.prompt_template, edit.sources or ())
    return preview_progress((await tasks.get_preview(services, job)).detail.job)


async def _form(
    request: Request,
    form: TaskForm,
    errors: dict[str, str] | None = None,
    *,
    task: QueryTask | None = None,
    preview: RunningWork | None = None,
    conflict: EditConflict | None = None,
    status: int = 200,
) -> Response:
    services = get_state(request).services
    return await desk_page(
        request,
        "tasks",
        "task_form",
        status_code=status,
        form=form,
        repeats=list(REPEATS.items()),
        weekdays=WEEKDAYS,
        runs=form.list_runs(services.settings.time_zone, services.clock.now()),
        errors=errors or {},
        task=task,
        preview=preview,
        conflict=conflict,
        default_zone=services.settings.time_zone,
    )


def _source_line(source: LinkSource) -> str:
    return source.address if source.kind == LinkSourceKind.FEED else f"{source.kind} {source.address}".strip()


def _parse_source(line: str) -> LinkSource:
    kind, _, rest = line.strip().partition(" ")
    given = next((candidate for candidate in LinkSourceKind if candidate == kind.lower()), None)
    return (
        LinkSource(kind=given, address=rest.strip())
        if given
        else LinkSource(kind=LinkSourceKind.FEED, address=line.strip())
    )
