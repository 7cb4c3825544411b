"""The desk's part of the day: the latest meeting, what was published, and what editors should mend."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.recap.events import CORRECTED, HELD, PUBLISHED, REMADE, WITHDRAWN
from almanac.desks.recap.model.editorial import FINDINGS, ArticleStatusView
from almanac.desks.recap.model.views import ErrorReportView, MeetingTaskView
from almanac.desks.recap.permissions import WRITE
from almanac.desks.recap.service import editorial, reports, tasks
from almanac.desks.recap.service.sources import DownSource, list_down_sources
from almanac.desks.recap.store import articles
from almanac.desks.recap.store.article_mapping import meeting_day
from almanac.desks.recap.store.table import Article
from almanac.desks.recap.store.tasks import count_tasks
from almanac.desks.recap.urls import article_path
from almanac.http.day import MAX_WAITING_ITEMS, Day, DayLink, Deed, DeskDay, Reading, WaitingGroup, WaitingItem
from almanac.http.desk import NamedObject
from almanac.kit.markdown import markdown_text
from almanac.kit.messages import gettext, join_texts, ngettext
from almanac.kit.paging import Page
from almanac.kit.text import shorten
from almanac.services import Services
from tablature.kept_reads import KeptReads

_UPTO, _MEETINGS_SHOWN = 50, 5
DEEDS = {
    PUBLISHED: Deed(
        lambda number: ngettext("%(num)s meeting was published", "%(num)s meetings were published", number),
        kind="published",
        href="/recap/articles",
        is_open=True,
    ),
    REMADE: Deed(
        lambda number: ngettext("%(num)s meeting was written again", "%(num)s meetings were written again", number),
        kind="published",
        href="/recap/articles",
        is_open=True,
    ),
    CORRECTED: Deed(
        lambda number: ngettext("%(num)s article was corrected", "%(num)s articles were corrected", number),
        kind="published",
        href="/recap/corrections",
        is_open=True,
    ),
    WITHDRAWN: Deed(
        lambda number: ngettext("%(num)s article was withdrawn", "%(num)s articles were withdrawn", number),
        kind="published",
        href="/recap/corrections",
        is_open=True,
    ),
    HELD: Deed(
        lambda number: ngettext("%(num)s article was held", "%(num)s articles were held", number),
        kind="published",
        href="/recap/held",
    ),
}


@dataclass(frozen=True, slots=True)
class RecapDay:
    """What the day is made of: meetings to read, what failed, readers' reports, and what is held."""

    meetings: list[Article]
    failed: list[MeetingTaskView]
    failed_count: int
    reports: Page[ErrorReportView]
    held: Page[ArticleStatusView]


_DAYS: KeptReads[RecapDay] = KeptReads()


async def _read_day(services: Services, day: Day, *, is_editor: bool) -> RecapDay:
    """What editors alone see is read for them alone."""
    tables = services.tables

    async def load() -> RecapDay:
        if not day.is_today:
            meetings = await articles.list_of_day(tables, day.on.isoformat(), limit=_MEETINGS_SHOWN)
            return RecapDay(meetings, [], 0, Page(), Page())
        failed = (await tasks.list_tasks(services, "failed", limit=MAX_WAITING_ITEMS)).items if is_editor else []
        return RecapDay(
            await articles.list_latest(tables, limit=1),
            failed,
            await count_tasks(tables, "failed", upto=_UPTO) if failed else 0,
            await reports.list_reports(services, limit=_UPTO) if is_editor else Page(),
            await editorial.list_held(services, limit=_UPTO) if is_editor else Page(),
        )

    return await _DAYS.get(tables, (day.is_today or day.on, is_editor), load)


async def load_day(services: Services, principal: Principal, day: Day) -> DeskDay:
    """What everybody may read; editors also see meetings that failed and what readers reported."""
    if day.is_future:
        return DeskDay()
    is_editor = principal.may(WRITE)
    content = await _read_day(services, day, is_editor=is_editor)
    is_new = is_editor and day.is_today and not content.meetings
    down = await list_down_sources(services) if is_editor and day.is_today else ()
    return DeskDay(
        waiting=(*_down(down), *_failed(content), *_held(content.held), *_reports(content.reports)),
        readings=[_read_meeting(article, day) for article in content.meetings],
        first_step=DayLink(gettext("Collect some days of meetings"), "/recap/tasks") if is_new else None,
    )


def _read_meeting(article: Article, day: Day) -> Reading:
    return Reading(
        icon="recap",
        title=article.title,
        href=article_path(article.id),
        text=markdown_text(article.description or ""),
        about=join_texts([name for name in (article.name_of_house, article.name_of_meeting) if name], " "),
        day=meeting_day(article),
        language="" if day.language == "ja" else "ja",
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


def _down(sources: Sequence[DownSource]) -> tuple[WaitingGroup, ...]:
    if not sources:
        return ()
    items = [
        WaitingItem(
            title=gettext("%(name)s doesn't answer", name=source.status.address),
            text=source.status.error,
            href="/recap/tasks",
            since=source.status.failing_since,
        )
        for source in sources[:MAX_WAITING_ITEMS]
    ]
    return (
        WaitingGroup(
            noun="source that doesn't answer",
            words=ngettext("%(num)s source doesn't answer", "%(num)s sources don't answer", len(sources)),
            href="/recap/tasks",
            count=len(sources),
            icon="recap",
            items=items,
            tone="failed",
        ),
    )


def _failed(content: RecapDay) -> tuple[WaitingGroup, ...]:
    if not content.failed:
        return ()
    count = content.failed_count
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
        for task in content.failed
    ]
    return (
        WaitingGroup(
            noun="failed meeting",
            words=ngettext("%(num)s failed meeting", "%(num)s failed meetings", count),
            href=href,
            count=count,
            icon="recap",
            items=items,
            tone="failed",
            or_more=count == _UPTO,
        ),
    )


def _held(listed: Page[ArticleStatusView]) -> tuple[WaitingGroup, ...]:
    if not listed.items:
        return ()
    items = [
        WaitingItem(
            title=gettext("%(meeting)s of %(day)s is held", meeting=status.meeting or status.title, day=status.date),
            text=shorten(status.reason, 120) if status.reason else _first_finding(status),
            href="/recap/held",
            since=status.since,
        )
        for status in listed.items[:MAX_WAITING_ITEMS]
    ]
    count = len(listed.items)
    return (
        WaitingGroup(
            noun="held article",
            words=ngettext("%(num)s held article", "%(num)s held articles", count),
            href="/recap/held",
            count=count,
            icon="recap",
            items=items,
            or_more=listed.next_cursor is not None,
        ),
    )


def _first_finding(status: ArticleStatusView) -> str:
    return next((FINDINGS[finding.kind] for finding in status.findings), "")


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
            words=ngettext("%(num)s reported error", "%(num)s reported errors", count),
            href="/recap/reports",
            count=count,
            icon="recap",
            items=items,
            or_more=more,
        ),
    )
