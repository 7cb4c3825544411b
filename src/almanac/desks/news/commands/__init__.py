"""`almanac news`: the commands of the desk, which run at once and without a worker."""

import typer

from almanac.desks.news.commands import links, rules, sites, stories, tasks
from almanac.terminal import OpenServices, make_runner


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands; services are opened for each run."""
    app = typer.Typer(
        no_args_is_help=True, help="Follow the news: tasks, links, articles, and what happened to a link."
    )
    run = make_runner(open_services)
    for module in (tasks, links, stories, sites):
        module.commands.mount(app, run)
    app.add_typer(rules.rule_commands(run), name="rules")
    return app
