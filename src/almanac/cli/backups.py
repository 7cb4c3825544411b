"""`almanac backup` and `almanac restore`: one verified archive of everything, and back."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from almanac.backup import ArchiveManifest, is_empty, is_in_use, make_backup, restore_backup, verify_archive
from almanac.bootstrap import BACKUPS, get_installation, migrate_all, open_stores
from almanac.cli.runtime import run_async, settings_for_command, with_services
from almanac.config import Settings
from almanac.errors import Conflict
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, progress

Target = Annotated[Path | None, typer.Argument(help="File or folder to write to; by default the data folder.")]
Archive = Annotated[Path, typer.Argument(help="The archive to restore.")]


@with_services
async def backup(services: Services, target: Target = None, as_json: AsJson = False) -> None:
    """Back up everything to one archive, while Almanac keeps running."""
    folder = services.settings.data / BACKUPS
    folder.mkdir(parents=True, exist_ok=True)
    with progress("Backing up", quiet=as_json) as display:
        report = await make_backup(
            get_installation(services), target or folder, lambda _: display.advance(display.task_ids[0])
        )
    if as_json:
        print_json({"path": str(report.path), "members": report.members, "bytes": report.bytes})
    else:
        print_line(f"Backed up {counted(report.members, 'file')} to {report.path} ({report.bytes:,} bytes), verified.")


def restore(
    archive: Archive,
    yes: Annotated[bool, typer.Option("--yes", help="Replace existing data without asking.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only verify the archive.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replace everything with the content of a verified archive. Stop `almanac serve` first."""
    settings = settings_for_command()
    with progress("Verifying", quiet=as_json) as display:
        manifest = verify_archive(archive, lambda _: display.advance(display.task_ids[0]))
    if not check:
        run_async(lambda: _replace_everything(settings, archive, manifest, ask=not yes, quiet=as_json))
    if as_json:
        done = "whole" if check else "restored"
        print_json({done: len(manifest.members), "bytes": manifest.total, "created_at": manifest.created_at})
        return
    files, moment = counted(len(manifest.members), "file"), f"{manifest.created_at:%d %B %Y %H:%M}"
    print_line(f"{archive.name} is intact: {files} from {moment}." if check else f"Restored {files} from {moment}.")


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
            await restore_backup(installation, archive, lambda _: advance(), verified=manifest)
        await migrate_all(settings, back_up=False)
