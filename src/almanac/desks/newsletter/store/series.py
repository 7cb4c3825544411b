"""A newsletter's series in the table: when the next issue is due, and earlier runs.

A series is written in one transaction with its issue, and only if it is unchanged since it was read.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.newsletter import Newsletter
from almanac.desks.newsletter.model.series import IssueRun, IssueSeries
from almanac.desks.newsletter.store import table
from almanac.desks.newsletter.store.conversion import model_fields, stored_fields
from almanac.desks.newsletter.store.newsletters import create_newsletter
from almanac.desks.newsletter.store.topics import new_topics_write
from almanac.errors import StaleEdit
from almanac.kit.messages import gettext
from almanac.kit.retry import retry_on_conflict
from tablature import Write, at_most, create, delete, update
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed
from tablature.schema.timestamps import from_iso, to_iso


async def get_series(tables: AsyncDatabase, code: str) -> IssueSeries:
    """The newsletter's series; an empty one if it never had a schedule."""
    record = await tables.get(table.SeriesRecord.key(newsletter_code=code), consistent=True)
    return series_from(record) if record else IssueSeries(code=code)


async def list_due_series(tables: AsyncDatabase, now: datetime, *, limit: int) -> list[IssueSeries]:
    """Series whose next issue is due, the longest waiting first, in one query."""
    page = await tables.query(table.SeriesRecord.due(next_run=at_most(now)), limit=limit)
    return [series_from(item) for item in page.items]


async def update_series(tables: AsyncDatabase, code: str, change: Callable[[IssueSeries], IssueSeries]) -> IssueSeries:
    """Apply a change, retried on conflicts; an unchanged series is not written."""

    async def save() -> IssueSeries:
        before = await get_series(tables, code)
        changed = change(before)
        if changed != before:
            await tables.transact(new_series_write(changed))
        return changed

    sentence = gettext("The schedule keeps changing; try again in a moment.")
    return await retry_on_conflict(save, conflict=ConditionFailed, sentence=sentence)


async def create_issue(
    tables: AsyncDatabase,
    series: Newsletter,
    configuration: Configuration,
    decide: Callable[[str], IssueSeries],
    *,
    topics: tuple[str, ...],
    excluded: tuple[str, ...],
    now: datetime,
) -> Newsletter:
    """Create the due issue in one transaction with its series. Raises StaleEdit if the series changed."""

    def extra_writes(code: str) -> list[Write[Any]]:
        return [new_series_write(decide(code)), new_topics_write(code, topics, excluded)]

    return await create_newsletter(
        tables,
        configuration,
        owner_id=series.owner_id,
        owner_email=series.owner_email,
        owner_name=series.owner_name,
        now=now,
        made_from=series.code,
        extra_writes=extra_writes,
    )


async def write_series(tables: AsyncDatabase, series: IssueSeries) -> None:
    """Write the series. Raises StaleEdit if it changed since it was read."""
    try:
        await tables.transact(new_series_write(series))
    except ConditionFailed as failure:
        raise StaleEdit(gettext("The schedule was changed."), str(series.version)) from failure


async def delete_series(tables: AsyncDatabase, code: str) -> None:
    """Delete the series of a newsletter that another program deleted."""
    await tables.transact(delete(table.SeriesRecord.key(newsletter_code=code)))


def new_series_write(series: IssueSeries) -> Write[table.SeriesRecord]:
    """The write of a series, conditional on the version that was read."""
    fields = {**stored_fields(series), "runs": [_stored_run(run) for run in series.runs]}
    record = table.SeriesRecord(newsletter_code=fields.pop("code"), **fields)
    return update(record) if series.version else create(record)


def series_from(record: table.SeriesRecord) -> IssueSeries:
    runs = tuple(map(_run_from, record.runs))
    return IssueSeries(**{**model_fields(IssueSeries, record), "runs": runs}, code=record.newsletter_code)


def _run_from(stored: table.StoredIssueRun) -> IssueRun:
    due, at = from_iso(stored["due"]), from_iso(stored["at"])
    return IssueRun(**{**model_fields(IssueRun, stored), "due": due, "at": at})


def _stored_run(run: IssueRun) -> dict[str, Any]:
    """A missing issue or reason isn't stored."""
    moments = {"due": to_iso(run.due, "seconds"), "at": to_iso(run.at, "seconds")}
    return {**stored_fields(run, optional=("issue", "reason")), **moments}
