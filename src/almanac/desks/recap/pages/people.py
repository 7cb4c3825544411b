"""People who spoke: who they are in the record, what they were when, and their words on one matter over time."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.recap.model.follows import Follow
from almanac.desks.recap.pages.follows import find_followed
from almanac.desks.recap.pages.layout import Key, Reader, render_page
from almanac.desks.recap.published.person_view import SaidFilter, list_people, load_person
from almanac.desks.recap.urls import PREFIX, WORKSPACE
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, first_url, next_url

router = APIRouter(prefix=PREFIX + "/people")
Name = Annotated[str, Query(max_length=200)]


@router.get("")
async def show_people(request: Request, principal: Reader, q: Name = "") -> Response:
    """Who spoke most, or whose name begins as asked."""
    services = get_state(request).services
    return await render_page(request, principal, "people", "people", people=await list_people(services, q.strip()), q=q)


@router.get("/{name}")
async def show_person(
    request: Request,
    name: Key,
    principal: Reader,
    key: Name = "",
    bill: Name = "",
    q: Name = "",
    year: Name = "",
    cursor: Cursor = None,
) -> Response:
    """One person, with what they said in the words of the record."""
    services = get_state(request).services
    person, values = await load_person(
        services, name, key=key, chosen=SaidFilter(bill, q.strip(), year), cursor=cursor, to=WORKSPACE
    )
    return await render_page(
        request,
        principal,
        "people",
        "person",
        status_code=200,
        next_url=next_url(request.url, person.articles.next_cursor),
        first_url=first_url(request.url, cursor),
        followed=await find_followed(request, principal, Follow("person", person.identity.key or name)),
        **values,
    )
