"""Every read and write of a newsletter's series in the table: what is due, and what became of it.

A series is written together with what it decides about, and only as it was read.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from almanac.desks.newsletter import store, table
from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.newsletter import Newsletter
from almanac.desks.newsletter.model.series import IssueRun, Series
from almanac.errors import StaleEdit, Unavailable
from tablature import Write, at_most, create, delete, update
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed
from tablature.schema.timestamps import from_iso, to_iso

_SAVE_ATTEMPTS = 5


async def get_series(tables: AsyncDatabase, code: str) -> Series:
    """The newsletter's series; one that never had a schedule is empty."""
    found = await tables.get(table.Series.key(newsletter_code=code), consistent=True)
    return series_from(found) if found else Series(code=code)


async def list_due(tables: AsyncDatabase, now: datetime, *, limit: int) -> list[Series]:
    """Series whose next issue is due, the longest waiting first, in one query."""
    page = await tables.query(table.Series.due(next_run=at_most(now)), limit=limit)
    return [series_from(item) for item in page.items]


async def save_series(tables: AsyncDatabase, code: str, change: Callable[[Series], Series]) -> Series:
    """Change a series by itself, whoever else changes it; one that stays the same is not written."""
    for _ in range(_SAVE_ATTEMPTS):
        before = await get_series(tables, code)
        changed = change(before)
        if changed == before:
            return before
        try:
            await tables.transact(series_write(changed))
        except ConditionFailed:
            continue
        return changed
    raise Unavailable("The schedule is being changed all the time; try again in a moment.")


async def create_issue(
    tables: AsyncDatabase,
    series: Newsletter,
    configuration: Configuration,
    decide: Callable[[str], Series],
    *,
    topics: tuple[str, ...],
    excluded: tuple[str, ...],
    now: datetime,
) -> Newsletter:
    """The issue that is due, together with the series that knows of it: both, or StaleEdit and neither."""

    def along(code: str) -> list[Write[Any]]:
        return [series_write(decide(code)), store.topics_write(code, topics, excluded)]

    return await store.create_newsletter(
        tables,
        configuration,
        owner_id=series.owner_id,
        owner_email=series.owner_email,
        owner_name=series.owner_name,
        now=now,
        made_from=series.code,
        along=along,
    )


async def save_decision(tables: AsyncDatabase, series: Series) -> None:
    """The series as decided, or StaleEdit where it is no longer the one that was read."""
    try:
        await tables.transact(series_write(series))
    except ConditionFailed as failure:
        raise StaleEdit("The schedule was changed meanwhile.", str(series.version)) from failure


async def forget_series(tables: AsyncDatabase, code: str) -> None:
    """Remove what another program left of a newsletter that it deleted."""
    await tables.transact(delete(table.Series.key(newsletter_code=code)))


def series_write(series: Series) -> Write[table.Series]:
    """The series as it shall be, if it still is as it was read."""
    item = table.Series(
        newsletter_code=series.code,
        active=series.active,
        next_run=series.next_run,
        runs=[_stored_run(run) for run in series.runs],
        version=series.version,
    )
    return update(item) if series.version else create(item)


def series_from(item: table.Series) -> Series:
    return Series(
        code=item.newsletter_code,
        active=item.active,
        next_run=item.next_run,
        runs=tuple(map(_run, item.runs)),
        version=item.version,
    )


def _run(stored: table.IssueRun) -> IssueRun:
    return IssueRun(
        due=from_iso(stored["due"]),
        outcome=stored["outcome"],
        at=from_iso(stored["at"]),
        issue=stored.get("issue"),
        reason=stored.get("reason", ""),
    )


def _stored_run(run: IssueRun) -> table.IssueRun:
    stored = table.IssueRun(due=to_iso(run.due, "seconds"), outcome=run.outcome, at=to_iso(run.at, "seconds"))
    if run.issue:
        stored["issue"] = run.issue
    if run.reason:
        stored["reason"] = run.reason
    return stored
