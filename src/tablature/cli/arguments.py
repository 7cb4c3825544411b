"""What the commands share: the shape of a command, and arguments that several of them take."""

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable
from typing import TypeAlias

Subcommands: TypeAlias = "_SubParsersAction[ArgumentParser]"
Command: TypeAlias = Callable[[Namespace], int]


def add_command(commands: Subcommands, name: str, sentence: str, run: Command) -> ArgumentParser:
    """A command with its one-sentence help."""
    parser = commands.add_parser(name, help=sentence, description=sentence)
    parser.set_defaults(run=run)
    return parser


def add_modules(parser: ArgumentParser, count: str = "+") -> None:
    parser.add_argument(
        "modules", nargs=count, metavar="MODULE", help="a module that declares tables: a dotted name or a .py file"
    )


def positive(text: str) -> int:
    """A whole number above zero, for argparse."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
