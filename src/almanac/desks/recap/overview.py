"""The recap desk at a glance: how many articles there are, the latest sitting days, and what editors should mend."""

import asyncio
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from almanac.accounts.model import Principal
from almanac.desks.recap.model.views import ErrorReportView, MeetingTaskView
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
from almanac.kit.paging import Page
from almanac.kit.text import shorten
from almanac.services import Services
from tablature.kept_reads import KeptReads

_DAYS, _LOOKED_AT, _UPTO = 12, 200, 50


@dataclass(frozen=True, slots=True)
class RecapFigures:
    """What the overview is made of: the latest article, how much isn't written, what failed, and readers' reports."""

    latest: OverviewLink | None
    unwritten: int
    failed: list[MeetingTaskView]
    failed_count: int
    reports: Page[ErrorReportView]


_FIGURES: KeptReads[RecapFigures] = KeptReads()


async def _read_figures(services: Services, *, is_editor: bool) -> RecapFigures:
    """What editors alone see is read for them alone."""
    tables = services.tables

    async def load() -> RecapFigures:
        latest, unwritten = await asyncio.gather(
            articles.list_latest(tables, limit=1), count_tasks(tables, "ingested", upto=_UPTO)
        )
        failed = (await tasks.list_tasks(services, "failed", limit=MAX_WAITING_ITEMS)).items if is_editor else []
        link = OverviewLink(latest[0].title, article_path(latest[0].id), latest[0].updated_at, "ja") if latest else None
        return RecapFigures(
            link,
            unwritten,
            failed,
            await count_tasks(tables, "failed", upto=_UPTO) if failed else 0,
            await reports.list_reports(services, limit=_UPTO) if is_editor else Page(),
        )

    return await _FIGURES.get(tables, is_editor, load)


async def glance(services: Services, principal: Principal) -> Overview:
    """What everybody may read; editors also see meetings that failed and what readers reported."""
    is_editor = principal.may(WRITE)
    async with services.database.reading() as reading:
        summary = await register.summarize_articles(reading, limit=_LOOKED_AT)
    figures = await _read_figures(services, is_editor=is_editor)
    unwritten = figures.unwritten
    return Overview(
        figures=(
            Figure(summary.total, gettext("meetings published"), "/recap/articles"),
            Figure(
                unwritten,
                gettext("to be written"),
                "/recap/tasks?status=ingested" if is_editor else "",
                unwritten == _UPTO,
            ),
        ),
        series=_series(summary.latest_days),
        last=figures.latest,
        waiting=(*_failed(figures), *_reports(figures.reports)),
        first_step=None
        if summary.total or not is_editor
        else OverviewLink(gettext("Collect some days of meetings"), "/recap/tasks"),
    )


async def name_articles(services: Services, _principal: Principal, ids: Collection[str]) -> dict[str, str]:
    """Titles of articles, for the audit log."""
    listed = await articles.get_articles(services.tables, sorted(ids))
    return {article.id: article.title for article in listed if article.title}


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


def _failed(figures: RecapFigures) -> tuple[WaitingGroup, ...]:
    if not figures.failed:
        return ()
    count = figures.failed_count
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
        for task in figures.failed
    ]
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


def _reports(listed: Page[ErrorReportView]) -> tuple[WaitingGroup, ...]:
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
