"""`almanac config`, `migrate` and `doctor`: what is set, what the database needs, and whether all is well."""

import os

import typer
from rich.markup import escape

from almanac.bootstrap import migrate_all
from almanac.cli.boundary import run, services_for_command, settings_for_command
from almanac.config import describe_settings, unknown_variables
from almanac.doctor import run_checks
from almanac.kit.text import counted
from almanac.terminal import AsJson, console, print_error, print_json, print_line, print_table


def config(as_json: AsJson = False) -> None:
    """Every setting with its value, where it comes from and what it is for. Secrets are never shown."""
    lines = describe_settings()
    if as_json:
        print_json(lines)
    else:
        rows = [[line.variable, line.value, line.source, line.about] for line in lines]
        print_table(["Variable", "Value", "From", "About"], rows, empty="")
    for name in unknown_variables(os.environ):
        print_error(f"{name} is set, and there is no such setting.")


def migrate(as_json: AsJson = False) -> None:
    """Bring the database up to date and create missing tables; `almanac serve` migrates by itself when it starts."""

    async def command() -> None:
        applied = await migrate_all(settings_for_command())
        if as_json:
            print_json({"applied": applied})
        else:
            print_line(f"Applied {counted(len(applied), 'migration')}." if applied else "The database is up to date.")

    run(command)


def mail_key(as_json: AsJson = False) -> None:
    """Print the key with which a mail gateway signs the delivery events it reports."""

    async def command() -> None:
        async with services_for_command() as services:
            key = services.mail_webhook_key
        print_json({"key": key}) if as_json else print_line(key)

    run(command)


def doctor(as_json: AsJson = False) -> None:
    """Check every part and say what to do about those that are not well. Exits with 1 if any is not."""

    async def command() -> bool:
        async with services_for_command() as services:
            findings = await run_checks(services)
        if as_json:
            print_json(findings)
        else:
            for finding in findings:
                mark = "[green]well[/green]   " if finding.well else "[red]not well[/red]"
                console.print(f"{mark} {finding.name}: {escape(finding.about)}", soft_wrap=True)
        return all(finding.well for finding in findings)

    if not run(command):
        raise typer.Exit(1)
