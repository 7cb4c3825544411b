"""`almanac backup` and `almanac restore`: one checked archive of everything, and back."""

from pathlib import Path
from typing import Annotated

import typer

from almanac.backup import make_backup, restore_backup, verify_archive
from almanac.bootstrap import installation_of
from almanac.cli.boundary import run, services_for_command
from almanac.kit.text import counted
from almanac.terminal import AsJson, print_json, progress, say

Target = Annotated[
    Path | None, typer.Argument(help="File to write, or a folder to choose a name in; by default the data folder.")
]
Archive = Annotated[Path, typer.Argument(help="The archive to restore.")]


def backup(target: Target = None, as_json: AsJson = False) -> None:
    """Write one archive with everything that has state; nothing needs to be stopped."""

    async def command() -> None:
        async with services_for_command() as services:
            folder = services.settings.data / "backups"
            folder.mkdir(parents=True, exist_ok=True)
            with progress("Backing up", quiet=as_json) as display:
                report = await make_backup(
                    installation_of(services), target or folder, lambda _: display.advance(display.task_ids[0])
                )
        if as_json:
            print_json({"path": str(report.path), "members": report.members, "bytes": report.bytes})
        else:
            say(f"Backed up {counted(report.members, 'file')} to {report.path} ({report.bytes:,} bytes), checked.")

    run(command)


def restore(
    archive: Archive,
    yes: Annotated[bool, typer.Option("--yes", help="Replace what is there without asking.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only verify the archive.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replace everything by what an archive holds, after verifying it. Stop `almanac serve` first."""
    manifest = verify_archive(archive)
    if check:
        whole = counted(len(manifest.members), "file")
        say(f"{archive.name} is whole: {whole} of {manifest.created_at:%d %B %Y %H:%M}.")
        return
    if not yes:
        typer.confirm(f"Replace everything by the state of {manifest.created_at:%d %B %Y %H:%M}?", abort=True, err=True)

    async def command() -> None:
        async with services_for_command() as services:
            with progress("Restoring", quiet=as_json) as display:
                await restore_backup(installation_of(services), archive, lambda _: display.advance(display.task_ids[0]))
        if as_json:
            print_json({"restored": len(manifest.members), "created_at": manifest.created_at})
        else:
            say(f"Restored {counted(len(manifest.members), 'file')} of {manifest.created_at:%d %B %Y %H:%M}.")

    run(command)
