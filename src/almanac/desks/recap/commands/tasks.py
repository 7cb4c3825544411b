"""Commands for operators: collect meetings, write about them, and list, retry and remake tasks."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, cast, get_args

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.model.items import TaskStatus
from almanac.desks.recap.pipeline.collect import collect_meetings, configured_source
from almanac.desks.recap.pipeline.make import make_articles, queue_waiting_tasks
from almanac.desks.recap.service import tasks
from almanac.errors import InputError
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_json, print_line, print_table, progress

TaskKey = Annotated[str, typer.Argument(help="The task's key, as `almanac recap tasks` shows it.")]
From = Annotated[datetime, typer.Option("--from", formats=["%Y-%m-%d"], help="A day such as 2026-01-31.")]
Until = Annotated[datetime, typer.Option("--until", formats=["%Y-%m-%d"], help="A day such as 2026-01-31.")]
Limit = Annotated[int, typer.Option(min=1, max=200, help="Most lines.")]
_OWNER = "the command line"


def add_task_commands(app: typer.Typer, run: Run) -> None:
    """Add `collect`, `work`, `tasks`, `retry` and `remake`."""
    _add_collecting(app, run)
    _add_tasks(app, run)


def _add_collecting(app: typer.Typer, run: Run) -> None:
    @app.command("collect")
    def collect_days(
        since: From,
        until: Until,
        write: Annotated[bool, typer.Option(help="Also write about what was collected.")] = True,
        as_json: AsJson = False,
    ) -> None:
        """Collect the meetings of some days, both included, and write about them."""

        async def work(services: Services) -> None:
            first, last = since.date(), until.date()
            tasks.check_collection_days(services, first, last)
            with progress("Collecting", quiet=as_json) as display:

                async def report(done: int | None, total: int | None, doing: str) -> None:
                    display.update(display.task_ids[0], completed=done or 0, total=total, description=doing)

                collected = await collect_meetings(services, configured_source(services), first, last, report=report)
                result = await make_articles(services, _OWNER, report=report) if write else None
            if as_json:
                print_json({**asdict(collected), "written": asdict(result) if result else None})
                return
            print_line(collected.sentence if result is None else f"{collected.sentence} {result.sentence}")

        run(work)

    @app.command("work")
    def work_on_tasks(as_json: AsJson = False) -> None:
        """Write about every meeting that is waiting."""

        async def work(services: Services) -> None:
            with progress("Writing", quiet=as_json) as display:

                async def report(done: int | None, _total: int | None, doing: str) -> None:
                    display.update(display.task_ids[0], completed=done or 0, description=doing)

                result = await make_articles(services, _OWNER, report=report)
            if as_json:
                print_json(asdict(result))
            else:
                print_line(result.sentence)

        run(work)


def _add_tasks(app: typer.Typer, run: Run) -> None:
    @app.command("tasks")
    def list_tasks(
        status: Annotated[str, typer.Option(help=f"One of {', '.join(get_args(TaskStatus))}.")] = "pending",
        limit: Limit = 25,
        as_json: AsJson = False,
    ) -> None:
        """Meetings that are becoming articles, in one status."""
        if status not in get_args(TaskStatus):
            raise InputError(f"“{status}” isn't a status; use one of {', '.join(get_args(TaskStatus))}.")

        async def work(services: Services) -> None:
            page = await tasks.list_tasks(services, cast("TaskStatus", status), limit=limit)
            if as_json:
                print_json([asdict(task) for task in page.items])
                return
            rows = [(task.date, task.house, task.meeting, task.attempts, task.error, task.pk) for task in page.items]
            print_table(("Day", "House", "Meeting", "Tries", "Reason", "Key"), rows, empty=f"No task is {status}.")

        run(work)

    @app.command("retry")
    def retry_task(pk: TaskKey) -> None:
        """Try a failed task again."""

        async def work(services: Services) -> None:
            task = await tasks.retry_task(services, CONSOLE, pk)
            print_line(f"{task.meeting} of {task.date} will be tried again.")

        run(work)

    @app.command("remake")
    def remake_task(pk: TaskKey) -> None:
        """Write the article of a completed task again; the present version stays as an older one."""

        async def work(services: Services) -> None:
            task = await tasks.remake_task(services, CONSOLE, pk)
            await queue_waiting_tasks(services)
            print_line(f"{task.meeting} of {task.date} will be written again.")

        run(work)
