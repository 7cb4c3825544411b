"""`almanac recap`: collect and write without a worker, and read, compare and export articles."""

import typer

from almanac.desks.recap.commands import articles, speeches, tasks
from almanac.terminal import OpenServices, make_runner


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands; each opens the services for itself."""
    app = typer.Typer(no_args_is_help=True, help="Follow a parliament: collect records, write about them, read them.")
    run = make_runner(open_services)
    for module in (tasks, articles, speeches):
        module.commands.mount(app, run)
    return app
