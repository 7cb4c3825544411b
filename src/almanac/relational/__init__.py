"""PostgreSQL: the embedded server, the pool and unit of work, migrations, named SQL, dump and restore."""

from psycopg.types.json import Jsonb

from almanac.relational.database import Database, Reading, Row, Unit, readable_address
from almanac.relational.dump import dump_database, restore_database
from almanac.relational.embedded import EmbeddedPostgres
from almanac.relational.failures import Duplicate, StillReferenced, Unstorable
from almanac.relational.migrate import (
    MIGRATIONS,
    MigrationFailed,
    NewerData,
    Standing,
    UnfitDatabase,
    migrate,
    names_of_migrations,
    pending_migrations,
    standing_of,
)
from almanac.relational.occupancy import connected_others, holds_rows
from almanac.relational.queries import Queries, load_queries

__all__ = [
    "MIGRATIONS",
    "Database",
    "Duplicate",
    "EmbeddedPostgres",
    "Jsonb",
    "MigrationFailed",
    "NewerData",
    "Queries",
    "Reading",
    "Row",
    "Standing",
    "StillReferenced",
    "UnfitDatabase",
    "Unit",
    "Unstorable",
    "connected_others",
    "dump_database",
    "holds_rows",
    "load_queries",
    "migrate",
    "names_of_migrations",
    "pending_migrations",
    "readable_address",
    "restore_database",
    "standing_of",
]
