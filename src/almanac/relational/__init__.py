"""PostgreSQL: the embedded server, the pool and unit of work, migrations, named SQL, dump and restore."""

from psycopg.types.json import Jsonb

from almanac.relational.database import Database, Queries, ReadTransaction, Row, Unit, load_queries, redact_url
from almanac.relational.embedded import EmbeddedPostgres
from almanac.relational.errors import DuplicateRow, StillReferenced, UnstorableValue
from almanac.relational.maintenance import count_other_connections, dump_database, has_rows, restore_database
from almanac.relational.migrate import (
    MIGRATIONS,
    DatabaseTooNew,
    MigrationFailed,
    MigrationState,
    UnsupportedDatabase,
    get_migration_state,
    list_migrations,
    list_pending_migrations,
    migrate,
)
from almanac.relational.presence import NAMESPACE as PRESENCE_NAMESPACE

__all__ = [
    "MIGRATIONS",
    "PRESENCE_NAMESPACE",
    "Database",
    "DatabaseTooNew",
    "DuplicateRow",
    "EmbeddedPostgres",
    "Jsonb",
    "MigrationFailed",
    "MigrationState",
    "Queries",
    "ReadTransaction",
    "Row",
    "StillReferenced",
    "Unit",
    "UnstorableValue",
    "UnsupportedDatabase",
    "count_other_connections",
    "dump_database",
    "get_migration_state",
    "has_rows",
    "list_migrations",
    "list_pending_migrations",
    "load_queries",
    "migrate",
    "redact_url",
    "restore_database",
]
