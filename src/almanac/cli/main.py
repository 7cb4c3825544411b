"""The root command: mounts all commands and groups, and sets the exit code."""

import os
import sys
from collections import UserDict
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from almanac import __version__
from almanac.cli import (
    audit,
    backups,
    demo,
    jobs,
    knowledge,
    maintenance,
    models,
    notifications,
    search,
    server,
    setup,
    subscribers,
    tables,
    teams,
    tokens,
    users,
    verify,
    webhooks,
    why,
)
from almanac.cli.runtime import run_guarded, services_for_command
from almanac.config import describe_unknown_variables, load_settings
from almanac.desks import DESKS, enabled_desks
from almanac.errors import SettingError
from almanac.http.desk import Desk
from almanac.terminal import print_line, print_warning

if TYPE_CHECKING:
    from typer._click import Command


@cache
def _desks() -> dict[str, Desk]:
    """The desks that are switched on, by name; all if the settings can't be read, which any command reports."""
    try:
        return {desk.name: desk for desk in enabled_desks(load_settings())}
    except SettingError:
        return {desk.name: desk for desk in DESKS}


class _LazyDeskCommands(UserDict[str, "Command"]):
    """Commands by name. A desk's commands are loaded on first use."""

    def __missing__(self, name: str) -> "Command":
        group = typer.main.get_group(_desks()[name].commands(services_for_command))
        group.name = name
        return group

    def __iter__(self) -> Iterator[str]:
        return iter((*self.data, *_desks()))

    def __contains__(self, name: object) -> bool:
        return name in self.data or name in _desks()

    def __len__(self) -> int:
        return len(self.data) + len(_desks())


class _RootGroup(TyperGroup):
    """The root group with the commands of the desks."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = _LazyDeskCommands(self.commands)


app = typer.Typer(
    name="almanac",
    cls=_RootGroup,
    help="A workspace for news, parliament records, newsletters, payment reminders and habits.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print_line(f"Almanac {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """A workspace for news, parliament records, newsletters, payment reminders and habits."""


app.command("serve")(server.serve)
app.command("worker")(server.worker)
app.command("demo")(demo.demo)
app.command("migrate")(maintenance.migrate)
app.command("setup")(setup.setup)
app.command("config")(maintenance.config)
app.command("doctor")(maintenance.doctor)
app.command("mail-key")(maintenance.mail_key)
app.command("backup")(backups.backup)
app.command("backups")(backups.backups)
app.command("restore")(backups.restore)
app.command("models")(models.models)
app.command("verify")(verify.verify)
app.command("search")(search.search)
app.command("why")(why.why)
app.command("reindex")(search.reindex)
app.add_typer(users.app, name="user")
app.add_typer(teams.app, name="team")
app.add_typer(tokens.app, name="token")
app.add_typer(webhooks.app, name="webhook")
app.add_typer(notifications.app, name="notifications")
app.add_typer(subscribers.app, name="subscriber")
app.add_typer(knowledge.app, name="knowledge")
app.add_typer(tables.app, name="tables")
app.add_typer(jobs.app, name="jobs")
app.add_typer(audit.app, name="audit")


def main() -> None:
    """The console script."""
    for sentence in describe_unknown_variables(os.environ):
        print_warning(sentence)
    sys.exit(run_guarded(app))
