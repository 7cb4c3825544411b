"""`almanac recap`: collect and write without a worker, and read, compare and export articles."""

import typer

from almanac.desks.recap.commands.articles import add_article_commands
from almanac.desks.recap.commands.tasks import add_task_commands
from almanac.terminal import OpenServices, make_runner


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands; each opens the services for itself."""
    app = typer.Typer(no_args_is_help=True, help="Follow a parliament: collect records, write about them, read them.")
    run = make_runner(open_services)
    add_task_commands(app, run)
    add_article_commands(app, run)
    return app
