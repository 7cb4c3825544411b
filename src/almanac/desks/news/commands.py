"""`almanac news`: tasks, links and their fates, reading without a worker, and upkeep, from a terminal."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news import maintenance, service
from almanac.desks.news.model.links import LinkStatus
from almanac.desks.news.model.tasks import Source, SourceKind, TaskEdit
from almanac.desks.news.model.templates import TEMPLATES
from almanac.desks.news.pipeline.newsroom import open_newsroom
from almanac.desks.news.pipeline.working import LinkReader
from almanac.desks.news.rule_commands import rule_commands
from almanac.desks.news.service.articles import ArticleFilter
from almanac.desks.news.sources.previewing import preview as look
from almanac.desks.news.sources.running import run_task, sources_of
from almanac.errors import InputError
from almanac.kit.ids import new_id
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, OpenServices, Run, print_json, print_table, progress, running_with, say

TaskName = Annotated[str, typer.Argument(help="The name of the task.")]


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands, on services that are opened for each."""
    app = typer.Typer(no_args_is_help=True, help="Follow the news: tasks, links, articles, and what became of a link.")

    run = running_with(open_services)
    _add_tasks(app, run)
    _add_making(app, run)
    _add_removing(app, run)
    _add_running(app, run)
    _add_links(app, run)
    _add_reading(app, run)
    _add_lists(app, run)
    _add_sites(app, run)
    _add_upkeep(app, run)
    app.add_typer(rule_commands(run), name="rules")
    return app


def _add_tasks(app: typer.Typer, run: Run) -> None:
    @app.command("tasks")
    def list_tasks(as_json: AsJson = False) -> None:
        """Every query task."""

        async def work(services: Services) -> None:
            found = await service.list_tasks(services)
            if as_json:
                print_json(found)
                return
            rows = [
                [
                    one.task_name,
                    "yes" if one.is_active else "no",
                    one.schedule or "by hand",
                    one.total_runs,
                    one.total_links_found,
                    f"{one.next_run:%Y-%m-%d %H:%M}" if one.next_run else "",
                ]
                for one in found
            ]
            print_table(
                ["Task", "Active", "Schedule", "Runs", "Found", "Next run (UTC)"],
                rows,
                empty="There are no tasks yet; make one with `almanac news task`.",
            )

        run(work)

    @app.command("templates")
    def list_templates(as_json: AsJson = False) -> None:
        """The tasks that come with the desk, to begin from."""
        if as_json:
            print_json(TEMPLATES)
        else:
            print_table(
                ["Name", "Looks for", "Schedule"], [[one.name, one.prompt, one.schedule] for one in TEMPLATES], empty=""
            )

    @app.command("runs")
    def list_runs(name: TaskName, as_json: AsJson = False) -> None:
        """The last runs of a task, with what went wrong."""

        async def work(services: Services) -> None:
            found = (await service.list_runs(services, name)).items
            if as_json:
                print_json(found)
                return
            rows = [
                [
                    f"{one.started_at:%Y-%m-%d %H:%M}",
                    one.trigger,
                    one.status,
                    one.found,
                    one.added,
                    one.duplicate,
                    one.blocked,
                    " ".join(one.problems),
                ]
                for one in found
            ]
            columns = ["Begun (UTC)", "Why", "Status", "Found", "New", "Known", "Blocked", "Problems"]
            print_table(columns, rows, empty="This task has not run yet.")

        run(work)


def _add_making(app: typer.Typer, run: Run) -> None:
    @app.command("task")
    def make_task(
        name: TaskName,
        words: Annotated[str, typer.Option("--words", help="What to look for; {month} stands for this month.")] = "",
        feed: Annotated[list[str] | None, typer.Option("--feed", help="Address of a feed; repeatable.")] = None,
        site: Annotated[list[str] | None, typer.Option("--site", help="A page with links; repeatable.")] = None,
        template: Annotated[str, typer.Option("--template", help="Begin from a built-in task of this name.")] = "",
        schedule: Annotated[str, typer.Option("--schedule", help="A cron line, or hourly, daily, weekly.")] = "",
        time_zone: Annotated[str, typer.Option("--time-zone", help="Whose clocks the schedule is read on.")] = "",
    ) -> None:
        """Make a query task."""
        begun = next((one for one in TEMPLATES if one.name.casefold() == template.casefold()), None)
        if template and begun is None:
            raise InputError(f"There is no template named “{template}”; `almanac news templates` lists them.")
        edit = TaskEdit(
            task_name=name,
            prompt_template=words or (begun.prompt if begun else name),
            schedule=schedule or (begun.schedule if begun else ""),
            time_zone=time_zone,
            sources=(
                *(Source(kind=SourceKind.FEED, address=one) for one in feed or ()),
                *(Source(kind=SourceKind.SITE, address=one) for one in site or ()),
            ),
        )

        async def work(services: Services) -> None:
            made = await service.create_task(services, CONSOLE, edit)
            due = f"; it is next due at {made.next_run:%Y-%m-%d %H:%M} UTC" if made.next_run else ""
            say(f"Made the task “{made.task_name}”{due}.")

        run(work)


def _add_removing(app: typer.Typer, run: Run) -> None:
    @app.command("delete")
    def delete_task(name: TaskName) -> None:
        """Remove a task; what it found stays."""

        async def work(services: Services) -> None:
            await service.delete_task(services, CONSOLE, name)
            say(f"Removed the task “{name}”.")

        run(work)


def _add_running(app: typer.Typer, run: Run) -> None:
    @app.command("run")
    def run_a_task(name: TaskName, as_json: AsJson = False) -> None:
        """Ask the sources of a task now; `almanac news read` reads what they named."""

        async def work(services: Services) -> None:
            task = await service.get_task(services, name)
            with progress(f"Running {name}", quiet=as_json):
                done = await run_task(services, task, trigger="command")
            if as_json:
                print_json(done)
                return
            say(f"{counted(done.found, 'link')} found, {done.added} new, {done.duplicate} known already.")
            for problem in done.problems:
                say(problem)

        run(work)

    @app.command("preview")
    def preview(name: TaskName, as_json: AsJson = False) -> None:
        """What a run of a task would find now; nothing is kept."""

        async def work(services: Services) -> None:
            task = await service.get_task(services, name)
            found = await look(services, task.prompt_template, sources_of(task.sources))
            if as_json:
                print_json(found)
                return
            print_table(["Title", "Address"], [[one.title, one.url] for one in found.links], empty="Nothing was found.")
            for problem in found.problems:
                say(problem)

        run(work)


def _add_links(app: typer.Typer, run: Run) -> None:
    @app.command("add")
    def add_links(urls: Annotated[list[str], typer.Argument(help="Addresses of pages.")]) -> None:
        """Add links by hand."""

        async def work(services: Services) -> None:
            tally = await service.add_links(services, CONSOLE, urls)
            say(f"{counted(tally.added, 'new link')}, {tally.duplicate} known already, {tally.refused} no address.")

        run(work)

    @app.command("links")
    def list_links(
        status: Annotated[LinkStatus | None, typer.Option("--status", help="Only links that stand so.")] = None,
        limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="Most links to show.")] = 50,
        as_json: AsJson = False,
    ) -> None:
        """Links, the newest first, with the reason for where they stand."""

        async def work(services: Services) -> None:
            found = (await service.list_links(services, service.LinkFilter(status=status), limit=limit)).items
            if as_json:
                print_json(found)
                return
            rows = [[one.id, one.status, one.url, one.error_message] for one in found]
            print_table(["Id", "Status", "Address", "Reason"], rows, empty="There are no such links.")

        run(work)

    @app.command("fate")
    def show_fate(
        url: Annotated[str, typer.Argument(help="Any spelling of an address.")], as_json: AsJson = False
    ) -> None:
        """Why is this not here? What became of an address."""

        async def work(services: Services) -> None:
            found = await service.fate(services, url)
            if as_json:
                print_json(found)
                return
            say(found.sentence)
            if found.found_by:
                say(f"Found by: {', '.join(found.found_by)}.")

        run(work)

    @app.command("retry")
    def retry(
        status: Annotated[LinkStatus, typer.Option("--status", help="failed or blocked.")] = LinkStatus.FAILED,
        domain: Annotated[str | None, typer.Option("--domain", help="Only links of this domain.")] = None,
    ) -> None:
        """Let failed or blocked links be read again."""

        async def work(services: Services) -> None:
            count = await service.retry_many(services, CONSOLE, status=status, domain=domain)
            say(f"{counted(count, 'link')} will be tried again.")

        run(work)


def _add_reading(app: typer.Typer, run: Run) -> None:
    @app.command("read")
    def read(as_json: AsJson = False) -> None:
        """Read every link that is due, here and now, without a worker."""

        async def work(services: Services) -> None:
            with progress("Reading links", quiet=as_json) as display:

                async def report(done: int | None, total: int | None, doing: str) -> None:
                    display.update(display.task_ids[0], completed=done, total=total, description=doing)

                room = open_newsroom(services, services.page_reader, f"command/{new_id()}")
                counts = await LinkReader(room, report).run()
            if as_json:
                print_json({str(status): count for status, count in counts.items()})
                return
            told = ", ".join(f"{count} {status}" for status, count in counts.items())
            say(f"{counted(counts.total(), 'link')} read{': ' + told if told else ''}.")

        run(work)

    @app.command("articles")
    def list_articles(
        words: Annotated[str, typer.Argument(help="A query in the one syntax; without one, the latest.")] = "",
        tag: Annotated[str | None, typer.Option("--tag", help="Only stories with this tag.")] = None,
        limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="Most stories to show.")] = 25,
        as_json: AsJson = False,
    ) -> None:
        """Stories, each once with all its sources."""

        async def work(services: Services) -> None:
            found = await service.find_articles(services, CONSOLE, ArticleFilter(words=words, tag=tag), limit=limit)
            if as_json:
                print_json(found.page.items)
                return
            rows = [
                [one.id, one.news_date, one.headline(one.language), len(one.sources), ", ".join(one.tags)]
                for one in found.page.items
            ]
            print_table(["Id", "Date", "Headline", "Sources", "Tags"], rows, empty="There are no stories yet.")

        run(work)


def _add_lists(app: typer.Typer, run: Run) -> None:
    @app.command("stats")
    def show_statistics(as_json: AsJson = False) -> None:
        """How many links stand where."""

        async def work(services: Services) -> None:
            found = await service.statistics(services)
            names = ("total_links", "pending", "processing", "completed", "failed", "blocked", "duplicate")
            counts = {name: getattr(found, name) for name in names}
            if as_json:
                print_json(counts)
            else:
                print_table(["Links", "Count"], [[name, count] for name, count in counts.items()], empty="")

        run(work)

    @app.command("import")
    def import_opml(
        file: Annotated[Path, typer.Argument(help="A list of feeds as OPML.")],
        task: Annotated[str, typer.Option("--task", help="The task that gets the feeds.")] = "Imported feeds",
    ) -> None:
        """Add the feeds of an OPML file to a task."""
        try:
            content = file.read_bytes()
        except OSError as error:
            raise InputError(f"{file} can't be read; check its name and who may read it.") from error

        async def work(services: Services) -> None:
            feeds = await service.import_opml(services, CONSOLE, content, task_name=task)
            say(f"{counted(feeds, 'feed')} in the task “{task}”.")

        run(work)

    @app.command("export")
    def export_opml(file: Annotated[Path, typer.Argument(help="Where to write the OPML file.")]) -> None:
        """Write the feeds of all tasks as OPML."""

        async def work(services: Services) -> None:
            content = await service.export_opml(services)
            await asyncio.to_thread(file.write_bytes, content)
            say(f"Wrote {file}.")

        run(work)


def _add_sites(app: typer.Typer, run: Run) -> None:
    @app.command("blacklist")
    def list_blacklist(as_json: AsJson = False) -> None:
        """The sites that are not asked, why, and until when."""

        async def work(services: Services) -> None:
            found = (await service.list_blocked(services, limit=1000)).items
            if as_json:
                print_json(found)
                return
            rows = [
                [one.domain, "allowed" if one.is_allowed else f"{one.expires_at or ''}"[:10], one.reason]
                for one in found
            ]
            print_table(["Domain", "Until", "Reason"], rows, empty="No site is blocked.")

        run(work)

    @app.command("unblock")
    def unblock(
        domain: Annotated[str, typer.Argument(help="A domain on the blacklist.")],
        always: Annotated[bool, typer.Option("--always", help="Never block it again by itself.")] = False,
    ) -> None:
        """Lift a block; the links that waited for it are read."""

        async def work(services: Services) -> None:
            lift = service.allow_site if always else service.unblock_site
            freed = await lift(services, CONSOLE, domain)
            say(f"{domain} may be asked again; {counted(freed, 'link')} will be read.")

        run(work)


def _add_upkeep(app: typer.Typer, run: Run) -> None:
    @app.command("upkeep")
    def upkeep() -> None:
        """Reset what is stuck, forget old failures, renew the tables' statistics; schedules do the same."""

        async def work(services: Services) -> None:
            reset = await maintenance.reset_stuck(services.database)
            cleaned = await maintenance.clean_old_failed(services.database)
            await maintenance.vacuum_analyze(services.database)
            say(f"{counted(reset, 'link')} reset, {counted(cleaned, 'old failure')} forgotten.")

        run(work)
