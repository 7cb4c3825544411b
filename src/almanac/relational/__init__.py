"""PostgreSQL: the embedded server, the pool and unit of work, migrations, named SQL, dump and restore."""

from psycopg.types.json import Jsonb

from almanac.relational.database import Database, Row, Unit
from almanac.relational.dump import dump_database, restore_database
from almanac.relational.embedded import EmbeddedPostgres
from almanac.relational.failures import Duplicate, StillReferenced, Unstorable
from almanac.relational.migrate import MIGRATIONS, MigrationFailed, migrate, pending_migrations
from almanac.relational.queries import Queries, load_queries

__all__ = [
    "MIGRATIONS",
    "Database",
    "Duplicate",
    "EmbeddedPostgres",
    "Jsonb",
    "MigrationFailed",
    "Queries",
    "Row",
    "StillReferenced",
    "Unit",
    "Unstorable",
    "dump_database",
    "load_queries",
    "migrate",
    "pending_migrations",
    "restore_database",
]
