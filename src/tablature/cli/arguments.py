"""Arguments that several commands share, and loading the design that the given modules declare."""

import importlib
import importlib.util
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import msgspec

from tablature.design.model import DEFAULT_PEAK_WRITES, Design, design_of
from tablature.errors import DeclarationError, InputError
from tablature.schema.model import EntitySchema

Subcommands: TypeAlias = "_SubParsersAction[ArgumentParser]"
Command: TypeAlias = Callable[[Namespace], int]


def add_command(commands: Subcommands, name: str, sentence: str, run: Command) -> ArgumentParser:
    """Add a command with its one-sentence help."""
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


def positive_int(text: str) -> int:
    """A positive integer, for argparse."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def parse_assignments(texts: Iterable[str], what: str) -> dict[str, str]:
    """`a=b` pairs as a dict."""
    pairs = [text.partition("=") for text in texts]
    for name, sign, value in pairs:
        if not (name and sign and value):
            raise InputError(f"{what} is written as NAME=VALUE, not {name + sign + value!r}.")
    return {name: value for name, _, value in pairs}


def physical_names(design: Design, texts: Iterable[str]) -> dict[str, str]:
    """Table names given with --name. Raises InputError for a table that isn't in the design."""
    names = parse_assignments(texts, "A table's name")
    declared = {table.name for table in design.tables}
    for name in names.keys() - declared:
        raise InputError(f"The design has no table {name!r}; it has {', '.join(sorted(declared))}.")
    return names


def select_entities(design: Design, wanted: list[str]) -> list[EntitySchema]:
    """The entities with these names, or all of them if none is given."""
    entities = {entity.name: entity for entity in design.entities}
    for name in wanted:
        if name not in entities:
            raise InputError(f"The design has no entity {name!r}; it has {', '.join(entities) or 'none'}.")
    return [entities[name] for name in wanted] or list(entities.values())


def write_json(data: Any) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")


def load_design(names: Sequence[str], *, peak_writes: int = DEFAULT_PEAK_WRITES) -> Design:
    """Import the modules and find their tables. Raises InputError if there is none."""
    design = design_of([_import_module(name) for name in names], peak_writes=peak_writes)
    if not design.tables:
        raise InputError(f"No table is declared in {', '.join(names)}; name the module that declares Table(...).")
    return design


def _import_module(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return _import_file(Path(name)) if name.endswith(".py") else importlib.import_module(name)
    except DeclarationError as problem:
        raise InputError(f"{name} has an invalid declaration: {problem}") from problem
    except ModuleNotFoundError as problem:
        if problem.name is not None and (name == problem.name or name.startswith(f"{problem.name}.")):
            raise InputError(f"No module named {name!r}; give a dotted name or a .py file.") from problem
        raise InputError(f"{name} can't be imported: {problem}.") from problem
    except InputError:
        raise
    except Exception as problem:  # a user's module may raise anything when it is imported
        raise InputError(f"{name} can't be imported: {type(problem).__name__}: {problem}.") from problem


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError(f"File {str(path)!r} doesn't exist; give a dotted name or a .py file.")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
