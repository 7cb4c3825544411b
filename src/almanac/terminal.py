"""How commands speak: tables and sentences for people, one JSON document for programs, errors on standard error.

Below the desks, so that each can bring commands of its own; mounting them is left to `almanac.cli`.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from datetime import datetime
from functools import wraps
from typing import Annotated, Concatenate, ParamSpec, TypeAlias, TypeVar

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from almanac.services import Services

OpenServices = Callable[[], AbstractAsyncContextManager[Services]]
"""Opens a running installation for one command."""
Work = Callable[[Services], Awaitable[None]]
Run = Callable[[Work], None]
P = ParamSpec("P")
CommandT = TypeVar("CommandT", bound=Callable[..., Awaitable[None] | None])
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text for people.")]

_WIDEST = 10_000
console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def print_json(value: object) -> None:
    """One JSON document, and nothing else, on standard output."""
    typer.echo(msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode())


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, empty: str) -> None:
    """Rows for a person; a sentence when there are none. Where no person reads along, each row is one whole line."""
    if not rows:
        console.print(empty)
        return
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(*(escape("" if cell is None else str(cell)) for cell in row))
    (console if console.is_terminal else Console(highlight=False, width=_WIDEST)).print(table)


def make_runner(open_services: OpenServices) -> Run:
    """Runs the work of a command on services that are opened for it alone."""

    def run(work: Work) -> None:
        async def opened() -> None:
            async with open_services() as services:
                await work(services)

        asyncio.run(opened())

    return run


def make_command(command: Callable[Concatenate[Services, P], Awaitable[None]], run: Run) -> Callable[P, None]:
    """A plain function for Typer with the command's parameters, except the services: those come from `run`."""

    @wraps(command)
    def call(*args: P.args, **options: P.kwargs) -> None:
        run(lambda services: command(services, *args, **options))

    signature = inspect.signature(command)
    call.__dict__["__signature__"] = signature.replace(parameters=list(signature.parameters.values())[1:])
    return call


class CommandList:
    """Commands in the order in which help shows them. Async ones get the services as their first argument."""

    def __init__(self) -> None:
        self._commands: list[tuple[str, Callable[..., Awaitable[None] | None]]] = []

    def command(self, name: str) -> Callable[[CommandT], CommandT]:
        """Add the decorated function under this name."""

        def add(command: CommandT) -> CommandT:
            self._commands.append((name, command))
            return command

        return add

    def mount(self, app: typer.Typer, run: Run) -> None:
        """Put the commands on a Typer app; `run` opens services for each call."""
        for name, command in self._commands:
            app.command(name)(make_command(command, run) if inspect.iscoroutinefunction(command) else command)


def parse_day(text: str) -> datetime:
    """The value of an option that is a day; a usage error with an example if it isn't one."""
    try:
        return datetime.strptime(text, "%Y-%m-%d")  # noqa: DTZ007 - only its date is used
    except ValueError:
        raise typer.BadParameter(f"“{text}” isn't a date; write it such as 2026-11-18.") from None


def print_line(sentence: str) -> None:
    """A sentence for a person."""
    console.print(escape(sentence), soft_wrap=True)


def print_error(sentence: str) -> None:
    """A sentence about what went wrong, on standard error."""
    errors.print(f"[red]error:[/red] {escape(sentence)}", soft_wrap=True)


def print_warning(sentence: str) -> None:
    """A sentence about what may be wrong, on standard error; the command goes on."""
    errors.print(f"[yellow]warning:[/yellow] {escape(sentence)}", soft_wrap=True)


@contextmanager
def progress(title: str, *, quiet: bool, total: int | None = None) -> Iterator[Progress]:
    """A progress display on standard error, so that standard output stays clean."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=errors, disable=quiet or not errors.is_terminal, transient=True) as display:
        display.add_task(title, total=total)
        yield display
