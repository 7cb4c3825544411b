"""Migrations: plain SQL files applied in order by yoyo, each together with its mark in one transaction.

Several processes may start at once; an advisory lock lets one of them migrate while the others wait.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import escape
from pathlib import Path

import psycopg
from yoyo import read_migrations
from yoyo.backends.core.postgresql import PostgresqlPsycopgBackend
from yoyo.connections import DatabaseURI
from yoyo.migrations import Migration, MigrationList, default_migration_table

from almanac.errors import Conflict, Unavailable
from almanac.relational.errors import describe_refusal

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x616C6D616E6163
_OLDEST_SERVER = 15_00_00
# Shorter than anybody who asks whether we are ready waits: a question that goes on alone holds a thread.
_ASKING_PATIENCE = "3s"
_log = logging.getLogger(__name__)


class MigrationFailed(Conflict, code="migration_failed"):
    """A migration can't be applied; the database is as it was before it."""

    def __init__(self, name: str, error: psycopg.Error) -> None:
        reason = str(error).partition("\n")[0].rstrip(".")
        super().__init__(f"The migration {name} can't be applied to this database: {reason}.")


class UnsupportedDatabase(Conflict, code="unfit_database"):
    """A database that Almanac can reach but not use as it is."""


class _Backend(PostgresqlPsycopgBackend):  # type: ignore[misc] # yoyo ships no types
    """yoyo on one psycopg connection, safe against a kill between a migration and its mark."""

    def __init__(self, url: str, schema: str | None = None) -> None:
        self._url, self.schema = url, schema
        super().__init__(DatabaseURI("postgresql", "", "", "", None, "", {}), default_migration_table)

    def connect(self, dburi: DatabaseURI) -> psycopg.Connection:  # noqa: ARG002 - any libpq string is welcome, not only what yoyo can parse
        connection = psycopg.connect(self._url, autocommit=True)
        try:
            _check_fitness(connection.info)
        except UnsupportedDatabase:
            connection.close()
            raise
        return connection

    @contextmanager
    def lock(self, timeout: float = 0) -> Iterator[None]:  # noqa: ARG002 - yoyo's signature
        """Nothing to do: the advisory lock is held. yoyo's own lock row would outlive a killed process."""
        yield

    def apply_one(self, migration: Migration, force: bool = False, mark: bool = True) -> None:  # noqa: ARG002 - yoyo's signature
        """Apply and mark in one transaction; yoyo itself uses two connections and can lose the mark."""
        try:
            with self.transaction():
                migration.process_steps(self, "apply")
                self.mark_one(migration, log=False)
        except psycopg.Error as error:
            raise MigrationFailed(migration.id, error) from error


class DatabaseTooNew(Conflict, code="newer_data"):
    """The database was used by a newer program; this one would misread it and changes nothing."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"This data belongs to a newer version of Almanac, with changes unknown to this one ({names[-1]});"
            " start that version, or restore a backup made by this one."
        )


@dataclass(frozen=True, slots=True)
class MigrationState:
    """Where a database stands: what was applied to it, what is missing, and what only a newer program knows."""

    applied: list[str]
    missing: list[str]
    unknown: list[str]


async def migrate(url: str, *sources: Path) -> list[str]:
    """Bring a database up to date, folder by folder in the order given; returns what was applied."""
    return await asyncio.to_thread(_migrate, url, sources or (MIGRATIONS,))


async def get_migration_state(url: str, *sources: Path) -> MigrationState:
    """How a database compares with the migrations of these folders; changes nothing but yoyo's own tables."""
    return await asyncio.to_thread(_standing, url, sources or (MIGRATIONS,))


def list_migrations(*sources: Path) -> list[str]:
    """Every migration of these folders, in the order in which they are applied."""
    return [migration.id for source in sources for migration in _read(source)]


async def list_pending_migrations(url: str, *sources: Path) -> list[str]:
    """The names of migrations that are not applied yet; Unavailable while another process applies them."""
    return await asyncio.to_thread(_pending, url, sources or (MIGRATIONS,))


def _migrate(url: str, sources: Sequence[Path]) -> list[str]:
    applied: list[str] = []
    with _locked_backend(url) as backend:
        for migrations in map(_read, sources):
            missing = backend.to_apply(migrations)
            backend.apply_migrations(missing)
            applied += [migration.id for migration in missing]
    if applied:
        _log.info("migrated", extra={"applied": len(applied), "last": applied[-1]})
    return applied


def migrate_schema(url: str, schema: str, names: Sequence[str], *sources: Path) -> None:
    """Apply the named migrations inside a schema of their own that nobody else uses, so that no lock is needed."""
    backend = _Backend(url, schema)
    with backend:
        for source in sources:
            chosen = MigrationList(migration for migration in _read(source) if migration.id in names)
            backend.apply_migrations(backend.to_apply(chosen))


def _pending(url: str, sources: Sequence[Path]) -> list[str]:
    with _locked_backend(url, patience=_ASKING_PATIENCE) as backend:
        return [m.id for migrations in map(_read, sources) for m in backend.to_apply(migrations)]


def _standing(url: str, sources: Sequence[Path]) -> MigrationState:
    ours = list_migrations(*sources)
    with _locked_backend(url) as backend:
        backend.ensure_internal_schema_updated()
        rows = backend.execute(f"SELECT migration_id FROM {default_migration_table} ORDER BY applied_at_utc")
        applied = [name for (name,) in rows.fetchall()]
    return MigrationState(
        applied=applied,
        missing=[name for name in ours if name not in applied],
        unknown=[name for name in applied if name not in ours],
    )


def _read(source: Path) -> MigrationList:
    """The SQL files of a folder; another package's folder may also hold Python that is no migration."""
    return MigrationList(migration for migration in read_migrations(escape(str(source))) if migration.is_raw_sql())


def _check_fitness(database: psycopg.ConnectionInfo) -> None:
    """Before anything is written: without UTF-8 no text comes back as text, and older servers lack what queries use."""
    if database.server_version < _OLDEST_SERVER:
        version, needed = database.server_version // 10_000, _OLDEST_SERVER // 10_000
        raise UnsupportedDatabase(f"The database server is PostgreSQL {version}; use {needed} or newer.")
    if (encoding := database.parameter_status("server_encoding")) != "UTF8":
        raise UnsupportedDatabase(
            f"The database {database.dbname} keeps its text as {encoding}, which can't hold every language;"
            f" create it again with `createdb --encoding=UTF8 --template=template0 {database.dbname}`."
        )


@contextmanager
def _locked_backend(url: str, *, patience: str = "0") -> Iterator[_Backend]:
    """Without a patience, whoever migrates is waited for, however long that takes."""
    try:
        backend = _Backend(url)
    except psycopg.OperationalError as error:
        raise Unavailable(describe_refusal(url, error)) from error
    with backend:
        try:
            backend.connection.execute("SELECT set_config('lock_timeout', %s, false)", (patience,))
            backend.connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        except psycopg.errors.LockNotAvailable as error:
            raise Unavailable("The database is being migrated right now; try again in a moment.") from error
        yield backend
