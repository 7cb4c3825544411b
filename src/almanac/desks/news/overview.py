"""The news desk at a glance: stories of two weeks, what is still to be read, and the links that could not be read."""

from datetime import date, timedelta

from almanac.accounts.model import Principal
from almanac.desks.news.store import glances
from almanac.http.overview import Figure, Overview, OverviewLink, Series, WaitingGroup, WaitingItem
from almanac.kit.text import counted
from almanac.relational import Reading
from almanac.services import Services

DAYS, WEEK = 14, 7
_UPTO = 1000


async def glance(services: Services, principal: Principal) -> Overview:
    """What everybody may read; editors also see what failed."""
    today, is_editor = services.clock.now().date(), principal.may("desk.news.write")
    async with services.database.reading() as reading:
        by_day = await glances.stories_by_day(reading, today - timedelta(days=DAYS))
        newest = await glances.newest_story(reading)
        unread = await glances.count_links(reading, "pending", upto=_UPTO)
        waiting = await _failed(reading) if is_editor else ()
    return Overview(
        figures=(
            Figure(_stories(by_day, today), "stories in 7 days", "/news"),
            Figure(unread, "links to read", "/news/queue?status=pending", or_more=unread == _UPTO),
        ),
        series=_series(by_day, today),
        last=OverviewLink(newest.title, f"/news/stories/{newest.id}", newest.at) if newest else None,
        waiting=waiting,
        first_step=None
        if newest or unread or not is_editor
        else OverviewLink("Follow a feed or a query", "/news/tasks"),
    )


def _stories(by_day: dict[date, int], today: date) -> int:
    return sum(count for day, count in by_day.items() if today - timedelta(days=WEEK) < day <= today)


def _series(by_day: dict[date, int], today: date) -> Series:
    days = [today - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1)]
    return Series("Stories by day, two weeks", [(f"{day:%-d %b}", by_day.get(day, 0)) for day in days])


async def _failed(reading: Reading) -> tuple[WaitingGroup, ...]:
    """All failed links as one thing to do, since they are tried again together."""
    first = await glances.failed_links(reading, upto=_UPTO)
    if first is None:
        return ()
    href = "/news/queue?status=failed"
    item = WaitingItem(
        title=f"{counted(first.count, 'link')} could not be read",
        text=f"{first.title}: {first.reason or 'no reason was recorded.'}",
        href=href,
        since=first.at,
    )
    more = first.count == _UPTO
    return (WaitingGroup(noun="failed link", href=href, count=first.count, items=(item,), tone="failed", or_more=more),)
