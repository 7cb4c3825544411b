"""`almanac config`, `migrate`, `mail-key` and `doctor`: settings, migrations and health checks."""

from typing import Annotated

import typer
from rich.markup import escape

from almanac.bootstrap import migrate_all, open_services
from almanac.cli.runtime import run_async, settings_for_command, with_services
from almanac.config import describe_settings
from almanac.doctor import CheckResult, run_checks
from almanac.errors import AlmanacError, InputError
from almanac.identity import accept_secret
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, console, print_error, print_json, print_line, print_table
from tablature.engine.storage.connection import UnreadableFile
from tablature.errors import TablatureError


def config(as_json: AsJson = False) -> None:
    """List all settings with their value, origin and purpose. Secrets are never shown."""
    lines = describe_settings()
    if as_json:
        print_json(lines)
    else:
        rows = [[line.variable, line.value, line.source, line.about] for line in lines]
        print_table(["Variable", "Value", "From", "About"], rows, empty="")


def migrate(as_json: AsJson = False) -> None:
    """Apply database migrations, create missing tables and complete the others; safe to repeat.

    `almanac serve` does so when it starts, except for building indexes over existing items.
    """

    async def command() -> None:
        report = await migrate_all(settings_for_command(), listener=None if as_json else print_line)
        if as_json:
            print_json({"applied": report.applied, "warnings": report.warnings})
            return
        for warning in report.warnings:
            print_error(f"Warning: {warning}")
        count = len(report.applied)
        print_line(f"Applied {counted(count, 'change')}." if count else "The database is up to date.")

    run_async(command)


@with_services
async def mail_key(services: Services, as_json: AsJson = False) -> None:
    """Print the key that a mail gateway uses to sign its delivery events."""
    key = services.mail_webhook_key
    print_json({"key": key}) if as_json else print_line(key)


def doctor(
    accept_key: Annotated[
        bool, typer.Option("--accept-secret-key", help="Take over a secret key that was changed on purpose.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every part and show how to fix problems. Exits with 1 if a check fails."""
    findings = run_async(lambda: _examine(accept_key=accept_key))
    if as_json:
        print_json(findings)
    else:
        for finding in findings:
            mark = "[green]OK[/green]    " if finding.well else "[red]failed[/red]"
            console.print(f"{mark} {finding.name}: {escape(finding.about)}", soft_wrap=True)
    if not all(finding.well for finding in findings):
        raise typer.Exit(1)


async def _examine(*, accept_key: bool) -> list[CheckResult]:
    """What all checks found; if Almanac can't even be opened, why."""
    settings = settings_for_command(log_level="error")
    try:
        async with open_services(settings, only_look=True) as services:
            if accept_key:
                await accept_secret(services.database, services.secret)
            return await run_checks(services)
    except (AlmanacError, TablatureError, UnreadableFile) as error:
        if isinstance(error, InputError):
            raise
        return [CheckResult("start", False, str(error))]
