"""The tables of all desks together: their physical names by the settings, and a database that knows them.

What is in them is declared by each desk. Which transport leads to them is left to bootstrap.
"""

from collections.abc import Callable
from datetime import datetime

from almanac.config import Settings
from almanac.desks.habits import table as habits
from almanac.desks.newsletter import table as newsletter
from almanac.desks.recap import table as recap
from almanac.desks.reminders import table as reminders
from tablature import Objects, Table
from tablature.async_database import AsyncDatabase
from tablature.transport.port import Transport

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


def open_tables(
    transport: Transport, settings: Settings, *,
    clock: Callable[[], datetime], cursor_secret: bytes, objects: Objects | None = None,
) -> AsyncDatabase:  # fmt: skip
    """A database over all tables of the product."""
    return AsyncDatabase(
        transport, names=physical_names(settings), objects=objects, clock=clock, cursor_secret=cursor_secret,
        spread=settings.spread_tables,
    )  # fmt: skip


async def create_missing_tables(database: AsyncDatabase) -> list[str]:
    """Create the tables that are not there yet; the answer is their declared names."""
    return [table.name for table in TABLES if await database.admin.create_table(table, if_missing=True)]
