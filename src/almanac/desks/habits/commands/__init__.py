"""`almanac habits`: the desk's commands."""

import typer

from almanac.desks.habits.commands import entries, progress, transfer
from almanac.terminal import OpenServices, make_runner


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands; each opens its own services."""
    app = typer.Typer(no_args_is_help=True, help="Keep habits: complete, undo, skip, explain, compare, import, export.")

    run = make_runner(open_services)
    for module in (entries, progress, transfer):
        module.commands.mount(app, run)
    return app
