"""What the commands share: the shape of a command, arguments that several take, and writing JSON."""

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import msgspec

from tablature.design.module import Design
from tablature.errors import InputError
from tablature.schema.model import EntitySchema

Subcommands: TypeAlias = "_SubParsersAction[ArgumentParser]"
Command: TypeAlias = Callable[[Namespace], int]


def add_command(commands: Subcommands, name: str, sentence: str, run: Command) -> ArgumentParser:
    """A command with its one-sentence help."""
    parser = commands.add_parser(name, help=sentence, description=sentence)
    parser.set_defaults(run=run)
    return parser


def add_modules(parser: ArgumentParser, count: str | int = "+") -> None:
    parser.add_argument(
        "modules", nargs=count, metavar="MODULE", help="a module that declares tables: a dotted name or a .py file"
    )


def add_names(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--name", action="append", default=[], metavar="DECLARED=PHYSICAL", help="the name of a table at the service"
    )


def add_entities(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--entity", action="append", default=[], metavar="NAME", help="only this entity; may be repeated"
    )


def positive(text: str) -> int:
    """A whole number above zero, for argparse."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def assignments(texts: Iterable[str], what: str) -> dict[str, str]:
    """`a=b` pairs as a dict."""
    pairs = [text.partition("=") for text in texts]
    for name, sign, value in pairs:
        if not (name and sign and value):
            raise InputError(f"{what} is written as NAME=VALUE, not {name + sign + value!r}.")
    return {name: value for name, _, value in pairs}


def physical_names(design: Design, texts: Iterable[str]) -> dict[str, str]:
    """The names given with --name, which must be of tables in the design."""
    names = assignments(texts, "A table's name")
    known = {table.name for table in design.tables}
    for name in names.keys() - known:
        raise InputError(f"There is no table {name!r}; the design has {', '.join(sorted(known))}.")
    return names


def chosen_entities(design: Design, wanted: list[str]) -> list[EntitySchema]:
    """The entities named, or all."""
    known = {entity.name: entity for entity in design.entities}
    for name in wanted:
        if name not in known:
            raise InputError(f"There is no entity {name!r}; the design has {', '.join(known) or 'none'}.")
    return [known[name] for name in wanted] or list(known.values())


def write_json(data: Any) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")
