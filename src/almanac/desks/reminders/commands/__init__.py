"""`almanac reminders`: every verb of the desk from a terminal, run at once and without a worker."""

import typer

from almanac.desks.reminders.commands import (
    batches,
    checks,
    customers,
    drafts,
    holds,
    imports,
    invoices,
    sent,
    templates,
)
from almanac.terminal import OpenServices, make_runner


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands; each opens its services when it runs."""
    app = typer.Typer(no_args_is_help=True, help="Remind customers of overdue invoices: draft, approve, send once.")

    run = make_runner(open_services)
    for module in (customers, invoices, imports, templates, drafts, batches, sent, holds, checks):
        module.add_commands(app, run)
    return app
