"""Issues in the public archive: the text that an editor decided to show, apart from the draft it was made of."""

from dataclasses import dataclass
from datetime import date, datetime

from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueText:
    """An issue as the archive shows it; `body` is HTML that the desk rendered."""

    code: str
    title: str
    summary: str
    language: str
    day: date
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedIssue:
    """What the archive shows of an issue, and since when."""

    title: str
    body: str
    published_at: datetime
    changed_at: datetime


async def publish_issue(unit: Unit, issue: IssueText, *, by: str, now: datetime) -> None:
    """Show an issue in the archive, instead of an earlier text of it."""
    params = {
        "code": issue.code,
        "title": issue.title,
        "summary": issue.summary,
        "language": issue.language,
        "day": issue.day,
        "body": issue.body,
        "by": by,
        "now": now,
    }
    await unit.execute(QUERIES["publish_issue"], params)


async def withdraw_issue(unit: Unit, code: str, now: datetime) -> bool:
    """Take an issue out of the archive and erase its text there; False if it isn't in it."""
    return await unit.execute(QUERIES["withdraw_issue"], {"code": code, "now": now}) == 1


async def get_archived_issue(reading: ReadTransaction, code: str) -> ArchivedIssue | None:
    """What the archive shows of an issue; None if it isn't in it."""
    return await reading.one(QUERIES["get_archived_issue"], {"code": code}, into=ArchivedIssue)
