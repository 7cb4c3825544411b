"""People who spoke: who they are in the record, what they were when, and their words on one matter over time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.views import FacetValue, PersonOffice, SpeechQuotation
from almanac.desks.recap.pages.bills import get_bill_title
from almanac.desks.recap.pages.layout import Key, Reader, render_page
from almanac.desks.recap.service import people, search
from almanac.desks.recap.urls import PREFIX
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, first_url, next_url
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/people")
Name = Annotated[str, Query(max_length=200)]
_PEOPLE, _BILLS = 60, 12


@dataclass(frozen=True, slots=True)
class OfficePeriod:
    """Days on which somebody was the same, the first and the last of them."""

    office: PersonOffice
    first: date
    last: date


@router.get("")
async def show_people(request: Request, principal: Reader, q: Name = "") -> Response:
    """Who spoke most, or whose name begins as asked."""
    services = get_state(request).services
    return await render_page(request, principal, "people", "people", people=await _people(services, q.strip()), q=q)


@router.get("/{name}")
async def show_person(
    request: Request, name: Key, principal: Reader, key: Name = "", bill: Name = "", cursor: Cursor = None
) -> Response:
    """One person, with what they said about a bill in the words of the record."""
    services = get_state(request).services
    person = await people.get_person(services, name, key=key or None, cursor=cursor)
    chosen = person.identity.key if person.namesakes or key else ""
    bills = await _bills_of(services, person.identity.key)
    bill = bill or next((bill_key for bill_key, _ in bills), "")
    quotations: list[SpeechQuotation] = []
    if bill:
        quotations = await people.list_quotations(services, name, bill, key=person.identity.key)
    return await render_page(
        request,
        principal,
        "people",
        "person",
        person=person,
        stretches=group_offices(person.offices),
        key=chosen,
        bills=bills,
        bill=bill,
        bill_title=dict(bills).get(bill, bill),
        quotations=quotations,
        next_url=next_url(request.url, person.articles.next_cursor),
        first_url=first_url(request.url, cursor),
    )


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


async def _people(services: Services, text: str) -> Sequence[FacetValue]:
    if text:
        return await search.suggest_values(services, text, facet="person", limit=_PEOPLE)
    return await search.list_frequent_values(services, ("person",), most=_PEOPLE)


async def _bills_of(services: Services, key: str) -> list[tuple[str, str]]:
    """The bills of the meetings that a person spoke in, as (key, title)."""
    page = await search.list_articles(services, ArticleFilter(speaker=(key,)), facets=("bill",), limit=1)
    keys = [value.value for value in page.facets.get("bill", ())][:_BILLS]
    titles = await asyncio.gather(*(get_bill_title(services, bill_key) for bill_key in keys))
    return list(zip(keys, titles, strict=True))
