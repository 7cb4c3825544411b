"""`almanac backup`, `backups` and `restore`: one archive of everything, tried before it counts, and back."""

import os
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from almanac.backup import ArchiveManifest, archive_file, is_empty, is_in_use, restore_backup, verify_archive
from almanac.bootstrap import migrate_all, open_backup_place, open_stores
from almanac.cli.runtime import run_async, settings_for_command, with_services
from almanac.config import Settings
from almanac.errors import Conflict
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, print_table, progress

Target = Annotated[
    Path | None, typer.Argument(help="File or folder to write to; by default where ALMANAC_BACKUP_URL says.")
]
Archive = Annotated[str, typer.Argument(help="The archive: a file, a name that `almanac backups` lists, or latest.")]


@with_services
async def backup(services: Services, target: Target = None, as_json: AsJson = False) -> None:
    """Back up everything to one archive, while Almanac keeps running, and restore it on trial."""
    with progress("Backing up", quiet=as_json) as display:
        report = await services.backups.make("manual", target, lambda _: display.advance(display.task_ids[0]))
    encrypted = services.backups.passphrase is not None
    place = report.path if target else f"{services.backups.place.label}{os.sep}{report.path.name}"
    if as_json:
        counts = {"members": report.members, "bytes": report.bytes, "rows": report.rows, "items": report.items}
        print_json({"path": str(place), **counts, "encrypted": encrypted, "tried": True})
        return
    rows, items = counted(report.rows, "row"), counted(report.items, "item")
    print_line(
        f"Backed up {counted(report.members, 'file')} to {place} ({report.bytes:,} bytes"
        f"{', encrypted' if encrypted else ''}). A trial restore of {rows} and {items} succeeded."
    )


def backups(as_json: AsJson = False) -> None:
    """List the backups where ALMANAC_BACKUP_URL keeps them, the newest first."""
    place = open_backup_place(settings_for_command())
    stored = run_async(place.list_stored)
    if as_json:
        print_json({"place": place.label, "backups": stored})
        return
    rows = [
        [
            line.name,
            f"{line.created_at:%d %B %Y %H:%M}",
            f"{line.bytes:,}",
            "yes" if line.encrypted else "no",
            "bad: failed its trial restore" if line.bad else "good",
        ]
        for line in stored
    ]
    print_table(["Name", "Made (UTC)", "Bytes", "Encrypted", "State"], rows, empty=f"No backups in {place.label}.")


def restore(
    archive: Archive,
    yes: Annotated[bool, typer.Option("--yes", help="Replace existing data without asking.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only verify the archive.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replace everything with the content of a verified archive, or nothing. Stop `almanac serve` first."""
    settings = settings_for_command()
    name, manifest = run_async(lambda: _restore(settings, archive, ask=not yes, only_check=check, quiet=as_json))
    if as_json:
        done = "whole" if check else "restored"
        print_json({done: len(manifest.members), "bytes": manifest.total, "created_at": manifest.created_at})
        return
    files, moment = counted(len(manifest.members), "file"), f"{manifest.created_at:%d %B %Y %H:%M}"
    print_line(f"{name} is intact: {files} from {moment}." if check else f"Restored {files} from {moment}.")


async def _restore(
    settings: Settings, reference: str, *, ask: bool, only_check: bool, quiet: bool
) -> tuple[str, ArchiveManifest]:
    async with archive_file(open_backup_place(settings), reference, settings.data) as path:
        with progress("Verifying", quiet=quiet) as display:
            advance = partial(display.advance, display.task_ids[0])
            manifest = verify_archive(path, lambda _: advance(), passphrase=settings.backup_passphrase)
        if not only_check:
            await _replace_everything(settings, path, manifest, ask=ask, quiet=quiet)
        return path.name, manifest


async def _replace_everything(
    settings: Settings, archive: Path, manifest: ArchiveManifest, *, ask: bool, quiet: bool
) -> None:
    async with open_stores(settings) as installation:
        if await is_in_use(installation):
            raise Conflict("Almanac is still running on this data; stop `almanac serve` and all workers, then restore.")
        if ask and not await is_empty(installation):
            question = f"Replace all data with the backup of {manifest.created_at:%d %B %Y %H:%M}?"
            typer.confirm(question, abort=True, err=True)
        with progress("Restoring", quiet=quiet, total=len(manifest.members)) as display:
            advance = partial(display.advance, display.task_ids[0])
            passphrase = settings.backup_passphrase
            await restore_backup(installation, archive, lambda _: advance(), verified=manifest, passphrase=passphrase)
        await migrate_all(settings, back_up=False)
