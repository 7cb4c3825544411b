"""The root command: mounts every command and group, and is the only place that exits."""

import sys
from typing import Annotated

import typer

from almanac import __version__
from almanac.cli import backups, demo, knowledge, models, searching, serving, tokens, upkeep, users, verifying, webhooks
from almanac.cli.boundary import guarded, services_for_command
from almanac.desks import DESKS
from almanac.terminal import say

app = typer.Typer(
    name="almanac",
    help="A workspace of five desks. Nothing invented, nothing lost, nothing sent twice.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"Almanac {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """A workspace of five desks. Nothing invented, nothing lost, nothing sent twice."""


app.command("serve")(serving.serve)
app.command("worker")(serving.worker)
app.command("demo")(demo.demo)
app.command("migrate")(upkeep.migrate)
app.command("config")(upkeep.config)
app.command("doctor")(upkeep.doctor)
app.command("mail-key")(upkeep.mail_key)
app.command("backup")(backups.backup)
app.command("restore")(backups.restore)
app.command("models")(models.models)
app.command("verify")(verifying.verify)
app.command("search")(searching.search)
app.command("reindex")(searching.reindex)
app.add_typer(users.app, name="user")
app.add_typer(tokens.app, name="token")
app.add_typer(webhooks.app, name="webhook")
app.add_typer(knowledge.app, name="knowledge")
for desk in DESKS:
    if desk.commands is not None:
        app.add_typer(desk.commands(services_for_command), name=desk.name)


def main() -> None:
    """The console script."""
    sys.exit(guarded(app))
