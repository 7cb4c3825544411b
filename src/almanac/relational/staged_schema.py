"""A database restored beside the one in use, in a schema of its own, and the switch to it in one transaction.

A role that owns its database may do all of it; the right to create databases isn't needed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from almanac.errors import Conflict
from almanac.relational.migrate import migrate_schema
from almanac.relational.table_copy import (
    CopiedTable,
    CopyConnection,
    DatabaseCopy,
    TableShape,
    connect,
    copy_in,
    find_live_schema,
    loading,
    measure_table,
    read_sequences,
    read_shapes,
    set_sequences,
)

TRIAL, STAGED, REPLACED = "almanac_trial", "almanac_restore", "almanac_replaced"
JOURNAL = "_restore"
_LOCKS = {TRIAL: 0x616C6D747269616C, STAGED: 0x616C6D7265737472}
_EXTENSIONS = """
SELECT e.extname FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE n.nspname = %s
"""

FileOf = Callable[[CopiedTable], Path]


class StagingRefused(Conflict, code="staging_refused"):
    """The database role may not make what a restore needs."""


class RestoreRunning(Conflict, code="restore_running"):
    """Another process stages a restore right now."""


class CopyDiffers(Conflict, code="copy_differs"):
    """What was restored is not what was copied."""


@contextmanager
def staging(url: str, schema: str, *, patience_seconds: int = 0) -> Iterator[CopyConnection]:
    """The turn of one process to fill a schema; a killed one loses it, and the next drops what it left.

    Somebody else's turn is waited for as long as the patience lasts, then it is RestoreRunning.
    """
    with connect(url) as connection:
        # The smallest time that there is: none at all would mean to wait without end.
        connection.execute("SELECT set_config('lock_timeout', %s, false)", (f"{patience_seconds * 1000 or 1}ms",))
        try:
            connection.execute("SELECT pg_advisory_lock(%s)", (_LOCKS[schema],))
        except psycopg.errors.LockNotAvailable as error:
            raise RestoreRunning(
                "Another backup or restore is working on this database; wait until it has finished."
            ) from error
        connection.execute("RESET lock_timeout")
        yield connection


def create_schema(connection: CopyConnection, url: str, schema: str, copy: DatabaseCopy, *sources: Path) -> None:
    """An empty schema with the tables as the copy's migrations make them."""
    drop_schema(connection, schema)
    try:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
    except psycopg.errors.InsufficientPrivilege as error:
        name, role = connection.info.dbname, connection.info.user
        raise StagingRefused(
            f"The database role {role} may not create a schema, which backups and restores need: let its owner run"
            f' ALTER DATABASE "{name}" OWNER TO "{role}".'
        ) from error
    migrate_schema(url, schema, copy.migrations, *sources)


def fill_schema(connection: CopyConnection, schema: str, copy: DatabaseCopy, file_of: FileOf) -> None:
    """Load every table from its file and compare what is there with what was copied; a difference is CopyDiffers."""
    shapes = {shape.name: shape for shape in read_shapes(connection, schema)}
    for table in copy.tables:
        if table.name not in shapes or not set(table.columns) <= set(shapes[table.name].columns):
            raise CopyDiffers(f"The backup has a table {table.name} that its migrations don't make.")
    connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(schema)))
    try:
        with loading(connection, schema):
            for table in copy.tables:
                copy_in(connection, table, schema, file_of(table))
            set_sequences(connection, schema, copy.sequences)
        compare(connection, schema, copy)
    except psycopg.Error as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise CopyDiffers(f"The database part of the backup can't be restored: {reason}.") from error
    finally:
        connection.execute("RESET search_path")


def compare(connection: CopyConnection, schema: str, copy: DatabaseCopy) -> None:
    """Raise CopyDiffers unless the schema holds the rows and sequences of the copy."""
    for table in copy.tables:
        restored = measure_table(connection, TableShape(table.name, table.columns), schema)
        if restored != table:
            raise CopyDiffers(
                f"The table {table.name} has {restored.rows:,} rows after a restore and had {table.rows:,},"
                " or their content differs."
            )
    sequences = read_sequences(connection, schema)
    if {name: sequences.get(name) for name in copy.sequences} != copy.sequences:
        raise CopyDiffers("A sequence doesn't continue where it was after a restore.")


def drop_schema(connection: CopyConnection, schema: str) -> None:
    connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(schema)))


def existing_schemas(connection: CopyConnection, names: Sequence[str]) -> set[str]:
    """Which of these schemas there are."""
    rows = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname = ANY(%s)", (list(names),)).fetchall()
    return {name for (name,) in rows}


def write_journal(connection: CopyConnection, plan: bytes) -> None:
    """Decide for the staged schema: from now on it is switched to, if not by this process then by the next."""
    with connection.transaction():
        journal = sql.Identifier(STAGED, JOURNAL)
        connection.execute(sql.SQL("CREATE TABLE {} (plan bytea NOT NULL)").format(journal))
        connection.execute(sql.SQL("INSERT INTO {} VALUES (%s)").format(journal), (plan,))


def read_journal(connection: CopyConnection) -> bytes | None:
    """The plan of a switch that was decided and isn't done, or None."""
    if connection.execute("SELECT to_regclass(%s)", (f"{STAGED}.{JOURNAL}",)).fetchone() == (None,):
        return None
    row = connection.execute(sql.SQL("SELECT plan FROM {}").format(sql.Identifier(STAGED, JOURNAL))).fetchone()
    return None if row is None else bytes(row[0])


def switch_schemas(connection: CopyConnection) -> None:
    """Put the staged schema in the place of the one in use, in one transaction. Extensions move along."""
    with connection.transaction():
        live = find_live_schema(connection)
        drop_schema(connection, REPLACED)
        extensions = connection.execute(_EXTENSIONS, (live,)).fetchall()
        connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(sql.Identifier(STAGED, JOURNAL)))
        for (name,) in extensions:
            move = sql.SQL("ALTER EXTENSION {} SET SCHEMA {}")
            connection.execute(move.format(sql.Identifier(name), sql.Identifier(STAGED)))
        _rename(connection, live, REPLACED)
        _rename(connection, STAGED, live)


def _rename(connection: CopyConnection, old: str, new: str) -> None:
    try:
        connection.execute(sql.SQL("ALTER SCHEMA {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)))
    except psycopg.errors.InsufficientPrivilege as error:
        raise StagingRefused(
            f'The database role {connection.info.user} must own the schema "{old}" to restore; let its owner run'
            f' ALTER DATABASE "{connection.info.dbname}" OWNER TO "{connection.info.user}".'
        ) from error
