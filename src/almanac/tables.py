"""The tables of all desks together: their physical names by the settings, and a database that knows them.

What is in them is declared by each desk. Which transport leads to them is left to bootstrap.
"""

from collections.abc import Callable
from datetime import datetime
from typing import NoReturn, TypeVar

from almanac.config import Settings
from almanac.desks.habits.store import table as habits
from almanac.desks.newsletter.store import table as newsletter
from almanac.desks.recap.store import table as recap
from almanac.desks.reminders.store import table as reminders
from almanac.errors import InputError, NotFound, TooLarge, Unavailable
from almanac.kit.side_effects import record_effect
from almanac.objects import ObjectStore as StoredObjects
from tablature import Objects, Table
from tablature.async_database import AsyncDatabase
from tablature.errors import CursorRejected, ItemTooLarge, ObjectMissing, Retryable, TableMissing
from tablature.operations.effects import Steps
from tablature.transport.port import Transport
from tablature.wire import Request, Response

T = TypeVar("T")
LARGE_VALUES = "tables/"
WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})
MODULES = (newsletter, habits, recap, reminders)
TABLES: tuple[Table, ...] = (
    newsletter.newsletters,
    habits.habits,
    recap.llm_tasks,
    recap.articles,
    reminders.email_tracking,
)


def physical_names(settings: Settings) -> dict[str, str]:
    """The name of each declared table at the service."""
    return {
        newsletter.newsletters.name: settings.newsletter_table,
        habits.habits.name: settings.habits_table,
        recap.llm_tasks.name: settings.llm_tasks_table,
        recap.articles.name: settings.articles_table,
        reminders.email_tracking.name: settings.email_tracking_table,
    }


class LargeValues:
    """Where values too large for an item go: our object storage, under a prefix of its own, without blocking."""

    def __init__(self, objects: StoredObjects) -> None:
        self._objects = objects

    async def put_async(self, key: str, data: bytes) -> None:
        await self._objects.put(LARGE_VALUES + key, data)

    async def get_async(self, key: str) -> bytes:
        try:
            return await self._objects.get(LARGE_VALUES + key)
        except NotFound as error:
            raise ObjectMissing(key) from error

    async def delete_async(self, key: str) -> None:
        await self._objects.delete(LARGE_VALUES + key)

    def put(self, *_: object) -> NoReturn:
        raise TypeError("Almanac's object storage has no blocking form; use the asynchronous database.")

    get = delete = put


class NotedTransport:
    """A way to the tables on which every write is noted before it is sent."""

    def __init__(self, way: Transport) -> None:
        self._way = way

    def send(self, operation: str, request: Request) -> Response:
        _note(operation)
        return self._way.send(operation, request)

    async def send_async(self, operation: str, request: Request) -> Response:
        _note(operation)
        return await self._way.send_async(operation, request)

    def close(self) -> None:
        self._way.close()

    async def close_async(self) -> None:
        await self._way.close_async()


def _note(operation: str) -> None:
    if operation in WRITES:
        record_effect()


class Tables(AsyncDatabase):
    """The database of the product: what a caller or a passing fault may cause is raised as an error of ours."""

    async def _run(self, steps: Steps[T]) -> T:
        try:
            return await super()._run(steps)
        except Retryable as error:
            raise Unavailable("The tables don't answer right now; nothing was lost, try again in a minute.") from error
        except CursorRejected as error:
            raise InputError("This page link is out of date; start again.") from error
        except ItemTooLarge as error:
            raise TooLarge("This is too large to store; shorten it.") from error


def open_tables(
    transport: Transport,
    settings: Settings,
    *,
    clock: Callable[[], datetime],
    cursor_secret: bytes,
    objects: Objects | None = None,
) -> Tables:
    """A database over all tables of the product."""
    return Tables(
        NotedTransport(transport),
        names=physical_names(settings),
        objects=objects,
        clock=clock,
        cursor_secret=cursor_secret,
        spread=settings.spread_tables,
    )


async def create_missing_tables(database: AsyncDatabase) -> list[str]:
    """Create the tables that are not there yet; the answer is their declared names."""
    return [table.name for table in TABLES if await database.admin.create_table(table, if_missing=True)]


async def missing_tables(transport: Transport, settings: Settings) -> list[str]:
    """The physical names of tables that the service doesn't have."""
    missing = []
    for name in physical_names(settings).values():
        try:
            await transport.send_async("DescribeTable", {"TableName": name})
        except TableMissing:
            missing.append(name)
    return missing
