"""Commands for query tasks: list, create, delete, run and preview them, and import or export feeds."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news.model.tasks import TASK_TEMPLATES, LinkSource, LinkSourceKind, TaskEdit
from almanac.desks.news.pipeline.discovery import preview_sources, run_task, sources_or_search
from almanac.desks.news.service import feeds as feed_service
from almanac.desks.news.service import tasks as task_service
from almanac.errors import InputError
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, print_json, print_line, print_table, progress

commands = CommandList()
TaskName = Annotated[str, typer.Argument(help="The name of the task.")]


@commands.command("tasks")
async def list_tasks(services: Services, as_json: AsJson = False) -> None:
    """Every query task."""
    tasks = await task_service.list_tasks(services)
    if as_json:
        print_json(tasks)
        return
    rows = [
        [
            task.task_name,
            "yes" if task.is_active else "no",
            task.schedule or "by hand",
            task.total_runs,
            task.total_links_found,
            f"{task.next_run:%Y-%m-%d %H:%M}" if task.next_run else "",
        ]
        for task in tasks
    ]
    print_table(
        ["Task", "Active", "Schedule", "Runs", "Found", "Next run (UTC)"],
        rows,
        empty="There are no tasks yet; create one with `almanac news task`.",
    )


@commands.command("templates")
def list_templates(as_json: AsJson = False) -> None:
    """The built-in tasks to start from."""
    if as_json:
        print_json(TASK_TEMPLATES)
        return
    rows = [[template.name, template.prompt, template.schedule] for template in TASK_TEMPLATES]
    print_table(["Name", "Looks for", "Schedule"], rows, empty="")


@commands.command("runs")
async def list_runs(services: Services, name: TaskName, as_json: AsJson = False) -> None:
    """The last runs of a task, with their problems."""
    runs = (await task_service.list_runs(services, name)).items
    if as_json:
        print_json(runs)
        return
    rows = [
        [
            f"{task_run.started_at:%Y-%m-%d %H:%M}",
            task_run.trigger,
            task_run.status,
            task_run.found,
            task_run.added,
            task_run.duplicate,
            task_run.blocked,
            " ".join(task_run.problems),
        ]
        for task_run in runs
    ]
    columns = ["Started (UTC)", "Trigger", "Status", "Found", "New", "Known", "Blocked", "Problems"]
    print_table(columns, rows, empty="This task has not run yet.")


@commands.command("task")
async def create_task(
    services: Services,
    name: TaskName,
    words: Annotated[str, typer.Option("--words", help="What to look for; {month} is replaced by this month.")] = "",
    feed: Annotated[list[str] | None, typer.Option("--feed", help="Address of a feed; repeatable.")] = None,
    site: Annotated[list[str] | None, typer.Option("--site", help="A page with links; repeatable.")] = None,
    template: Annotated[str, typer.Option("--template", help="Start from a built-in task of this name.")] = "",
    schedule: Annotated[str, typer.Option("--schedule", help="A cron line, or hourly, daily, weekly.")] = "",
    time_zone: Annotated[str, typer.Option("--time-zone", help="Time zone of the schedule.")] = "",
) -> None:
    """Create a query task."""
    start = next((built_in for built_in in TASK_TEMPLATES if built_in.name.casefold() == template.casefold()), None)
    if template and start is None:
        raise InputError(f"There is no template named “{template}”; `almanac news templates` lists them.")
    edit = TaskEdit(
        task_name=name,
        prompt_template=words or (start.prompt if start else name),
        schedule=schedule or (start.schedule if start else ""),
        time_zone=time_zone,
        sources=(
            *(LinkSource(kind=LinkSourceKind.FEED, address=address) for address in feed or ()),
            *(LinkSource(kind=LinkSourceKind.SITE, address=address) for address in site or ()),
        ),
    )
    task = await task_service.create_task(services, CONSOLE, edit)
    due = f"; its next run is at {task.next_run:%Y-%m-%d %H:%M} UTC" if task.next_run else ""
    print_line(f"Created the task “{task.task_name}”{due}.")


@commands.command("delete")
async def delete_task(services: Services, name: TaskName) -> None:
    """Delete a task; the links it found stay."""
    await task_service.delete_task(services, CONSOLE, name)
    print_line(f"Deleted the task “{name}”.")


@commands.command("run")
async def run_now(services: Services, name: TaskName, as_json: AsJson = False) -> None:
    """Ask the sources of a task now; `almanac news read` reads the links they name."""
    task = await task_service.get_task(services, name)
    with progress(f"Running {name}", quiet=as_json):
        finished = await run_task(services, task, trigger="command")
    if as_json:
        print_json(finished)
        return
    print_line(f"{counted(finished.found, 'link')} found, {finished.added} new, {finished.duplicate} known already.")
    for problem in finished.problems:
        print_line(problem)


@commands.command("preview")
async def preview(services: Services, name: TaskName, as_json: AsJson = False) -> None:
    """What a run of a task would find now; nothing is stored."""
    task = await task_service.get_task(services, name)
    result = await preview_sources(services, task.prompt_template, sources_or_search(task.sources))
    if as_json:
        print_json(result)
        return
    rows = [[link.title, link.url] for link in result.links]
    print_table(["Title", "Address"], rows, empty="Nothing was found.")
    for problem in result.problems:
        print_line(problem)


@commands.command("import")
async def import_opml(
    services: Services,
    file: Annotated[Path, typer.Argument(help="A list of feeds as OPML.")],
    task: Annotated[str, typer.Option("--task", help="The task that gets the feeds.")] = "Imported feeds",
) -> None:
    """Add the feeds of an OPML file to a task."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} can't be read; check its name and who may read it.") from error
    feeds = await feed_service.import_opml(services, CONSOLE, content, task_name=task)
    print_line(f"{counted(feeds, 'feed')} in the task “{task}”.")


@commands.command("export")
async def export_opml(
    services: Services, file: Annotated[Path, typer.Argument(help="Where to write the OPML file.")]
) -> None:
    """Write the feeds of all tasks as OPML."""
    content = await feed_service.export_opml(services)
    await asyncio.to_thread(file.write_bytes, content)
    print_line(f"Wrote {file}.")
