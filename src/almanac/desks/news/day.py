"""The desk's part of the day: the stories to read, links that failed, and what was collected."""

from collections.abc import Collection
from datetime import date

from almanac.accounts.model import Principal
from almanac.desks.news.model.articles import LANGUAGES
from almanac.desks.news.permissions import READ, WRITE
from almanac.desks.news.service.tasks import get_task_by_id
from almanac.desks.news.store.articles import list_articles
from almanac.desks.news.store.days import FailedLinks, NewsDay, NewsDayQuery, StoryLine, read_day
from almanac.desks.news.urls import story_path
from almanac.http.day import (
    MAX_READINGS,
    Day,
    DayEvent,
    DayLink,
    Deed,
    DeskDay,
    Reading,
    WaitingGroup,
    WaitingItem,
)
from almanac.http.desk import NamedObject
from almanac.kit.messages import gettext, ngettext
from almanac.services import Services

_MAX_FAILED = 1000
_FIRST_DAY = date(1, 1, 1)
DEEDS = {
    "news.task.created": Deed(
        lambda number: ngettext("%(num)s news task was added", "%(num)s news tasks were added", number),
        href="/news/tasks",
    ),
    "news.task.deleted": Deed(
        lambda number: ngettext("%(num)s news task was deleted", "%(num)s news tasks were deleted", number),
        href="/news/tasks",
    ),
    "news.site.blocked": Deed(
        lambda number: ngettext("%(num)s site was blocked", "%(num)s sites were blocked", number), href="/news/sites"
    ),
}


async def load_day(services: Services, principal: Principal, day: Day) -> DeskDay:
    """Stories for every reader; editors also see failed links."""
    if day.is_future:
        return DeskDay()
    is_editor, language = principal.may(WRITE), day.language if day.language in LANGUAGES else "en"
    query = NewsDayQuery(
        first=_FIRST_DAY if day.is_today else day.on,
        last=day.on,
        since=day.since,
        until=day.until,
        language=language,
        max_stories=MAX_READINGS,
        max_failed=_MAX_FAILED if is_editor and day.is_today else 0,
    )
    async with services.database.reading() as reading:
        content = await read_day(reading, query)
    has_nothing = day.is_today and not content.stories and not content.has_unread
    return DeskDay(
        waiting=_failed_links(content.failed) if content.failed else (),
        readings=[_read_story(story, day) for story in content.stories],
        events=_collected(content),
        first_step=DayLink(gettext("Follow a feed or a query"), "/news/tasks") if has_nothing and is_editor else None,
    )


async def name_task(services: Services, principal: Principal, task_id: str) -> NamedObject:
    """The query task that a job ran. Raises NotFound."""
    principal.require(READ)
    task = await get_task_by_id(services, int(task_id))
    return NamedObject(task.task_name, f"/news/tasks/{task.id}")


async def name_stories(services: Services, principal: Principal, ids: Collection[str]) -> dict[str, str]:
    """Headlines of stories, for the audit log."""
    if not principal.may(READ):
        return {}
    async with services.database.reading() as reading:
        listed = await list_articles(reading, sorted(int(each) for each in ids if each.isdecimal()))
    return {str(article.id): article.title for article in listed if article.title}


async def name_story(_services: Services, principal: Principal, link_id: str) -> NamedObject:
    """The story that a job rewrote."""
    principal.require(READ)
    return NamedObject(gettext("Story %(link_id)s", link_id=link_id), story_path(int(link_id)))


def _read_story(story: StoryLine, day: Day) -> Reading:
    return Reading(
        icon="news",
        title=story.title,
        href=story_path(story.id),
        text=story.text,
        about=ngettext("%(num)s source", "%(num)s sources", story.sources) if story.sources > 1 else "",
        day=story.news_date,
        language="" if story.language == day.language else story.language,
    )


def _collected(content: NewsDay) -> tuple[DayEvent, ...]:
    if not content.added:
        return ()
    sentence = ngettext("%(num)s link was collected", "%(num)s links were collected", content.added)
    return (DayEvent(kind="collected", sentence=sentence, at=content.collected_at, href="/news/queue"),)


def _failed_links(failed: FailedLinks) -> tuple[WaitingGroup, ...]:
    """All failed links as one item, the oldest, because they are retried together."""
    href = "/news/queue?status=failed"
    item = WaitingItem(
        title=failed.title,
        text=failed.reason or gettext("No reason was recorded."),
        href=href,
        since=failed.since,
    )
    return (
        WaitingGroup(
            noun="failed link",
            words=ngettext("%(num)s link could not be read", "%(num)s links could not be read", failed.count),
            href=href,
            count=failed.count,
            icon="news",
            items=(item,),
            tone="failed",
            or_more=failed.count == _MAX_FAILED,
        ),
    )
