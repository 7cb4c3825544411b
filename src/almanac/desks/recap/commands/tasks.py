"""Commands for operators: collect meetings, write about them, and list, retry and remake tasks."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, cast, get_args

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.model.items import TaskStatus
from almanac.desks.recap.model.record_names import house_name
from almanac.desks.recap.pipeline.collect import collect_meetings, configured_sources
from almanac.desks.recap.pipeline.make import make_articles, queue_waiting_tasks
from almanac.desks.recap.service import tasks
from almanac.errors import InputError
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, parse_day, print_json, print_line, print_table, progress

commands = CommandList()
TaskKey = Annotated[str, typer.Argument(help="The task's key, as `almanac recap tasks` shows it.")]
From = Annotated[datetime, typer.Option("--from", parser=parse_day, help="A day such as 2026-01-31.")]
Until = Annotated[datetime, typer.Option("--until", parser=parse_day, help="A day such as 2026-01-31.")]
Limit = Annotated[int, typer.Option(min=1, max=200, help="Most lines.")]
_OWNER = "the command line"


@commands.command("collect")
async def collect_days(
    services: Services,
    since: From,
    until: Until,
    write: Annotated[bool, typer.Option(help="Also write about what was collected.")] = True,
    as_json: AsJson = False,
) -> None:
    """Collect the meetings of some days, both included, and write about them."""
    first, last = since.date(), until.date()
    tasks.check_collection_days(services, first, last)
    with progress("Collecting", quiet=as_json) as display:

        async def report(done: int | None, total: int | None, doing: str) -> None:
            display.update(display.task_ids[0], completed=done or 0, total=total, description=doing)

        collected = await collect_meetings(services, configured_sources(services), first, last, report=report)
        result = await make_articles(services, _OWNER, report=report) if write else None
    if as_json:
        print_json({**collected.counts(), "written": asdict(result) if result else None})
    else:
        print_line(collected.sentence if result is None else f"{collected.sentence} {result.sentence}")
    collected.raise_failures()


@commands.command("work")
async def work_on_tasks(services: Services, as_json: AsJson = False) -> None:
    """Write about every meeting that is waiting."""
    with progress("Writing", quiet=as_json) as display:

        async def report(done: int | None, _total: int | None, doing: str) -> None:
            display.update(display.task_ids[0], completed=done or 0, description=doing)

        result = await make_articles(services, _OWNER, report=report)
    if as_json:
        print_json(asdict(result))
    else:
        print_line(result.sentence)


@commands.command("tasks")
async def list_tasks(
    services: Services,
    status: Annotated[str, typer.Option(help=f"One of {', '.join(get_args(TaskStatus))}.")] = "pending",
    limit: Limit = 25,
    as_json: AsJson = False,
) -> None:
    """Meetings that are becoming articles, in one status."""
    if status not in get_args(TaskStatus):
        raise InputError(f"“{status}” isn't a status; use one of {', '.join(get_args(TaskStatus))}.")
    page = await tasks.list_tasks(services, cast("TaskStatus", status), limit=limit)
    if as_json:
        print_json([asdict(task) for task in page.items])
        return
    rows = [(task.date, house_name(task.house), task.meeting, task.retries, task.error, task.pk) for task in page.items]
    print_table(("Day", "House", "Meeting", "Retries", "Reason", "Key"), rows, empty=f"There are no {status} tasks.")


@commands.command("retry")
async def retry_task(services: Services, pk: TaskKey) -> None:
    """Try a failed task again."""
    task = await tasks.retry_task(services, CONSOLE, pk)
    print_line(f"{task.meeting} of {task.date} will be tried again.")


@commands.command("remake")
async def remake_task(services: Services, pk: TaskKey) -> None:
    """Write the article of a completed task again; the current version is kept as an older one."""
    task = await tasks.remake_task(services, CONSOLE, pk)
    await queue_waiting_tasks(services)
    print_line(f"{task.meeting} of {task.date} will be written again.")


@commands.command("take")
async def take_task(services: Services, pk: TaskKey) -> None:
    """Write about the meeting of another program's task here, from the record that its addresses lead to."""
    task = await tasks.take_task(services, CONSOLE, pk)
    await queue_waiting_tasks(services)
    print_line(f"{task.meeting} of {task.date} will be written here.")
