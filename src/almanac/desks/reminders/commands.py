"""`almanac reminders`: the desk from a terminal."""

import asyncio
from collections.abc import Awaitable, Callable

import typer

from almanac.desks.reminders.checking import check_reminders
from almanac.services import Services
from almanac.terminal import AsJson, OpenServices, print_json, print_table, say

Work = Callable[[Services], Awaitable[None]]


def reminders_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands, on services that are opened for each."""
    app = typer.Typer(no_args_is_help=True, help="Remind customers of overdue invoices: draft, approve, send once.")

    def run(work: Work) -> None:
        async def opened() -> None:
            async with open_services() as services:
                await work(services)

        asyncio.run(opened())

    _add_checking(app, run)
    return app


def _add_checking(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("check")
    def check(as_json: AsJson = False) -> None:
        """Compare every ladder with its drafts, sent mails and the mail's own record. Exits with 1 if any disagree."""

        async def work(services: Services) -> None:
            checked = await check_reminders(services)
            if as_json:
                print_json(checked)
            else:
                rows = [[finding.customer_id, finding.currency, finding.sentence] for finding in checked.findings]
                looked = f"{checked.ladders} ladders, {checked.drafts} drafts and {checked.sent} sent reminders"
                print_table(["Customer", "Currency", "What is wrong"], rows, empty=f"All is well: {looked}.")
                if rows:
                    say(f"{len(rows)} findings in {looked}.")
            if checked.findings:
                raise typer.Exit(1)

        run(work)
