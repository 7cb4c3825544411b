"""The tables of all desks as files of a backup, whether they are at an endpoint or in the embedded engine's file."""

from pathlib import Path

from almanac.backup import ItemCount, TableArchive
from almanac.config import Settings
from almanac.tables import export_tables, import_tables, verify_table_files
from tablature.transfer import TableFile
from tablature.transport.embedded import Embedded
from tablature.transport.port import Transport


class DeskTables(TableArchive):
    """The tables that the settings name, behind one transport."""

    def __init__(self, transport: Transport, settings: Settings) -> None:
        self._transport, self._settings = transport, settings

    async def export(self, folder: Path) -> dict[str, ItemCount]:
        return _counts(await export_tables(self._transport, self._settings, folder))

    async def export_engine(self, file: Path, folder: Path) -> None:
        with Embedded(file) as engine:
            await export_tables(engine, self._settings, folder)

    async def import_engine(self, folder: Path, file: Path) -> None:
        with Embedded(file) as engine:
            await import_tables(engine, self._settings, folder, replace=True)

    async def verify(self, folder: Path) -> dict[str, ItemCount]:
        return _counts(await verify_table_files(folder))

    async def replace(self, folder: Path) -> None:
        await import_tables(self._transport, self._settings, folder, replace=True)


def _counts(files: list[TableFile]) -> dict[str, ItemCount]:
    return {file.name: ItemCount(file.items, file.checksum) for file in files}
