"""Commands that import customers and invoices from a file."""

from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.desks.reminders.api.imports import ImportOptionsQuery, LedgerImportBody
from almanac.desks.reminders.commands.arguments import print_one, read_file, show_progress
from almanac.desks.reminders.formats.report import LedgerImportReport
from almanac.desks.reminders.formats.rows import ImportOptions
from almanac.desks.reminders.pipeline.imports import run_import
from almanac.errors import InputError
from almanac.kit.ids import new_id
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_line, print_table


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add them to the desk's commands."""

    @app.command("import")
    def import_file(
        file: Annotated[Path, typer.Argument(help="A CSV file.")],
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Only preview; nothing is written.")] = False,
        column: Annotated[list[str] | None, typer.Option("--column", help="field=column; repeatable.")] = None,
        decimal_mark: Annotated[str | None, typer.Option("--decimal-mark", help="`.` or `,`")] = None,
        day_order: Annotated[str | None, typer.Option("--day-order", help="dmy or mdy")] = None,
        currency: Annotated[str | None, typer.Option("--currency", help="If the file has none.")] = None,
        terms_days: Annotated[
            int | None, typer.Option("--terms", help="Days to pay, if the file has no due date.")
        ] = None,
        as_json: AsJson = False,
    ) -> None:
        """Import customers and invoices; every row has an outcome."""
        options = _parse_options(column or [], decimal_mark, day_order, currency, terms_days)
        content = read_file(file)

        async def work(services: Services) -> None:
            if dry_run:
                report = await service.preview_import(services, CONSOLE, content, options)
            else:
                with show_progress("Importing", quiet=as_json) as progress:
                    report = await run_import(services, CONSOLE, content, options, progress, import_id=new_id())
            _print_report(report, as_json=as_json)

        run(work)


def _parse_options(
    column: list[str], decimal_mark: str | None, day_order: str | None, currency: str | None, terms_days: int | None
) -> ImportOptions:
    options = {"column": column, "decimal_mark": decimal_mark, "day_order": day_order, "currency": currency}
    try:
        return ImportOptionsQuery.model_validate({**options, "terms_days": terms_days}).value()
    except ValueError as error:
        raise InputError(
            "Say the decimal mark as `.` or `,`, the order of days as dmy or mdy, a currency such as EUR."
        ) from error


def _print_report(report: LedgerImportReport, *, as_json: bool) -> None:
    if as_json:
        print_one(LedgerImportBody.from_model(report))
        return
    rows = [[row.line, row.customer_id, row.number, row.reason] for row in report.refused]
    if rows:
        print_table(["Line", "Customer", "Invoice", "Why it was refused"], rows, empty="")
    for question in report.questions:
        print_line(f"{question.sentence} ({question.field}: {', '.join(question.choices)})")
    counts = ", ".join(f"{number} {outcome}" for outcome, number in report.counts.items())
    print_line(f"{'Preview; nothing was saved. ' if report.trial else ''}Rows: {counts}.")
