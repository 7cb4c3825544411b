"""Days at the newest or the oldest end of what is found, as many as hold enough of it.

Every vector holds the year, the month and the day of its document. So the index itself can leave out all other days,
and a page of what half a million documents match is found without reading half a million rows.
"""

from dataclasses import replace
from datetime import date, timedelta

from almanac.relational import Unit
from almanac.search import store
from almanac.search.index import Place
from almanac.search.store import LAST, NO_DATE, Sought, day_of, moment_of
from almanac.search.tsquery import FIRST_DAY, LAST_DAY, within_days

# Where documents lie unevenly it takes several steps; whoever needs more than these reads everything.
_MOST_STEPS = 12
_LEAST_WIDER, _MOST_WIDER = 2, 16
_FAR_MORE = 3
_DAY = timedelta(days=1)


async def days_holding(unit: Unit, sought: Sought, enough: int, *, newest: bool = True) -> str:
    """The expression for such days; empty where documents of known days are too few, or lie too far apart."""
    edge: date | None = None
    rest, held, width = sought, 0, 1
    for _ in range(_MOST_STEPS):
        day = await _first_day(unit, rest, newest=newest)
        if day is None or not FIRST_DAY + width * _DAY < day < LAST_DAY - width * _DAY:
            return ""
        since, until = (day - (width - 1) * _DAY, day + _DAY) if newest else (day, day + width * _DAY)
        edge = edge or (until if newest else since)
        found = await store.count_found(unit, within(sought, within_days(since, until)), upto=enough - held)
        held += found
        if held >= enough:
            return within_days(since, edge) if newest else within_days(edge, until)
        # Half as wide again as would do if documents lay evenly.
        wanted = 3 * width * (enough - held) // (2 * found) if found else 2 * _LEAST_WIDER * width
        width = min(max(wanted, _LEAST_WIDER * width), _MOST_WIDER * width)
        rest = replace(sought, until=moment_of(since)) if newest else replace(sought, since=moment_of(until))
    return ""


async def days_of_many(unit: Unit, sought: Sought, enough: int, documents: int) -> str:
    """The same where far more than enough are likely to be found; in a small index that is not even asked."""
    if documents <= _FAR_MORE * enough or await store.estimate_found(unit, sought) <= _FAR_MORE * enough:
        return ""
    return await days_holding(unit, sought, enough)


def within(sought: Sought, days: str) -> Sought:
    """The same, of these days alone."""
    return replace(sought, everything=f"({sought.everything}) & {days}") if days else sought


async def _first_day(unit: Unit, sought: Sought, *, newest: bool) -> date | None:
    """The day of the newest or oldest document, whatever its words; None where none has a date."""
    if newest:
        places = await store.newest_of_all(unit, sought, Place(0, LAST, LAST), 1)
    else:
        places = await store.oldest_of_all(unit, sought, Place(0, NO_DATE, NO_DATE), 1)
    return day_of(places[0].moment) if places and NO_DATE < places[0].moment < LAST else None
