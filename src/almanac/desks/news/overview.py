"""The desk on the home page: stories of two weeks, links waiting to be read, and links that failed."""

from datetime import date, timedelta

from almanac.accounts.model import Principal
from almanac.desks.news.permissions import READ, WRITE
from almanac.desks.news.service.tasks import get_task_by_id
from almanac.desks.news.store import links
from almanac.desks.news.urls import story_path
from almanac.http.overview import Figure, NamedObject, Overview, OverviewLink, Series, WaitingGroup, WaitingItem
from almanac.kit.messages import day_text, gettext, ngettext
from almanac.services import Services

DAYS, WEEK = 14, 7
_COUNT_LIMIT = 1000


async def build_overview(services: Services, principal: Principal) -> Overview:
    """Figures for every reader; editors also see failed links."""
    today, is_editor = services.clock.now().date(), principal.may(WRITE)
    async with services.database.reading() as reading:
        figures = await links.read_overview(
            reading, today - timedelta(days=DAYS), upto=_COUNT_LIMIT, with_failed=is_editor
        )
    by_day, newest, unread = figures.stories_by_day, figures.newest, figures.unread
    return Overview(
        figures=(
            Figure(_count_last_week(by_day, today), gettext("stories in 7 days"), "/news"),
            Figure(unread, gettext("links to read"), "/news/queue?status=pending", or_more=unread == _COUNT_LIMIT),
        ),
        series=_chart(by_day, today),
        last=OverviewLink(newest.title, story_path(newest.id), newest.at) if newest else None,
        waiting=_failed_links(figures.oldest_failed),
        first_step=None
        if newest or unread or not is_editor
        else OverviewLink(gettext("Follow a feed or a query"), "/news/tasks"),
    )


async def name_task(services: Services, principal: Principal, task_id: str) -> NamedObject:
    """The query task that a job ran. Raises NotFound."""
    principal.require(READ)
    task = await get_task_by_id(services, int(task_id))
    return NamedObject(task.task_name, f"/news/tasks/{task.id}")


async def name_story(_services: Services, principal: Principal, link_id: str) -> NamedObject:
    """The story that a job rewrote."""
    principal.require(READ)
    return NamedObject(gettext("Story %(link_id)s", link_id=link_id), story_path(int(link_id)))


def _count_last_week(by_day: dict[date, int], today: date) -> int:
    return sum(count for day, count in by_day.items() if today - timedelta(days=WEEK) < day <= today)


def _chart(by_day: dict[date, int], today: date) -> Series:
    days = [today - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1)]
    return Series(gettext("Stories by day, two weeks"), [(day_text(day, "short"), by_day.get(day, 0)) for day in days])


def _failed_links(oldest: links.TitledLink | None) -> tuple[WaitingGroup, ...]:
    """All failed links as one item, because they are retried together."""
    if oldest is None:
        return ()
    href = "/news/queue?status=failed"
    item = WaitingItem(
        title=ngettext("%(num)s link could not be read", "%(num)s links could not be read", oldest.count),
        text=gettext(
            "%(title)s: %(reason)s", title=oldest.title, reason=oldest.reason or gettext("no reason was recorded.")
        ),
        href=href,
        since=oldest.at,
    )
    or_more = oldest.count == _COUNT_LIMIT
    return (
        WaitingGroup(
            noun="failed link",
            label=gettext("Failed link"),
            words=ngettext("%(num)s failed link", "%(num)s failed links", oldest.count),
            href=href,
            count=oldest.count,
            items=(item,),
            tone="failed",
            or_more=or_more,
        ),
    )
