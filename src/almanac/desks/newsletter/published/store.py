"""Reads of the archive for the public side, each one statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from almanac.relational import Database, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedIssue:
    """An issue in the list of the archive."""

    code: str
    title: str
    summary: str
    language: str
    day: date
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicIssue(ListedIssue):
    """An issue with its text, which the desk rendered; empty if it was withdrawn."""

    published_at: datetime
    edition: int
    body: str
    withdrawn: bool


async def list_issues(database: Database, *, limit: int, after: tuple[date, str] | None = None) -> list[ListedIssue]:
    """The newest issues after a day and code."""
    day, code = after or (None, "")
    params = {"after_day": day, "after_code": code, "limit": limit}
    async with database.reading() as reading:
        return await reading.all(QUERIES["list_issues"], params, into=ListedIssue)


async def get_issue(database: Database, code: str) -> PublicIssue | None:
    """One issue; None if it never was in the archive."""
    async with database.reading() as reading:
        return await reading.one(QUERIES["get_issue"], {"code": code}, into=PublicIssue)


async def count_issues(database: Database) -> int:
    """How many issues are in the archive."""
    async with database.reading() as reading:
        return int(await reading.value(QUERIES["count_issues"]))


async def list_changes(database: Database, *, offset: int, limit: int) -> Sequence[tuple[str, datetime]]:
    """The codes of issues and when they last changed, the oldest first."""
    async with database.reading() as reading:
        rows = await reading.all(QUERIES["list_issue_changes"], {"offset": offset, "limit": limit})
    return [(row["code"], row["changed_at"]) for row in rows]
