"""The stores that the settings ask for, opened without anything built on them: PostgreSQL, tables, objects."""

import asyncio
import logging
import math
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from almanac.backup import (
    BackupPlace,
    Backups,
    FolderPlace,
    Installation,
    ObjectPlace,
    RetentionPolicy,
    describe_damage,
    upgrade,
)
from almanac.bootstrap.table_archive import DeskTables
from almanac.config import CHOICES_FILE, Settings
from almanac.errors import Conflict, SettingError
from almanac.jobs import SCHEMA
from almanac.kit.clock import Clock, SystemClock
from almanac.kit.private_files import close_exposed, make_private_folder
from almanac.objects import ObjectStore
from almanac.objects.local import LocalObjectStore
from almanac.objects.memory import MemoryObjectStore
from almanac.objects.s3 import S3ObjectStore
from almanac.relational import MIGRATIONS, Database, EmbeddedPostgres, redact_url
from almanac.services import Services
from almanac.tables import ensure_tables, open_tables
from tablature.engine.history import HistoryArchive, describe_history, history_folder
from tablature.engine.housekeeping import Housekeeper
from tablature.engine.storage import Storage, UnreadableFile
from tablature.errors import TablatureError
from tablature.transport.aws import Aws
from tablature.transport.credentials import find_region
from tablature.transport.embedded import Embedded
from tablature.transport.port import Transport

_log = logging.getLogger(__name__)
SECRET, OUTBOX, TABLES, BACKUPS = "secret.key", "outbox", "tables.db", "backups"
POSTGRES, OBJECTS = "postgres", "objects"
LARGE_FOLDERS = (POSTGRES, OBJECTS)


@asynccontextmanager
async def database_address(settings: Settings) -> AsyncIterator[str]:
    """The URL of PostgreSQL: the one in the settings, or of the embedded server, which runs while this is open."""
    _make_data_folder(settings.data)
    if settings.database_url is not None:
        yield redact_url(settings.database_url)
        return
    async with EmbeddedPostgres(settings.data / POSTGRES) as url:
        yield url


def _make_data_folder(folder: Path) -> None:
    try:
        make_private_folder(folder)
        close_exposed(folder, trusted=LARGE_FOLDERS)
        probe = folder / ".write-test"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise SettingError(
            f"The data folder {folder} can't be used ({error.strerror or error}); "
            "set ALMANAC_DATA to a folder this account may write."
        ) from error


@asynccontextmanager
async def open_table_service(settings: Settings, clock: Clock) -> AsyncIterator[Transport]:
    """The transport to the tables: the embedded engine with its cleanup, or the endpoint in the settings."""
    if settings.dynamodb_endpoint or settings.dynamodb_region:
        if settings.dynamodb_region is None and not find_region():
            raise SettingError("ALMANAC_DYNAMODB_ENDPOINT also needs ALMANAC_DYNAMODB_REGION, such as eu-west-1.")
        async with Aws(endpoint_url=settings.dynamodb_endpoint, region=settings.dynamodb_region) as aws:
            yield aws
        return
    path = settings.data / TABLES
    require_no_lost_tables(path)
    try:
        async with _open_embedded(path, settings, clock) as embedded:
            yield embedded
    except (sqlite3.DatabaseError, UnreadableFile, TablatureError) as error:
        if sentence := describe_damage(error):
            raise Conflict(sentence) from error
        raise


@asynccontextmanager
async def _open_embedded(path: Path, settings: Settings, clock: Clock) -> AsyncIterator[Embedded]:
    with Embedded(path) as embedded:
        storage = embedded.engine.storage
        history = await asyncio.to_thread(_open_history, storage, settings.table_history_days)
        housekeeper = Housekeeper(storage, clock=lambda: clock.now().timestamp(), history=history)
        housekeeper.start()
        try:
            yield embedded
        finally:
            await asyncio.to_thread(housekeeper.stop)


def require_no_lost_tables(path: Path) -> None:
    """Refuse to begin an empty table file where a history shows that there was one."""
    span = None if path.exists() else describe_history(history_folder(path))
    if span is not None:
        latest = datetime.fromtimestamp(math.ceil(span.latest), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        raise Conflict(
            f"The table file {path} is missing, but its history holds changes up to {latest}; run `almanac tables "
            f"restore --to {latest}` (or remove {history_folder(path)} to start empty)."
        )


def _open_history(storage: Storage, days: int) -> HistoryArchive:
    """The history of the tables. One that can't be written now is tried again later; the tables work without it."""
    history = HistoryArchive(storage)
    try:
        if days:
            history.start(days)
        else:
            history.stop()
    except (OSError, sqlite3.Error):
        _log.exception("the history of the tables can't be written")
    return history


@asynccontextmanager
async def open_stores(settings: Settings) -> AsyncIterator[Installation]:
    """The stores that a restore replaces, opened without migration. A lost table file is no obstacle."""
    clock, path = SystemClock(), settings.data / TABLES
    at_service = settings.dynamodb_endpoint or settings.dynamodb_region
    is_lost = not at_service and not path.exists() and history_folder(path).is_dir()
    tables = _stand_in(path) if is_lost else open_table_service(settings, clock)
    async with database_address(settings) as url, tables as transport:
        yield build_installation(settings, clock, url, open_objects(settings, clock), transport)


@asynccontextmanager
async def _stand_in(path: Path) -> AsyncIterator[Embedded]:
    """A new table file in the place of a lost one. If nothing was restored into it, it goes again; the history of the
    lost one is untouched.
    """
    is_empty = False
    try:
        with Embedded(path) as embedded:
            try:
                yield embedded
            finally:
                is_empty = not embedded.engine.storage.tables()
    finally:
        if is_empty:
            await asyncio.to_thread(path.unlink)


@dataclass(frozen=True, slots=True)
class MigrationReport:
    """What a migration did, and what it could not do."""

    applied: list[str]
    warnings: list[str]


async def migrate_all(
    settings: Settings, *, back_up: bool = True, listener: Callable[[str], None] | None = None
) -> MigrationReport:
    """Apply every migration, create the tables that are missing and complete the others. Repeatable."""
    clock = SystemClock()
    async with database_address(settings) as url, open_table_service(settings, clock) as transport:
        installation = build_installation(settings, clock, url, open_objects(settings, clock), transport)
        applied = await upgrade_data(settings, installation, back_up=back_up)
        tables = await ensure_tables(
            open_tables(transport, settings, clock=clock.now, cursor_secret=b""), listener=listener
        )
        created = [f"table {name}" for name in tables.created]
        return MigrationReport([*applied, *created, *tables.completed], tables.warnings)


async def upgrade_data(settings: Settings, installation: Installation, *, back_up: bool = True) -> list[str]:
    """Migrate. The data folder is backed up first; an external database has its own backups."""
    keeps = back_up and settings.database_url is None and settings.backup_keep_days > 0
    folder = settings.data / BACKUPS if keeps else None
    return await upgrade(installation, folder=folder, passphrase=settings.backup_passphrase)


def open_backup_place(settings: Settings) -> BackupPlace:
    """Where the settings keep backups."""
    url = settings.backup_url
    if url is None:
        return FolderPlace(settings.data / BACKUPS, create=True)
    if urlsplit(url).scheme == "file":
        return FolderPlace(_folder_of(url, "ALMANAC_BACKUP_URL"), create=False)
    return ObjectPlace(S3ObjectStore.from_url(url, setting="ALMANAC_BACKUP_URL"), url.partition("?")[0])


def build_backups(settings: Settings, installation: Installation, database: Database) -> Backups:
    policy = RetentionPolicy(settings.backup_keep_days, settings.backup_keep_weeks, settings.backup_keep_months)
    place = open_backup_place(settings)
    return Backups(installation, database, place, policy, passphrase=settings.backup_passphrase)


def get_installation(services: Services) -> Installation:
    """What a backup holds and a restore replaces."""
    url, transport = services.database.url, services.table_service
    return build_installation(services.settings, services.clock, url, services.objects, transport)


def build_installation(
    settings: Settings, clock: Clock, url: str, objects: ObjectStore, transport: Transport
) -> Installation:
    return Installation(
        database_url=url,
        objects=objects,
        tables=transport.engine if isinstance(transport, Embedded) else None,
        clock=clock,
        folder=settings.data,
        table_archive=DeskTables(transport, settings),
        files={name: settings.data / name for name in (OUTBOX, SECRET, CHOICES_FILE)},
        migrations=(SCHEMA, MIGRATIONS),
    )


def open_objects(settings: Settings, clock: Clock) -> ObjectStore:
    url = settings.objects_url
    match urlsplit(url or "").scheme:
        case "s3":
            return S3ObjectStore.from_url(url or "")
        case "memory":
            return MemoryObjectStore(clock)
        case "file":
            return LocalObjectStore(_folder_of(url or "", "ALMANAC_OBJECTS_URL"), clock)
        case _:
            return LocalObjectStore(settings.data / OBJECTS, clock)


def _folder_of(url: str, setting: str) -> Path:
    parts = urlsplit(url)
    if parts.netloc or not parts.path.startswith("/"):
        raise SettingError(f"{setting} must name a whole path, as in file:///srv/almanac/objects.")
    return Path(unquote(parts.path))
