"""Opens the ports of the public side: connections of its own that can't write, and only what may be published."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from almanac.bootstrap.adapters import PUBLIC_SIDE
from almanac.config import Settings
from almanac.desks import DESKS, enabled_desks
from almanac.kit.signatures import derive_key
from almanac.read_ports import Collector, ReadOnlyObjects, ReadOnlyTransport, ReadPorts, ReadSettings
from almanac.relational import Database
from almanac.search.postgres import PostgresIndex
from almanac.services import Services
from almanac.tables import LARGE_VALUES, LargeValues, open_tables, physical_names

# A crowd of readers waits for these and leaves the connections of the people who work here alone.
_CONNECTIONS = 4
_PATIENCE_SECONDS = 3.0


@asynccontextmanager
async def open_public_database(settings: Settings, url: str) -> AsyncIterator[Database | None]:
    """Connections on which PostgreSQL refuses every write; None if nothing is public."""
    if not settings.public_parts:
        yield None
        return
    async with Database(
        url, max_connections=_CONNECTIONS, patience_seconds=_PATIENCE_SECONDS, read_only=True
    ) as database:
        yield database


def build_read_ports(services: Services, database: Database) -> ReadPorts:
    """What the public side reads from. No search of a stranger asks a model."""
    settings = services.settings
    names = physical_names(settings)
    open_desks = (desk for desk in DESKS if desk.name in settings.public_parts)
    parts = [part for desk in open_desks if (part := desk.public_part) is not None]
    tables = [table for part in parts for table in part.tables]
    prefixes = [prefix for part in parts for prefix in part.prefixes]
    objects = ReadOnlyObjects(services.objects, [*prefixes, *(f"{LARGE_VALUES}{table}/" for table in tables)])
    key = services.key(PUBLIC_SIDE)
    return ReadPorts(
        settings=ReadSettings(
            objects_url=settings.objects_url,
            organisation=settings.organisation,
            time_zone=settings.time_zone,
            feed_kinds=list_feed_kinds(settings),
            collectors=tuple(
                Collector(desk.name, desk.title, desk.collector) for desk in enabled_desks(settings) if desk.collector
            ),
        ),
        clock=services.clock,
        secret=key,
        database=database,
        tables=open_tables(
            ReadOnlyTransport(services.table_service, [names[table] for table in tables]),
            settings,
            clock=services.clock.now,
            cursor_secret=derive_key(key, "cursors"),
            objects=LargeValues(objects),
        ),
        objects=objects,
        search=PostgresIndex(database, cursor_key=derive_key(key, "cursors")),
    )


def list_feed_kinds(settings: Settings) -> dict[str, str]:
    """The kinds of documents that public feeds may list, with their permissions; empty if feeds aren't public.

    What has public pages of its own is listed only while those are public, since its links lead there.
    """
    if "feeds" not in settings.public_parts:
        return {}
    return {
        desk.feed_kind: desk.read_permission
        for desk in enabled_desks(settings)
        if desk.feed_kind and (not desk.is_publishable or desk.name in settings.public_parts)
    }
