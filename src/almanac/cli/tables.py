"""`almanac tables`: compare the tables with their declarations, and copy all of them to files and back."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import typer

from almanac.bootstrap import open_table_service
from almanac.cli.runtime import run_async, settings_for_command
from almanac.config import Settings
from almanac.errors import InputError
from almanac.kit.clock import SystemClock
from almanac.kit.text import counted
from almanac.tables import export_tables, find_table_problems, import_tables
from almanac.terminal import AsJson, print_error, print_json, print_line, progress
from tablature.transfer import TableFile
from tablature.transport.port import Transport

app = typer.Typer(help="Check the tables, and copy them to files and back.", no_args_is_help=True)
Folder = Annotated[Path, typer.Argument(help="The folder with the exported tables.")]
Replace = Annotated[bool, typer.Option("--replace", help="Let tables end with exactly the exported items.")]


@asynccontextmanager
async def _opened() -> AsyncIterator[tuple[Transport, Settings]]:
    """The tables alone, without the database."""
    settings = settings_for_command()
    if not settings.data.is_dir():
        raise InputError(
            f"There is no data folder at {settings.data}; set ALMANAC_DATA, or run `almanac migrate` first."
        )
    async with open_table_service(settings, SystemClock()) as transport:
        yield transport, settings


@app.command("check")
def check(as_json: AsJson = False) -> None:
    """Compare the tables with what the desks declare; exits with 1 if something differs."""

    async def command() -> None:
        async with _opened() as (transport, settings):
            problems = await find_table_problems(transport, settings)
        if as_json:
            print_json({"problems": problems})
        for problem in () if as_json else problems:
            print_error(problem)
        if problems:
            raise typer.Exit(1)
        if not as_json:
            print_line("All tables are as declared.")

    run_async(command)


@app.command("export")
def export(folder: Folder, as_json: AsJson = False) -> None:
    """Write every item of all tables to a folder, while they stay in use."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise InputError(f"{folder} can't be written ({error.strerror}); name another folder.") from error

    async def copy(transport: Transport, settings: Settings, listener: Callable[[str, int], None]) -> list[TableFile]:
        return await export_tables(transport, settings, folder, listener)

    _transfer(copy, "Exporting", as_json=as_json)


@app.command("import")
def load(folder: Folder, replace: Replace = False, as_json: AsJson = False) -> None:
    """Verify exported tables and import them: into missing or empty tables, all or nothing.

    With --replace, tables that have items end with exactly the exported ones; run it again if it was interrupted.
    """

    async def copy(transport: Transport, settings: Settings, listener: Callable[[str, int], None]) -> list[TableFile]:
        return await import_tables(transport, settings, folder, listener, replace=replace)

    _transfer(copy, "Importing", as_json=as_json)


def _transfer(
    copy: Callable[[Transport, Settings, Callable[[str, int], None]], Awaitable[list[TableFile]]],
    doing: str,
    *,
    as_json: bool,
) -> None:
    async def command() -> None:
        with progress(doing, quiet=as_json) as display:
            async with _opened() as (transport, settings):
                files = await copy(
                    transport,
                    settings,
                    lambda table, items: display.update(
                        display.task_ids[0], description=f"{doing} {table}: {counted(items, 'item')}"
                    ),
                )
        if as_json:
            print_json([{"name": file.name, "items": file.items, "checksum": file.checksum} for file in files])
        else:
            total = sum(file.items for file in files)
            print_line(f"{counted(len(files), 'table')} with {counted(total, 'item')}, verified.")

    run_async(command)
