"""`almanac tables`: check the tables, copy them to files and back, and restore the embedded ones to a moment."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from almanac.bootstrap import TABLES, open_table_service, require_no_lost_tables
from almanac.cli.runtime import run_async, settings_for_command
from almanac.config import Settings
from almanac.errors import Conflict, InputError
from almanac.kit.clock import SystemClock
from almanac.kit.text import counted
from almanac.tables import export_tables, find_table_problems, import_tables, restore_at_service
from almanac.terminal import AsJson, print_error, print_json, print_line, progress
from tablature.engine.history import (
    FileInUse,
    HistoryArchive,
    HistoryDamaged,
    describe_history,
    history_folder,
    recover_file,
    replace_file,
    require_unused,
)
from tablature.engine.storage import Storage
from tablature.transfer import TableFile
from tablature.transport.port import Transport

app = typer.Typer(
    help="Check the tables, copy them to files and back, or restore them to a moment.", no_args_is_help=True
)
NEXT_STEPS = (
    "Now run `almanac habits reconcile`, which makes points and streaks from the log of habits again, and "
    "`almanac reindex`, so that search finds what the tables hold."
)
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


@app.command("history")
def history(
    forget: Annotated[bool, typer.Option("--forget", help="Forget everything before now.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show how far back the embedded tables can be restored, or forget that history.

    --forget removes erased personal data from the history at once, instead of after the kept days.
    """
    settings = settings_for_command()
    path = _table_file(settings)
    if forget:
        require_no_lost_tables(path)
        with closing(Storage(str(path))) as storage:
            HistoryArchive(storage).clear()
    span = describe_history(history_folder(path))
    if as_json:
        print_json(span)
    elif span is None:
        print_line("No history is kept; set ALMANAC_TABLE_HISTORY_DAYS to keep one.")
    else:
        print_line(
            f"The tables can be restored to any second since {_text(span.earliest)} "
            f"({counted(span.bases, 'base copy', 'base copies')}, {span.bytes:,} bytes; "
            f"last archived change at {_text(span.latest)})."
        )


@app.command("restore")
def restore(
    moment: Annotated[str, typer.Option("--to", help="The time, such as 2026-11-18T07:00:00Z.")],
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Restore the tables to a moment; only the tables: the database and the objects stay as they are.

    The embedded tables are replaced, and the old file is kept beside; stop Almanac first. At a DynamoDB service with
    point-in-time recovery, new tables are made beside the present ones, and you choose when to use them.
    """
    settings = settings_for_command()
    if settings.dynamodb_endpoint or settings.dynamodb_region:
        _restore_at_service(_parse_moment(moment), as_json=as_json)
    else:
        _restore_file(_table_file(settings), _parse_moment(moment), ask=not yes, as_json=as_json)


def _restore_at_service(moment: datetime, *, as_json: bool) -> None:
    async def command() -> None:
        suffix = SystemClock().now().strftime("-restored-%Y%m%d-%H%M%S")
        with progress("Restoring", quiet=as_json):
            async with _opened() as (transport, settings):
                restored = await restore_at_service(transport, settings, moment, suffix)
        if as_json:
            print_json(restored)
            return
        for table in restored.without_recovery:
            print_error(f"{table} has no point-in-time recovery and was left out; use a backup.")
        if restored.variables:
            print_line("To use the restored tables, stop Almanac and set:")
        for variable, name in restored.variables.items():
            print_line(f"{variable}={name}")

    run_async(command)


def _restore_file(path: Path, moment: datetime, *, ask: bool, as_json: bool) -> None:
    stamp = SystemClock().now().strftime("%Y%m%d-%H%M%S")
    staged, kept = path.with_name(f"tables-recovered-{stamp}.db"), path.with_name(f"tables-before-{stamp}.db")
    try:
        require_unused(path)
        with progress("Recovering", quiet=as_json):
            recovered = recover_file(path, moment.timestamp(), staged)
        if ask:
            question = f"Replace all tables by those whose last change was at {_text(recovered.latest)}?"
            typer.confirm(question, abort=True, err=True)
        require_unused(path)
        replace_file(path, staged, kept)
    except FileInUse as error:
        raise Conflict("Almanac is still running on these tables; stop `almanac serve` and all workers.") from error
    except HistoryDamaged as error:
        raise InputError(str(error)) from error
    finally:
        staged.unlink(missing_ok=True)
    if as_json:
        print_json(
            {
                "latest": _text(recovered.latest),
                "changes": recovered.changes,
                "kept": str(kept) if kept.exists() else None,
            }
        )
    else:
        old = f"; the old ones are in {kept}" if kept.exists() else ""
        print_line(f"The tables are as they were at {_text(recovered.latest)}{old}.")
        print_line(NEXT_STEPS)


def _table_file(settings: Settings) -> Path:
    if settings.dynamodb_endpoint or settings.dynamodb_region:
        raise InputError(
            "The tables are at a DynamoDB service, which keeps its own history: see RestoreTableToPointInTime there."
        )
    path = settings.data / TABLES
    if not path.exists() and not history_folder(path).is_dir():
        raise InputError(f"There are no tables at {path} yet; set ALMANAC_DATA, or run `almanac migrate` first.")
    return path


def _parse_moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"“{text}” isn't a valid time; use 2026-11-18T07:00:00Z.") from error
    if moment.tzinfo is None:
        raise InputError(f"“{text}” has no time zone; add Z for UTC, or an offset such as +09:00.")
    # The last change may be in this very second, which is named by its end.
    if moment > SystemClock().now() + timedelta(seconds=1):
        raise InputError(f"{text} is in the future; name a time that has passed.")
    return moment


def _text(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
