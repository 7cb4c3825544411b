"""Commands for whole newsletters: list, show, create and delete."""

from collections.abc import Callable
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.newsletter.commands.arguments import (
    ADMINISTRATOR,
    Code,
    ExactCode,
    Owner,
    get_owner,
    newsletter_summary,
    resolve_code,
)
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.model.newsletter import STEPS, Newsletter
from almanac.desks.newsletter.model.schedule import IssueSchedule
from almanac.desks.newsletter.service import archive as archive_service
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.services import Services
from almanac.terminal import AsJson, Work, print_json, print_line, print_table


def add_newsletter_commands(app: typer.Typer, run: Callable[[Work], None]) -> None:
    """Add the commands that list, show, create and delete newsletters."""
    _add_listing(app, run)
    _add_runs(app, run)
    _add_creating(app, run)
    _add_deleting(app, run)
    _add_publishing(app, run)


def _add_listing(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("list")
    def list_newsletters(owner: Owner = ADMINISTRATOR, as_json: AsJson = False) -> None:
        """List a person's newsletters, the latest first."""

        async def work(services: Services) -> None:
            principal = await get_owner(services, owner)
            newsletters = (await newsletter_service.list_own_newsletters(services, principal, limit=200)).items
            if as_json:
                print_json(list(map(_listed_newsletter, newsletters)))
                return
            listed = [{**_listed_newsletter(item), "created_at": f"{item.created_at:%Y-%m-%d}"} for item in newsletters]
            rows = [list(members.values()) for members in listed]
            print_table(["Code", "Title", "Status", "Step", "Created"], rows, empty="There are no newsletters yet.")

        run(work)

    @app.command("show")
    def show(code: Code, as_json: AsJson = False) -> None:
        """Show the status of each step, and what changed since."""

        async def work(services: Services) -> None:
            full = await open_newsletter(services, CONSOLE, await resolve_code(services, code))
            if as_json:
                print_json(newsletter_summary(full))
                return
            print_line(f"{full.code}  {full.newsletter.title}  ({full.newsletter.status})")
            rows = [[step, full.step_state(step).status, full.step_state(step).error] for step in STEPS]
            print_table(["Step", "Status", "Reason"], rows, empty="")
            for change in full.changes:
                print_line(change.sentence)

        run(work)

    @app.command("full")
    def show_full(code: Code) -> None:
        """Print all four steps as one JSON document."""

        async def work(services: Services) -> None:
            print_json(await open_newsletter(services, CONSOLE, await resolve_code(services, code)))

        run(work)


def _listed_newsletter(newsletter: Newsletter) -> dict[str, object]:
    return {
        "code": newsletter.code,
        "title": newsletter.title,
        "status": newsletter.status,
        "step": newsletter.current_step,
        "created_at": newsletter.created_at,
    }


def _add_runs(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("runs")
    def show_runs(code: Code, as_json: AsJson = False) -> None:
        """Show when the next issue is due, and the outcome of the last ones."""

        async def work(services: Services) -> None:
            series = await newsletter_service.get_series(services, CONSOLE, await resolve_code(services, code))
            if as_json:
                print_json({"active": series.active, "next_run": series.next_run, "runs": series.latest})
                return
            rows = [[f"{run.due:%Y-%m-%d %H:%M}", run.outcome, run.issue, run.reason] for run in series.latest]
            print_table(["Due (UTC)", "Outcome", "Issue", "Reason"], rows, empty="No issue was due yet.")
            due = f"{series.next_run:%Y-%m-%d %H:%M} UTC" if series.next_run else None
            print_line(f"The next issue is due on {due}." if due else "No schedule prepares issues of this newsletter.")

        run(work)


def _add_creating(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("new")
    def new(
        title: Annotated[str, typer.Argument(help="The title, up to 200 characters.")],
        owner: Owner = ADMINISTRATOR,
        audience: Annotated[list[str] | None, typer.Option("--audience", help="The audience; repeatable.")] = None,
        topic: Annotated[list[str] | None, typer.Option("--topic", help="A topic; repeatable.")] = None,
        length: Annotated[str | None, typer.Option("--length", help="quick_read, standard or deep_dive.")] = None,
        frequency: Annotated[str | None, typer.Option("--frequency", help="daily, weekly, monthly, …")] = None,
        focus: Annotated[str | None, typer.Option("--focus", help="The region it is about.")] = None,
        feeds: Annotated[
            list[str] | None, typer.Option("--from", help="A source: knowledge, news or recap; repeatable.")
        ] = None,
        schedule: Annotated[
            str | None,
            typer.Option("--schedule", help="A cron line; issues are prepared automatically at these times."),
        ] = None,
        time_zone: Annotated[str, typer.Option("--time-zone", help="The time zone of the schedule.")] = "UTC",
        as_json: AsJson = False,
    ) -> None:
        """Create a newsletter and print its code."""
        edit = ConfigurationEdit(
            title=title,
            target_audience=tuple(audience) if audience else None,
            length_preference=length,
            frequency=frequency,
            geographic_focus=focus,
            source_kinds=tuple(feeds) if feeds else None,
            schedule=IssueSchedule(schedule, time_zone, active=True) if schedule else None,
        )

        async def work(services: Services) -> None:
            principal = await get_owner(services, owner)
            newsletter = await newsletter_service.create_newsletter(services, principal, edit, topics=topic or ())
            if as_json:
                print_json({"code": newsletter.code})
            else:
                print_line(newsletter.code)

        run(work)


def _add_deleting(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("delete")
    def delete(code: ExactCode) -> None:
        """Delete a newsletter with all its steps, revisions and files."""

        async def work(services: Services) -> None:
            await newsletter_service.delete_newsletter(services, CONSOLE, code)
            print_line(f"Deleted {code}.")

        run(work)


def _add_publishing(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("publish")
    def publish(code: ExactCode) -> None:
        """Show a completed newsletter to everybody in the public archive, as it is now."""

        async def work(services: Services) -> None:
            status = await archive_service.publish_issue(services, CONSOLE, code)
            print_line(f"Anyone can read it at {status.url}")

        run(work)

    @app.command("withdraw")
    def withdraw(code: ExactCode) -> None:
        """Take a newsletter out of the public archive."""

        async def work(services: Services) -> None:
            await archive_service.withdraw_issue(services, CONSOLE, code)
            print_line(f"Withdrew {code}.")

        run(work)
