"""People as their templates show them: who they were when, and their words on one bill."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.views import FacetValue, PersonOffice, PersonView, SpeechQuotation
from almanac.desks.recap.published.bill_view import get_bill_title
from almanac.desks.recap.service import people, search
from almanac.desks.recap.store.reads import RecapReads

_PEOPLE, _BILLS = 60, 12


@dataclass(frozen=True, slots=True)
class OfficePeriod:
    """Days on which somebody was the same, the first and the last of them."""

    office: PersonOffice
    first: date
    last: date


async def load_person(
    services: RecapReads, name: str, *, key: str, bill: str, cursor: str | None
) -> tuple[PersonView, dict[str, object]]:
    """A person with what they said about a bill, by default the one most spoken of, as the template shows it."""
    person = await people.get_person(services, name, key=key or None, cursor=cursor)
    bills = await _bills_of(services, person.identity.key)
    shown_bill = bill or next((bill_key for bill_key, _ in bills), "")
    quotations: list[SpeechQuotation] = []
    if shown_bill:
        quotations = await people.list_quotations(services, name, shown_bill, key=person.identity.key)
    # Only whoever asked for a bill is told that the person said nothing about it.
    bill = shown_bill if bill or quotations else ""
    return person, {
        "person": person,
        "stretches": group_offices(person.offices),
        "key": person.identity.key if person.namesakes or key else "",
        "bills": bills,
        "bill": bill,
        "bill_title": dict(bills).get(bill, bill),
        "quotations": quotations,
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


async def _bills_of(services: RecapReads, key: str) -> list[tuple[str, str]]:
    """The bills of the meetings that a person spoke in, as (key, title)."""
    page = await search.list_articles(services, ArticleFilter(speaker=(key,)), facets=("bill",), limit=1)
    keys = [value.value for value in page.facets.get("bill", ())][:_BILLS]
    titles = await asyncio.gather(*(get_bill_title(services, bill_key) for bill_key in keys))
    return list(zip(keys, titles, strict=True))
