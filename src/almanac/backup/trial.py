"""The trial of a backup: a scratch schema in which its rows are restored and compared before it is called good."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from almanac.backup.archive import ArchiveManifest, ArchiveWriter, verify_archive
from almanac.backup.encryption import BackupDamaged
from almanac.backup.port import DATABASE, TABLE, TABLE_FILE, Installation, MemberListener
from almanac.backup.table_file import check_table_file
from almanac.errors import AlmanacError, Conflict
from almanac.kit.messages import gettext
from almanac.relational import CopiedTable, DatabaseCopy, get_migration_state
from almanac.relational.staged_schema import TRIAL, create_schema, drop_schema, fill_schema, staging
from almanac.relational.table_copy import (
    CopyConnection,
    TableShape,
    copy_out,
    find_live_schema,
    read_sequences,
    read_shapes,
    snapshot,
)

TRIED_TABLES = "tried-tables"


class TrialFailed(Conflict, code="backup_failed_trial"):
    """A backup that can't be restored as it is."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A scratch schema with empty tables, and what the tables of the database must look like therefore."""

    installation: Installation
    connection: CopyConnection
    migrations: list[str]
    shapes: list[TableShape]

    async def copy_database(self, archive: ArchiveWriter, scratch: Path, seen: MemberListener) -> None:
        """Put the rows of every table into the archive, as of one moment, while the database stays in use."""
        with ExitStack() as stack:
            source = await asyncio.to_thread(stack.enter_context, snapshot(self.installation.database_url))
            live = await asyncio.to_thread(find_live_schema, source)
            tables: list[CopiedTable] = []
            for shape in self.shapes:
                tables.append(await asyncio.to_thread(_copy_table, source, live, shape, archive, scratch / "rows"))
                seen(DATABASE + shape.name)
            # Later than the rows: a sequence only grows, so it is beyond every number that they use.
            sequences = await asyncio.to_thread(read_sequences, source, live)
            archive.database = DatabaseCopy(source.info.server_version, self.migrations, tables, sequences)

    async def restore(self, path: Path, scratch: Path, passphrase: str | None) -> ArchiveManifest:
        """Read the archive from end to end, restore its rows and tables, and compare; a difference is TrialFailed."""
        try:
            manifest = await asyncio.to_thread(self._restore, path, scratch, passphrase)
            if (scratch / TRIED_TABLES).is_dir() and self.installation.table_archive is not None:
                if await self.installation.table_archive.verify(scratch / TRIED_TABLES) != manifest.tables:
                    raise BackupDamaged(gettext("The tables hold other items in the archive than they did."))
                await self.installation.table_archive.import_engine(scratch / TRIED_TABLES, scratch / "tables-trial")
            return manifest
        except AlmanacError as error:
            raise TrialFailed(gettext("The backup can't be restored: %(sentence)s", sentence=error.sentence)) from error

    def _restore(self, path: Path, scratch: Path, passphrase: str | None) -> ArchiveManifest:
        kept: dict[str, Path] = {}

        def keep(name: str) -> Path | None:
            if name.startswith(TABLE):
                (scratch / TRIED_TABLES).mkdir(exist_ok=True)
                return scratch / TRIED_TABLES / Path(name).name
            if not name.startswith(DATABASE) and name != TABLE_FILE:
                return None
            kept[name] = scratch / f"trial-{len(kept)}"
            return kept[name]

        manifest = verify_archive(path, passphrase=passphrase, keep=keep)
        assert manifest.database is not None, "written with one"
        fill_schema(self.connection, TRIAL, manifest.database, lambda table: kept[DATABASE + table.name])
        if TABLE_FILE in kept:
            check_table_file(kept[TABLE_FILE], scratch, manifest.tables)
        for file in kept.values():
            file.unlink()
        return manifest


def _copy_table(
    source: CopyConnection, schema: str, shape: TableShape, archive: ArchiveWriter, spool: Path
) -> CopiedTable:
    copied = copy_out(source, shape, schema, spool)
    archive.add_file(DATABASE + shape.name, spool)
    return copied


@asynccontextmanager
async def open_trial(installation: Installation) -> AsyncIterator[Trial]:
    """The scratch schema, dropped at the end; what a killed process left of one is dropped first."""
    url = installation.database_url
    migrations = (await get_migration_state(url, *installation.migrations)).applied
    empty = DatabaseCopy(0, migrations, [], {})
    with ExitStack() as stack:
        connection = await asyncio.to_thread(stack.enter_context, staging(url, TRIAL))
        try:
            await asyncio.to_thread(create_schema, connection, url, TRIAL, empty, *installation.migrations)
            yield Trial(installation, connection, migrations, await asyncio.to_thread(read_shapes, connection, TRIAL))
        finally:
            await asyncio.to_thread(drop_schema, connection, TRIAL)
