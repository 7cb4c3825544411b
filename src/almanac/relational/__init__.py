"""PostgreSQL: the embedded server, the pool and unit of work, migrations, named SQL, copies and the way back."""

from psycopg.types.json import Jsonb

from almanac.relational.database import Database, Queries, ReadTransaction, Row, Unit, load_queries, redact_url
from almanac.relational.embedded import EmbeddedPostgres
from almanac.relational.errors import DuplicateRow, StillReferenced, UnstorableValue
from almanac.relational.maintenance import count_other_connections, has_rows, stage_dump
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
from almanac.relational.table_copy import CopiedTable, DatabaseCopy, IncompleteDatabase

__all__ = [
    "MIGRATIONS",
    "PRESENCE_NAMESPACE",
    "CopiedTable",
    "Database",
    "DatabaseCopy",
    "DatabaseTooNew",
    "DuplicateRow",
    "EmbeddedPostgres",
    "IncompleteDatabase",
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
    "get_migration_state",
    "has_rows",
    "list_migrations",
    "list_pending_migrations",
    "load_queries",
    "migrate",
    "redact_url",
    "stage_dump",
]
