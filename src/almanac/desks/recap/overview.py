"""The recap desk at a glance: how many articles there are, the latest sitting days, and what editors should mend."""

import asyncio
from collections import Counter
from datetime import date

from almanac.accounts.model import Principal
from almanac.desks.recap.permissions import WRITE
from almanac.desks.recap.service import reports, tasks
from almanac.desks.recap.store import articles, register
from almanac.desks.recap.store.tasks import count_tasks
from almanac.desks.recap.urls import article_path
from almanac.http.overview import (
    MAX_WAITING_ITEMS,
    Figure,
    NamedObject,
    Overview,
    OverviewLink,
    Series,
    WaitingGroup,
    WaitingItem,
)
from almanac.kit.messages import day_text, gettext, ngettext
from almanac.kit.text import shorten
from almanac.services import Services

_DAYS, _LOOKED_AT, _UPTO = 12, 200, 50


async def glance(services: Services, principal: Principal) -> Overview:
    """What everybody may read; editors also see meetings that failed and what readers reported."""
    is_editor = principal.may(WRITE)
    async with services.database.reading() as reading:
        total, days = await register.total_articles(reading), await register.list_latest_days(reading, limit=_LOOKED_AT)
    latest, unwritten = await asyncio.gather(
        articles.list_latest(services.tables, limit=1), count_tasks(services.tables, "ingested", upto=_UPTO)
    )
    return Overview(
        figures=(
            Figure(total, gettext("meetings published"), "/recap/articles"),
            Figure(
                unwritten,
                gettext("to be written"),
                "/recap/tasks?status=ingested" if is_editor else "",
                unwritten == _UPTO,
            ),
        ),
        series=_series(days),
        last=OverviewLink(latest[0].title, article_path(latest[0].id), latest[0].updated_at, "ja") if latest else None,
        waiting=await _waiting(services) if is_editor else (),
        first_step=None
        if total or not is_editor
        else OverviewLink(gettext("Collect some days of meetings"), "/recap/tasks"),
    )


async def name_meeting(services: Services, principal: Principal, pk: str) -> NamedObject:
    """The meeting that a job wrote about. Raises NotFound."""
    principal.require(WRITE)
    task = await tasks.get_task(services, pk)
    return NamedObject(
        gettext("%(meeting)s of %(day)s", meeting=task.meeting or task.issue_id, day=task.date),
        "/recap/tasks?status=failed",
    )


def _series(days: list[date]) -> Series:
    """The latest days on which anybody met, since a parliament has its recesses."""
    counts = Counter(days)
    shown = sorted(counts)[-_DAYS:]
    points = [(day_text(day, "short_date"), counts[day]) for day in shown]
    return Series(gettext("Meetings on the latest sitting days"), points, over_time=False)


async def _waiting(services: Services) -> tuple[WaitingGroup, ...]:
    failed, reports = await asyncio.gather(_failed(services), _reports(services))
    return (*failed, *reports)


async def _failed(services: Services) -> tuple[WaitingGroup, ...]:
    listed = await tasks.list_tasks(services, "failed", limit=MAX_WAITING_ITEMS)
    if not listed.items:
        return ()
    href = "/recap/tasks?status=failed"
    items = [
        WaitingItem(
            title=gettext(
                "%(meeting)s of %(day)s was not written", meeting=task.meeting or task.issue_id, day=task.date
            ),
            text=task.error
            or ngettext("It failed after %(num)s attempt.", "It failed after %(num)s attempts.", task.attempts),
            href=href,
            since=task.updated_at,
        )
        for task in listed.items
    ]
    count = await count_tasks(services.tables, "failed", upto=_UPTO)
    return (
        WaitingGroup(
            noun="failed meeting",
            label=gettext("Failed meeting"),
            words=ngettext("%(num)s failed meeting", "%(num)s failed meetings", count),
            href=href,
            count=count,
            items=items,
            tone="failed",
            or_more=count == _UPTO,
        ),
    )


async def _reports(services: Services) -> tuple[WaitingGroup, ...]:
    listed = await reports.list_reports(services, limit=_UPTO)
    if not listed.items:
        return ()
    items = [
        WaitingItem(
            title=gettext("%(name)s reports an error", name=report.by or gettext("A reader")),
            text=shorten(report.text, 120),
            href="/recap/reports",
            since=report.created_at,
        )
        for report in sorted(listed.items, key=lambda report: report.created_at)[:MAX_WAITING_ITEMS]
    ]
    count, more = len(listed.items), listed.next_cursor is not None
    return (
        WaitingGroup(
            noun="reported error",
            label=gettext("Reported error"),
            words=ngettext("%(num)s reported error", "%(num)s reported errors", count),
            href="/recap/reports",
            count=count,
            items=items,
            or_more=more,
        ),
    )
