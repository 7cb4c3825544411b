"""The root command: mounts every command and group, and is the only place that exits."""

import sys
from collections import UserDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from almanac import __version__
from almanac.cli import backups, demo, knowledge, models, searching, serving, tokens, upkeep, users, verifying, webhooks
from almanac.cli.boundary import guarded, services_for_command
from almanac.desks import DESKS
from almanac.terminal import print_line

if TYPE_CHECKING:
    from typer._click import Command

_DESKS = {desk.name: desk for desk in DESKS}


class _Commands(UserDict[str, "Command"]):
    """The commands by name. A desk's are loaded when one of them is called, or when all are shown."""

    def __missing__(self, name: str) -> "Command":
        group = typer.main.get_group(_DESKS[name].commands(services_for_command))
        group.name = name
        return group

    def __iter__(self) -> Iterator[str]:
        return iter((*self.data, *_DESKS))

    def __contains__(self, name: object) -> bool:
        return name in self.data or name in _DESKS

    def __len__(self) -> int:
        return len(self.data) + len(_DESKS)


class _Root(TyperGroup):
    """A group with the commands of the desks besides its own."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = _Commands(self.commands)


app = typer.Typer(
    name="almanac",
    cls=_Root,
    help="A workspace of five desks. Nothing invented, nothing lost, nothing sent twice.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print_line(f"Almanac {__version__}")
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


def main() -> None:
    """The console script."""
    sys.exit(guarded(app))
