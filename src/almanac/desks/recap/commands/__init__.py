"""`almanac recap`: collect and write without a worker, read, compare and export articles, and correct them."""

import typer

from almanac.desks.recap.commands import articles, editorial, speeches, tasks
from almanac.terminal import OpenServices, make_runner


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands; each opens the services for itself."""
    app = typer.Typer(no_args_is_help=True, help="Follow a parliament: collect records, write about them, read them.")
    run = make_runner(open_services)
    for module in (tasks, articles, speeches, editorial):
        module.commands.mount(app, run)
    return app
