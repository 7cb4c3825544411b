"""The tables of all desks together: their physical names by the settings, and a database that knows them.

What is in them is declared by each desk. Which transport leads to them is left to bootstrap.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn, TypeVar

from almanac.config import Settings
from almanac.desks.habits.store import table as habits
from almanac.desks.newsletter.store import table as newsletter
from almanac.desks.recap.store import table as recap
from almanac.desks.reminders.store import table as reminders
from almanac.errors import InputError, NotFound, TooLarge, Unavailable
from almanac.kit.side_effects import announce_write_elsewhere
from almanac.objects import ObjectStore as StoredObjects
from tablature import Objects, Table
from tablature.async_database import AsyncDatabase
from tablature.errors import CursorRejected, ItemTooLarge, ObjectMissing, Retryable
from tablature.operations.effects import Steps
from tablature.operations.table_check import TableProblem
from tablature.transfer import TableFile, back_up_tables, prune_backups, restore_tables, run_async, verify_files
from tablature.transfer import export_tables as export_steps
from tablature.transfer import import_tables as import_steps
from tablature.transfer.export import TransferListener
from tablature.transport.embedded import Embedded
from tablature.transport.port import Transport, VersionedTransport
from tablature.wire import Request, Response

T = TypeVar("T")
LARGE_VALUES, SERVICE_BACKUPS = "tables/", "almanac-"
WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})
MODULES = (newsletter, habits, recap, reminders)
TABLES: tuple[Table, ...] = (
    newsletter.newsletters,
    habits.habits,
    recap.llm_tasks,
    recap.articles,
    reminders.email_tracking,
)


_TABLE_VARIABLES = {
    newsletter.newsletters.name: "ALMANAC_NEWSLETTER_TABLE",
    habits.habits.name: "ALMANAC_HABITS_TABLE",
    recap.llm_tasks.name: "ALMANAC_LLM_TASKS_TABLE",
    recap.articles.name: "ALMANAC_ARTICLES_TABLE",
    reminders.email_tracking.name: "ALMANAC_EMAIL_TRACKING_TABLE",
}


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
    """A way to the tables on which every write is announced before it is sent. The blocking form, which announces
    nothing, is for tools.
    """

    def __init__(self, way: Transport) -> None:
        self._way = way
        self._way_version = way.version if isinstance(way, VersionedTransport) else None

    def send(self, operation: str, request: Request) -> Response:
        return self._way.send(operation, request)

    async def send_async(self, operation: str, request: Request) -> Response:
        if operation in WRITES:
            await announce_write_elsewhere()
        return await self._way.send_async(operation, request)

    def version(self) -> int | None:
        return self._way_version() if self._way_version else None

    def close(self) -> None:
        self._way.close()

    async def close_async(self) -> None:
        await self._way.close_async()


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


@dataclass(frozen=True, slots=True)
class TablesReport:
    """What bringing the tables up to their declarations did: each a phrase; and what a person must know."""

    created: list[str]
    completed: list[str]
    warnings: list[str]


async def ensure_tables(
    database: AsyncDatabase, *, build_indexes: bool = True, listener: Callable[[str], None] | None = None
) -> TablesReport:
    """Create the tables that are missing, and complete those that lack an index or a setting.

    Repeatable. What the service doesn't offer is a warning each time.
    """
    report = TablesReport([], [], [])
    for table in TABLES:
        setup = await database.admin.ensure_table(table, build_indexes=build_indexes, listener=listener)
        if setup.created:
            report.created.append(table.name)
        report.completed.extend(setup.completed)
        report.warnings.extend(_advise(problem) for problem in setup.problems)
    return report


async def find_table_problems(transport: Transport, settings: Settings) -> list[str]:
    """How the tables at the service differ from what the desks declare: a sentence each, with what to do."""
    database = AsyncDatabase(transport, names=physical_names(settings))
    return [_advise(problem) for table in TABLES for problem in await database.admin.check_table(table)]


async def check_tables_writable(transport: Transport, settings: Settings) -> None:
    """Delete an item that doesn't exist from each table, which needs the right to write and changes nothing."""
    for name in physical_names(settings).values():
        table = (await transport.send_async("DescribeTable", {"TableName": name}))["Table"]
        kinds = {field["AttributeName"]: field["AttributeType"] for field in table["AttributeDefinitions"]}
        key = {
            part["AttributeName"]: {
                kinds[part["AttributeName"]]: "0" if kinds[part["AttributeName"]] == "N" else "check"
            }
            for part in table["KeySchema"]
        }
        await transport.send_async("DeleteItem", {"TableName": name, "Key": key})


def _advise(problem: TableProblem) -> str:
    return f"{problem.sentence}; run `almanac migrate`." if problem.repairable else f"{problem.sentence}."


async def export_tables(
    transport: Transport, settings: Settings, folder: Path, progress: TransferListener | None = None
) -> list[TableFile]:
    """Write every item of all tables to `folder`, one pair of files for each, named as the desk declares the table.

    While other programs write, each item is as it was at some moment during the call. With
    ALMANAC_DYNAMODB_BACKUPS the service makes a backup of its own of each table first, whose ARN goes with the files.
    """
    names = physical_names(settings)
    at_service = settings.dynamodb_backups and not isinstance(transport, Embedded)
    backups = await _back_up_at_service(transport, settings) if at_service else {}
    return await run_async(transport, export_steps(names, folder, listener=progress, backups=backups))


async def _back_up_at_service(transport: Transport, settings: Settings) -> dict[str, str]:
    """Make a backup of each table at the service, and remove those of ours past retention."""
    now, tables = datetime.now(UTC), list(physical_names(settings).values())
    arns = await run_async(transport, back_up_tables(tables, now.strftime(f"{SERVICE_BACKUPS}%Y%m%d-%H%M%S")))
    if settings.backup_keep_days:
        before = now - timedelta(days=settings.backup_keep_days)
        await run_async(transport, prune_backups(tables, SERVICE_BACKUPS, before))
    return arns


async def verify_table_files(folder: Path) -> list[TableFile]:
    """Read every file of an export; any difference to its count or checksum is ExportDamaged."""
    return await asyncio.to_thread(verify_files, folder)


async def import_tables(
    transport: Transport,
    settings: Settings,
    folder: Path,
    progress: TransferListener | None = None,
    *,
    replace: bool = False,
) -> list[TableFile]:
    """Fill the tables from `folder`, after verifying it and completing the tables as the desks declare them.

    Tables with items are refused (TableNotEmpty); with `replace` they end with exactly the exported items, and an
    interrupted call is completed by the next.
    """
    files = await verify_table_files(folder)
    await ensure_tables(AsyncDatabase(transport, names=physical_names(settings)))
    steps = import_steps(folder, files, names=physical_names(settings), replace=replace, listener=progress)
    await run_async(transport, steps)
    return files


@dataclass(frozen=True, slots=True)
class ServiceRestore:
    """Tables that the service restored beside the present ones: the variables to set, and tables left out."""

    variables: dict[str, str]
    without_recovery: list[str]


async def restore_at_service(transport: Transport, settings: Settings, moment: datetime, suffix: str) -> ServiceRestore:
    """Let the service restore every table with point-in-time recovery as of a moment, into new tables beside.

    Nothing changes until the variables name the new tables.
    """
    names = {table: f"{table}{suffix}" for table in physical_names(settings).values()}
    without = await run_async(transport, restore_tables(names, moment))
    variables = {}
    for table in TABLES:
        name = physical_names(settings)[table.name]
        if name not in without:
            variables[_TABLE_VARIABLES[table.name]] = names[name]
            await AsyncDatabase(transport, names={table.name: names[name]}).admin.ensure_table(table)
    return ServiceRestore(variables, without)
