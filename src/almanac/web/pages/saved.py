"""Saved queries: the list, one with what it finds now, its private feed and its alert."""

from collections.abc import Mapping
from typing import Annotated, cast

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import Conflict, FieldErrors, InputError, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, FormTexts, redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url
from almanac.saved import AlertSettings, Frequency, SavedQueryInput
from almanac.saved.model import change_query
from almanac.search import SearchOrder, SearchResults

pages = APIRouter(prefix="/saved")
SORTS = (("relevance", "Best match first"), ("-date", "Newest first"), ("date", "Oldest first"))
FREQUENCIES = (("hourly", "Every hour"), ("daily", "Every day"), ("weekly", "Every Monday"))
HOURS = [(str(hour), f"{hour:02}:00") for hour in range(24)]
_NO_FILTERS = frozenset({"q", "kind", "order", "cursor", "name"})

Reader = Annotated[Principal, require("saved.read")]
Owner = Annotated[Principal, require("saved.own")]


@pages.get("")
async def show_saved(request: Request, principal: Reader) -> Response:
    """My saved queries by name."""
    services = get_state(request).services
    saved_queries = await services.saved.list(principal)
    return await render_page(request, "saved/list.html", saved=saved_queries, kinds=services.search.kinds)


@pages.get("/new")
async def show_form(
    request: Request, _principal: Owner, q: str = "", kind: Annotated[list[str] | None, Query()] = None, order: str = ""
) -> Response:
    """The form that saves a query, filled in from the search page's address."""
    filters = [(name, value) for name, value in request.query_params.multi_items() if name not in _NO_FILTERS]
    values = {"name": q[:120], "query": q, "kinds": kind or [], "sort": order or "relevance", "filters": filters}
    return await _render_form(request, values)


@pages.post("")
async def save(
    request: Request,
    principal: Owner,
    name: FormText = "",
    query: FormText = "",
    kinds: FormTexts = None,
    filters: FormTexts = None,
    sort: FormText = "relevance",
    feed: FormText = "",
) -> Response:
    """Keep a search under a name, with a feed where that was asked for."""
    services = get_state(request).services
    pairs = _pairs(filters)
    wish = SavedQueryInput(
        name=name, query=query, kinds=kinds or [], filters=_grouped(pairs), sort=cast("SearchOrder", sort)
    )
    try:
        saved = await services.saved.save(principal, wish)
    except FieldErrors as error:
        values = {"name": name, "query": query, "kinds": kinds or [], "sort": sort, "filters": pairs}
        return await _render_form(request, values, error.fields)
    if feed:
        await services.saved.open_feed(principal, saved.id)
    return redirect(request, f"/saved/{saved.id}", Flash(f"{saved.name} is saved."))


@pages.get("/{saved_id}")
async def show_saved_query(request: Request, saved_id: str, principal: Reader, cursor: Cursor = None) -> Response:
    """One saved query with what it finds now."""
    return await _render_saved_query(request, principal, saved_id, cursor=cursor)


@pages.post("/{saved_id}")
async def edit(
    request: Request,
    saved_id: str,
    principal: Owner,
    name: FormText = "",
    query: FormText = "",
    sort: FormText = "relevance",
    version: Annotated[int, Form()] = 0,
) -> Response:
    """Change the name, the query or the order."""
    saved = get_state(request).services.saved
    try:
        current = await saved.get(principal, saved_id)
        wish = change_query(current, name=name, query=query, sort=cast("SearchOrder", sort))
        await saved.edit(principal, saved_id, wish, expected=version)
    except FieldErrors as error:
        return await _render_saved_query(request, principal, saved_id, errors=error.fields, status=422)
    except StaleEdit as error:
        return await _render_saved_query(request, principal, saved_id, problem=error.sentence, status=412)
    return redirect(request, f"/saved/{saved_id}", Flash("The saved query is changed."))


@pages.post("/{saved_id}/delete")
async def delete(request: Request, saved_id: str, principal: Owner) -> Response:
    """Forget it with its feed and alert."""
    await get_state(request).services.saved.delete(principal, saved_id)
    return redirect(request, "/saved", Flash("The saved query is deleted."))


@pages.post("/{saved_id}/feed")
async def open_feed(request: Request, saved_id: str, principal: Owner) -> Response:
    """Give it a feed, or its feed a new address."""
    await get_state(request).services.saved.open_feed(principal, saved_id)
    return redirect(request, f"/saved/{saved_id}", Flash("The feed has a new address."))


@pages.post("/{saved_id}/feed/close")
async def close_feed(request: Request, saved_id: str, principal: Owner) -> Response:
    """Let it have no feed."""
    await get_state(request).services.saved.close_feed(principal, saved_id)
    return redirect(request, f"/saved/{saved_id}", Flash("The feed is closed; its address no longer works."))


@pages.post("/{saved_id}/alert")
async def set_alert(
    request: Request,
    saved_id: str,
    principal: Owner,
    frequency: FormText = "",
    hour: Annotated[int, Form()] = 8,
    time_zone: FormText = "",
) -> Response:
    """Be told of what is new, or change when."""
    services = get_state(request).services
    zone = time_zone or principal.preferences.time_zone or services.settings.time_zone
    try:
        wish = AlertSettings(frequency=cast("Frequency", frequency), hour=hour, time_zone=zone)
        await services.alerts.set(principal, saved_id, wish)
    except FieldErrors as error:
        return await _render_saved_query(request, principal, saved_id, errors=error.fields, status=422)
    except Conflict as error:
        return await _render_saved_query(request, principal, saved_id, problem=error.sentence, status=409)
    return redirect(request, f"/saved/{saved_id}", Flash("You get a mail when there are new results."))


@pages.post("/{saved_id}/alert/stop")
async def stop_alert(request: Request, saved_id: str, principal: Owner) -> Response:
    """Be told of nothing more."""
    await get_state(request).services.alerts.stop(principal, saved_id)
    return redirect(request, f"/saved/{saved_id}", Flash("The alert is stopped."))


async def _render_form(
    request: Request, values: Mapping[str, object], errors: dict[str, str] | None = None
) -> Response:
    kinds = get_state(request).services.search.kinds
    return await render_page(
        request,
        "saved/new.html",
        status_code=422 if errors else 200,
        values=values,
        errors=errors or {},
        kinds=[(kind.name, kind.plural) for kind in kinds.values()],
        sorts=SORTS,
    )


async def _render_saved_query(
    request: Request,
    principal: Principal,
    saved_id: str,
    *,
    cursor: str | None = None,
    errors: dict[str, str] | None = None,
    problem: str = "",
    status: int = 200,
) -> Response:
    services = get_state(request).services
    saved = await services.saved.get(principal, saved_id)
    try:
        results = await services.saved.run(principal, saved_id, cursor=cursor)
    except InputError as error:
        # A field or kind that was known when it was saved may be gone by now.
        results, problem = SearchResults(), problem or error.sentence
    zone = principal.preferences.time_zone or services.settings.time_zone
    return await render_page(
        request,
        "saved/one.html",
        status_code=status,
        saved=saved,
        results=results,
        errors=errors or {},
        problem=problem,
        feeds=services.saved_feeds.addresses(saved),
        sorts=SORTS,
        frequencies=FREQUENCIES,
        hours=HOURS,
        default_zone=zone,
        kinds=services.search.kinds,
        next_url=next_url(request.url, results.next_cursor),
        first_url=first_url(request.url, cursor),
    )


def _pairs(filters: list[str] | None) -> list[tuple[str, str]]:
    """Filters come back from the form as `name=value`."""
    return [(name, value) for name, _, value in (text.partition("=") for text in filters or [])]


def _grouped(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return grouped
