"""`almanac newsletter`: every step from a terminal, run at once and without a worker."""

import typer

from almanac.desks.newsletter.commands.newsletters import add_newsletter_commands
from almanac.desks.newsletter.commands.sentences import add_sentence_commands
from almanac.desks.newsletter.commands.steps import add_step_commands
from almanac.terminal import OpenServices, make_runner


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands; each opens its services when it runs."""
    app = typer.Typer(no_args_is_help=True, help="Write newsletters: configure, retrieve, outline, draft, export.")
    run = make_runner(open_services)
    add_newsletter_commands(app, run)
    add_step_commands(app, run)
    add_sentence_commands(app, run)
    return app
