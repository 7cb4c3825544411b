"""Bills as lists show them: how many meetings dealt with each, where it stands, and who spoke about it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.views import FacetValue, MeetingTimeline
from almanac.desks.recap.service import articles, search
from almanac.desks.recap.store.reads import RecapReads
from almanac.errors import NotFound
from tablature.kept_reads import KeptReads

MOST_BILLS, _PEOPLE = 40, 16


@dataclass(frozen=True, slots=True)
class BillRow:
    """A bill in the list: how many meetings dealt with it, and where it stands."""

    key: str
    title: str
    meetings: int
    last: str
    house: str
    outcome: str


_ROWS: KeptReads[list[BillRow]] = KeptReads()


async def list_bill_rows(services: RecapReads, bills: Sequence[FacetValue]) -> list[BillRow]:
    """Bills by the day on which they moved last."""

    async def load() -> list[BillRow]:
        timelines = await asyncio.gather(*(_timeline(services, bill.value) for bill in bills))
        lines = [_line(timeline) for timeline in timelines if timeline and timeline.entries]
        return sorted(lines, key=lambda line: (line.last, line.key), reverse=True)

    return await _ROWS.get(services.tables, tuple(bill.value for bill in bills), load)


async def get_bill_title(services: RecapReads, key: str) -> str:
    """The title of a bill, or its key where it is known no more."""
    timeline = await _timeline(services, key)
    return timeline.title if timeline else key


async def _timeline(services: RecapReads, key: str) -> MeetingTimeline | None:
    try:
        return await articles.get_bill_timeline(services, key)
    except NotFound:
        return None


def _line(timeline: MeetingTimeline) -> BillRow:
    last = timeline.entries[-1]
    return BillRow(
        key=timeline.key,
        title=timeline.title,
        meetings=len(timeline.entries),
        last=last.card.date,
        house=last.card.name_of_house or "",
        outcome=last.outcome,
    )


async def list_bill_speakers(services: RecapReads, key: str) -> Sequence[FacetValue]:
    """Who spoke in the meetings about a bill, the most frequent first."""
    spoke = await search.list_articles(services, ArticleFilter(bill=(key,)), facets=("person",), limit=1)
    return spoke.facets.get("person", ())[:_PEOPLE]
