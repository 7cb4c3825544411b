"""People as their templates show them: who they were when, and what they said in their own words."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from almanac.desks.recap.model.speech_filters import SpeechFilter
from almanac.desks.recap.model.views import FacetValue, PersonOffice, PersonView
from almanac.desks.recap.published.article_view import TONES
from almanac.desks.recap.published.bill_view import get_bill_title
from almanac.desks.recap.published.list_view import explain_error
from almanac.desks.recap.service import people, search, speeches
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.urls import RecapUrls
from almanac.errors import InputError
from almanac.kit.messages import gettext

_PEOPLE, _BILLS, _SAID, _YEAR_DIGITS = 60, 12, 10, 4


@dataclass(frozen=True, slots=True)
class OfficePeriod:
    """Days on which somebody was the same, the first and the last of them."""

    office: PersonOffice
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class SaidFilter:
    """Which of a person's speeches to show: about a bill, with words, of a year; all of them where it is empty."""

    bill: str = ""
    text: str = ""
    year: str = ""

    @property
    def days(self) -> tuple[date, date] | None:
        """The first and the last day of the year; None where it isn't one."""
        if not (self.year.isascii() and self.year.isdecimal() and len(self.year) == _YEAR_DIGITS) or self.year < "1000":
            return None
        return date(int(self.year), 1, 1), date(int(self.year), 12, 31)

    def __bool__(self) -> bool:
        return bool(self.bill or self.text or self.days)


async def load_person(
    services: RecapReads, name: str, *, key: str, chosen: SaidFilter, cursor: str | None, to: RecapUrls
) -> tuple[PersonView, dict[str, Any]]:
    """A person with what they said in the words of the record, newest first, as the template shows it."""
    person = await people.get_person(services, name, key=key or None, cursor=cursor)
    identity = person.identity
    whose = SpeechFilter(speaker=(identity.key,)) if identity.key else SpeechFilter(person=(identity.name,))
    since, until = chosen.days or (None, None)
    bill = (chosen.bill,) if chosen.bill else ()
    wanted = replace(whose, bill=bill, text=chosen.text, since=since, until=until)
    everything = await speeches.list_speeches(services, whose, facets=("bill",), limit=_SAID)
    shown, problem = everything, ""
    try:
        shown = await speeches.list_speeches(services, wanted, limit=_SAID) if chosen else everything
    except InputError as error:
        problem = explain_error(error)
    bills = await _titled([value.value for value in everything.facets.get("bill", ())][:_BILLS], services)
    years = sorted({str(office.day.year) for office in person.offices} | {chosen.year} - {""}, reverse=True)
    return person, {
        "person": person,
        "stretches": group_offices(person.offices),
        "key": identity.key if person.namesakes or key else "",
        "bills": bills,
        "bill_title": dict(bills).get(chosen.bill, chosen.bill),
        "chosen": chosen,
        "year_options": [("", gettext("Every year")), *((year, year) for year in years)],
        "said_by": shown.items,
        "said_in_all": everything.total,
        "problem": problem,
        "all_said_url": to.speeches(wanted),
        "tones": TONES,
    }


def group_offices(offices: Sequence[PersonOffice]) -> list[OfficePeriod]:
    """What a person was, the latest first, days with the same offices in a row as one."""
    periods: list[OfficePeriod] = []
    for office in sorted(offices, key=lambda office: office.day, reverse=True):
        before = periods[-1] if periods else None
        if before and _what(before.office) == _what(office):
            periods[-1] = OfficePeriod(before.office, min(office.day, before.first), before.last)
        else:
            periods.append(OfficePeriod(office, office.day, office.day))
    return periods


def _what(office: PersonOffice) -> tuple[str, str, str]:
    return office.group, office.position, office.role


async def list_people(services: RecapReads, text: str) -> Sequence[FacetValue]:
    """Who spoke most, or whose name begins with a text."""
    if text:
        return await search.suggest_values(services, text, facet="person", limit=_PEOPLE)
    return await search.list_frequent_values(services, ("person",), most=_PEOPLE)


async def _titled(keys: Sequence[str], services: RecapReads) -> list[tuple[str, str]]:
    """Bills as (key, title)."""
    titles = await asyncio.gather(*(get_bill_title(services, bill_key) for bill_key in keys))
    return list(zip(keys, titles, strict=True))
