"""`almanac reminders`: every verb of the desk from a terminal, done at once and without a worker."""

import asyncio

import typer

from almanac.desks.reminders.commands import checking, customers, drafts, holds, importing, ledger, sent, templates
from almanac.desks.reminders.commands.parts import Work
from almanac.terminal import OpenServices


def reminders_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands, on services that are opened for each."""
    app = typer.Typer(no_args_is_help=True, help="Remind customers of overdue invoices: draft, approve, send once.")

    def run(work: Work) -> None:
        async def opened() -> None:
            async with open_services() as services:
                await work(services)

        asyncio.run(opened())

    for module in (customers, ledger, importing, templates, drafts, sent, holds, checking):
        module.add_commands(app, run)
    return app
