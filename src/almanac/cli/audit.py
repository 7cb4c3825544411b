"""`almanac audit`: list and export the audit log, and verify an exported file without an installation."""

from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.audit import service
from almanac.audit.export import ExportForm, FileReport, read_entries, verify_entries
from almanac.audit.model import AuditFilter, parse_period
from almanac.cli.runtime import with_services
from almanac.errors import InputError
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, print_table

_NOT_WHOLE = 3

app = typer.Typer(no_args_is_help=True, help="List, export and verify the audit log.")

Person = Annotated[str, typer.Option("--person", help="Part of a name or address, or an id.")]
Action = Annotated[str, typer.Option("--action", help="Such as user.deactivated.")]
ObjectId = Annotated[str, typer.Option("--object", help="The id of what was acted on.")]
Since = Annotated[str, typer.Option("--since", help="The first day, such as 2026-03-02.")]
Until = Annotated[str, typer.Option("--until", help="The last day.")]
AuditFile = Annotated[Path, typer.Argument(help="A file that `almanac audit export` or the page wrote.")]


@app.command("list")
@with_services
async def list_entries(
    services: Services,
    person: Person = "",
    action: Action = "",
    object_id: ObjectId = "",
    since: Since = "",
    until: Until = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of entries.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List entries, newest first."""
    wanted = _build_filter(services, person, action, object_id, since, until)
    entries = (await service.list_entries(services.database, wanted, key=services.key("cursors"), limit=limit)).items
    if as_json:
        print_json(entries)
        return
    names = await service.list_names(services.database, entries)
    rows = [
        [
            f"{entry.recorded_at:%Y-%m-%d %H:%M}",
            names.get(entry.actor_id, entry.actor_id),
            entry.action,
            f"{entry.object_type} {names.get(entry.object_id, entry.object_id)}",
            entry.why,
        ]
        for entry in entries
    ]
    print_table(["When (UTC)", "By", "Action", "About", "Why"], rows, empty="No entries.")


@app.command("export")
@with_services
async def export(
    services: Services,
    file: Annotated[Path | None, typer.Argument(help="Where to write; standard output by default.")] = None,
    form: Annotated[str, typer.Option("--form", help="jsonl or csv")] = "jsonl",
    person: Person = "",
    action: Action = "",
    object_id: ObjectId = "",
    since: Since = "",
    until: Until = "",
) -> None:
    """Export entries, oldest first, with the hashes by which they can be verified."""
    chosen: ExportForm = "csv" if form == "csv" else "jsonl"
    if form != chosen:
        raise InputError("--form must be jsonl or csv.")
    wanted = _build_filter(services, person, action, object_id, since, until)
    lines = await service.begin_export(services.database, services.clock, CONSOLE.actor, wanted, chosen)
    if file is None:
        async for piece in lines:
            typer.echo(piece, nl=False)
        return
    with file.open("w", encoding="utf-8", newline="") as output:
        async for piece in lines:
            output.write(piece)
    print_line(f"Wrote {file}. Check it with `almanac audit verify {file}`.")


@app.command("verify")
def verify(file: AuditFile, as_json: AsJson = False) -> None:
    """Check an exported file: that no entry was changed, and that none is missing between those in it.

    Exits with 0 if the file is one unbroken piece from the first entry on, with 1 if an entry was changed, and with 3
    if none was changed but it can't be told whether any was removed, as in a filtered file.
    """
    with file.open(encoding="utf-8", newline="") as lines:
        report = verify_entries(read_entries(lines))
    if as_json:
        print_json(report)
    else:
        print_line(_describe(report))
    if not report.is_intact:
        raise typer.Exit(1)
    if not report.is_whole:
        raise typer.Exit(_NOT_WHOLE)


def _describe(report: FileReport) -> str:
    entries = counted(report.entries, "entry", "entries")
    if not report.is_intact:
        return f"{report.reason} {entries} before it {'is' if report.entries == 1 else 'are'} intact."
    if report.is_whole:
        return f"{entries}, from the first on; none was changed or removed. The last hash is {report.head}."
    if not report.entries:
        return "There is no entry in this file, so it can't be told whether any was removed."
    if report.pieces == 1:
        return (
            f"{entries} in 1 piece, from entry {report.first} on; none was changed. Those before it aren't in this "
            "file, so it can't be told whether any was removed."
        )
    return (
        f"{entries} in {counted(report.pieces, 'piece')}; none was changed. Entries between the pieces aren't in this "
        "file, so it can't be told whether any was removed."
    )


def _build_filter(services: Services, person: str, action: str, object_id: str, since: str, until: str) -> AuditFilter:
    first, end = parse_period(since, until, services.settings.time_zone)
    return AuditFilter(
        action=action or None,
        object_id=object_id or None,
        since=first,
        until=end,
        person=person or None,
    )
