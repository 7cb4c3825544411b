"""`almanac recap`: collect and write at once and without a worker, read, compare, export."""

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, cast, get_args

import msgspec
import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.recap import service
from almanac.desks.recap.collecting import collect
from almanac.desks.recap.filters import FACETS, ArticleFilter, filter_from
from almanac.desks.recap.making import make_articles, queue_waiting
from almanac.desks.recap.service.tasks import check_span
from almanac.desks.recap.sources.choosing import source_of
from almanac.desks.recap.table import TaskStatus
from almanac.errors import InputError
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, OpenServices, Run, print_json, print_table, progress, running_with, say

Values = list[str]
Article = Annotated[str, typer.Argument(help="The article's id, such as 121715254X01020250401.")]
TaskKey = Annotated[str, typer.Argument(help="The task's key, as `almanac recap tasks` shows it.")]
From = Annotated[datetime, typer.Option("--from", formats=["%Y-%m-%d"], help="A day such as 2026-01-31.")]
Until = Annotated[datetime, typer.Option("--until", formats=["%Y-%m-%d"], help="A day such as 2026-01-31.")]
Limit = Annotated[int, typer.Option(min=1, max=200, help="Most lines.")]
_OWNER = "the command line"
_FILTERS = (*FACETS, "q", "from", "until", "order")


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands, on services that are opened for each."""
    app = typer.Typer(no_args_is_help=True, help="Follow a parliament: collect records, write about them, read them.")

    run = running_with(open_services)
    _add_collecting(app, run)
    _add_tasks(app, run)
    _add_reading(app, run)
    _add_versions(app, run)
    _add_exporting(app, run)
    return app


def _add_collecting(app: typer.Typer, run: Run) -> None:
    @app.command("collect")
    def collect_days(
        since: From,
        until: Until,
        write: Annotated[bool, typer.Option(help="Also write about what was collected.")] = True,
        as_json: AsJson = False,
    ) -> None:
        """Collect the sittings of some days, both included, and write about them."""

        async def work(services: Services) -> None:
            first, last = since.date(), until.date()
            check_span(services, first, last)
            with progress("Collecting", quiet=as_json) as display:

                async def report(done: int | None, total: int | None, doing: str) -> None:
                    display.update(display.task_ids[0], completed=done or 0, total=total, description=doing)

                found = await collect(services, source_of(services), first, last, report=report)
                made = await make_articles(services, _OWNER, report=report) if write else None
            if as_json:
                print_json({**asdict(found), "written": asdict(made) if made else None})
                return
            say(found.sentence if made is None else f"{found.sentence} {made.sentence}")

        run(work)

    @app.command("work")
    def work_on_tasks(as_json: AsJson = False) -> None:
        """Write about every sitting that waits."""

        async def work(services: Services) -> None:
            with progress("Writing", quiet=as_json) as display:

                async def report(done: int | None, _total: int | None, doing: str) -> None:
                    display.update(display.task_ids[0], completed=done or 0, description=doing)

                made = await make_articles(services, _OWNER, report=report)
            if as_json:
                print_json(asdict(made))
            else:
                say(made.sentence)

        run(work)


def _add_tasks(app: typer.Typer, run: Run) -> None:
    @app.command("tasks")
    def tasks(
        status: Annotated[str, typer.Option(help=f"One of {', '.join(get_args(TaskStatus))}.")] = "pending",
        limit: Limit = 25,
        as_json: AsJson = False,
    ) -> None:
        """Sittings on their way to becoming articles, in one status."""
        if status not in get_args(TaskStatus):
            raise InputError(f"There is no status {status}; there are {', '.join(get_args(TaskStatus))}.")

        async def work(services: Services) -> None:
            page = await service.list_tasks(services, cast("TaskStatus", status), limit=limit)
            if as_json:
                print_json([asdict(task) for task in page.items])
                return
            rows = [(one.date, one.house, one.meeting, one.attempts, one.error, one.pk) for one in page.items]
            print_table(("Day", "House", "Meeting", "Tries", "Reason", "Key"), rows, empty=f"No task is {status}.")

        run(work)

    @app.command("retry")
    def retry(pk: TaskKey) -> None:
        """Let a failed task be tried again."""

        async def work(services: Services) -> None:
            task = await service.retry_task(services, CONSOLE, pk)
            say(f"{task.meeting} of {task.date} is tried again.")

        run(work)

    @app.command("remake")
    def remake(pk: TaskKey) -> None:
        """Have a finished task written anew; the present version stays as an older one."""

        async def work(services: Services) -> None:
            task = await service.remake_task(services, CONSOLE, pk)
            await queue_waiting(services)
            say(f"{task.meeting} of {task.date} is written anew.")

        run(work)


def _add_reading(app: typer.Typer, run: Run) -> None:
    @app.command("list")
    def list_articles(
        where: Annotated[Values, typer.Option("--where", help="A filter such as house=衆議院; may be repeated.")] = [],  # noqa: B006 - read only
        limit: Limit = 20,
        as_json: AsJson = False,
    ) -> None:
        """Articles by any combination of filters, the newest first."""

        async def work(services: Services) -> None:
            page = await service.list_articles(services, _filter(where), limit=limit)
            if as_json:
                print_json([asdict(listed.card) for listed in page.items])
                return
            rows = [(one.card.id, one.card.date[:10], one.card.name_of_house, one.card.title) for one in page.items]
            print_table(("Article", "Day", "House", "Title"), rows, empty="No article is like that.")

        run(work)

    @app.command("show")
    def show(article: Article, as_json: AsJson = False) -> None:
        """An article: its key points and its plain summary."""

        async def work(services: Services) -> None:
            full = await service.open_article(services, article)
            if as_json:
                print_json({"id": article, "version": full.version, **msgspec.to_builtins(full.recap)})
                return
            say(f"{full.card.title} ({full.card.date[:10]}, version {full.version})")
            for point in full.recap.key_points:
                say(f"- {point.text} [{', '.join(map(str, point.based_on_orders))}]")
            say("".join(one.text for one in full.recap.soft_language_summary))

        run(work)

    @app.command("people")
    def people(
        name: Annotated[str, typer.Argument(help="The person's name.")],
        key: Annotated[str | None, typer.Option(help="Which of several people with this name.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """What somebody was when, and their articles."""

        async def work(services: Services) -> None:
            found = await service.person(services, name, key=key)
            if as_json:
                print_json({"identity": asdict(found.identity), "offices": [asdict(one) for one in found.offices]})
                return
            who = found.identity
            say(f"{who.name} {who.yomi}: {counted(who.articles, 'article')}, key {who.key}")
            rows = [(one.day, one.group, one.position, one.role, one.article_id) for one in found.offices]
            print_table(("Day", "Group", "Position", "Role", "Article"), rows, empty="Nothing is known of offices.")

        run(work)


def _add_versions(app: typer.Typer, run: Run) -> None:
    @app.command("versions")
    def versions(article: Article, as_json: AsJson = False) -> None:
        """Every version of an article, the latest first."""

        async def work(services: Services) -> None:
            found = await service.list_versions(services, article)
            if as_json:
                print_json([asdict(one) for one in found])
                return
            rows = [
                (one.number, f"{one.made_at:%Y-%m-%d %H:%M}", one.model, one.prompt_version, one.reason)
                for one in found
            ]
            print_table(("Version", "Made", "By", "Prompt", "Why"), rows, empty="There is no version.")

        run(work)

    @app.command("diff")
    def diff(
        article: Article,
        older: Annotated[int, typer.Argument(help="The number of the older version.")],
        newer: Annotated[int, typer.Argument(help="The number of the newer version.")],
        as_json: AsJson = False,
    ) -> None:
        """What a regeneration changed."""

        async def work(services: Services) -> None:
            found = await service.compare_versions(services, article, older, newer)
            if as_json:
                print_json([asdict(one) for one in found])
                return
            for one in found:
                say(f"{'+' if one.kind == 'added' else '-'} {one.part}: {one.text}")
            if not found:
                say("The two say the same.")

        run(work)


def _add_exporting(app: typer.Typer, run: Run) -> None:
    @app.command("export")
    def export(
        target: Annotated[Path, typer.Argument(help="The file to write: one article a line, as JSON.")],
        where: Annotated[Values, typer.Option("--where", help="A filter such as house=衆議院; may be repeated.")] = [],  # noqa: B006 - read only
    ) -> None:
        """Write every article that a filter finds to a file, with all its texts."""

        async def work(services: Services) -> None:
            wanted, count = _filter(where), 0
            try:
                with target.open("wb") as file:
                    async for line in service.export_articles(services, wanted):
                        file.write(line)
                        count += 1
            except OSError as error:
                raise InputError(
                    f"{target} can't be written ({error.strerror or error}); name another file."
                ) from error
            say(f"{counted(count, 'article')} written to {target}.")

        run(work)


def _filter(where: list[str]) -> ArticleFilter:
    chosen: dict[str, list[str]] = {}
    for one in where:
        name, equals, value = one.partition("=")
        if not (name and equals and value):
            raise InputError(f"The filter “{one}” makes no sense; write name=value, such as house=衆議院.")
        if name not in _FILTERS:
            raise InputError(f"There is no filter {name}; there are {', '.join(_FILTERS)}.")
        chosen.setdefault(name, []).append(value)
    return filter_from(chosen)
