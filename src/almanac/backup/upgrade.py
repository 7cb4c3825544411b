"""Bringing an installation up to date: newer data is refused, data in use is backed up first, then migrations run."""

import asyncio
import fcntl
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from almanac.backup.names import BEFORE_UPGRADE, archive_name
from almanac.backup.port import Installation
from almanac.backup.restore import settle_restore
from almanac.backup.service import make_backup
from almanac.backup.trial import TrialFailed
from almanac.kit.messages import gettext
from almanac.relational import DatabaseTooNew, get_migration_state, has_rows, migrate

logger = logging.getLogger(__name__)


async def upgrade(installation: Installation, *, folder: Path | None, passphrase: str | None = None) -> list[str]:
    """Apply the migrations that are missing; returns their names.

    With a folder, an installation that holds something is backed up there first. Of several processes that start
    at once one does it, and the others find it done. A restore that was stopped is finished or undone before.
    """
    await settle_restore(installation)
    standing = await get_migration_state(installation.database_url, *installation.migrations)
    if standing.unknown:
        raise DatabaseTooNew(standing.unknown)
    if not standing.missing:
        return []
    if folder is None or not standing.applied:
        return await migrate(installation.database_url, *installation.migrations)
    async with _turn(folder):
        return await _back_up_and_migrate(installation, folder, passphrase)


async def _back_up_and_migrate(installation: Installation, folder: Path, passphrase: str | None) -> list[str]:
    standing = await get_migration_state(installation.database_url, *installation.migrations)
    if standing.missing and await has_rows(installation.database_url):
        path = folder / archive_name(BEFORE_UPGRADE, installation.clock.now(), encrypted=passphrase is not None)
        logger.warning("The data is from an older version: it is backed up, then migrated.")
        try:
            await make_backup(installation, path, passphrase=passphrase)
        except TrialFailed as error:
            raise TrialFailed(
                gettext(
                    "Nothing was upgraded. %(sentence)s To upgrade without a backup, set ALMANAC_BACKUP_KEEP_DAYS=0.",
                    sentence=error.sentence,
                )
            ) from error
        logger.warning("The backup is %s.", path)
    return await migrate(installation.database_url, *installation.migrations)


@asynccontextmanager
async def _turn(folder: Path) -> AsyncIterator[None]:
    """One process at a time; the kernel ends the turn of one that dies."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    with (folder / "upgrade.lock").open("w") as file:
        await asyncio.to_thread(fcntl.flock, file, fcntl.LOCK_EX)
        yield
