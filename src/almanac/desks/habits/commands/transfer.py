"""`almanac habits import` and `export`: habits from and to files."""

from pathlib import Path
from typing import Annotated

import typer

from almanac.desks.habits.commands.options import Owner, load_principal, parse_choice
from almanac.desks.habits.formats.registry import EXPORT_FORMATS
from almanac.desks.habits.service import transfer
from almanac.desks.habits.service.transfer import HabitImportReport
from almanac.errors import InputError
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, print_json, print_line, print_table

commands = CommandList()


@commands.command("import")
async def import_habits(
    services: Services,
    file: Annotated[Path, typer.Argument(help="Loop's archive or database, Beaver's or Almanac's JSON, or CSV.")],
    owner: Owner = "admin@localhost",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report what the import would add.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import habits from a file; importing it again adds nothing."""
    data = _read_file(file)
    principal = await load_principal(services, owner)
    report = await transfer.import_habits(services, principal, data, dry_run=dry_run)
    if as_json:
        fields = {"habits": report.habits, "days_off": report.days_off, "refused": report.refused}
        print_json({"dry_run": dry_run, **fields})
    else:
        _print_report(report)


def _print_report(report: HabitImportReport) -> None:
    rows = [
        ["new" if habit.is_new else "merged", habit.name, habit.entries, habit.entries_known, habit.skips]
        for habit in report.habits
    ]
    print_table(["", "Habit", "New entries", "Already here", "Skips"], rows, empty="The file has no habits.")
    for sentence in report.refused:
        print_line(f"Not imported: {sentence}")
    added = counted(report.entries, "entry", "entries")
    if report.days_off:
        added += f" and {counted(report.days_off, 'vacation or rest day', 'vacations and rest days')}"
    print_line(f"{added} would be imported; nothing was changed." if report.dry_run else f"{added} imported.")


@commands.command("export")
async def export_habits(
    services: Services,
    to: Annotated[Path, typer.Argument(help="The file to write.")],
    form: Annotated[str, typer.Option("--form", help=", ".join(EXPORT_FORMATS))] = "json",
    owner: Owner = "admin@localhost",
) -> None:
    """Export all habits to a file; json and loop can be imported again without loss."""
    export_format = parse_choice(form, EXPORT_FORMATS, "--form")
    export = await transfer.export_habits(services, await load_principal(services, owner), export_format)
    write_file(to, export.data)
    print_line(f"Wrote {to}.")


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} can't be read ({error.strerror}); check the path.") from error


def write_file(path: Path, data: bytes) -> None:
    """Write a file; raises InputError if the system refuses."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path} can't be written ({error.strerror}); choose another path.") from error
