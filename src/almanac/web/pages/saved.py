"""Saved queries: the list, one with its current matches and its alert, and the private feeds."""

from collections.abc import Mapping
from typing import Annotated, cast

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import Conflict, FieldErrors, InputError, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.auth import public, require
from almanac.http.conflicts import EditConflict, compare_fields, make_conflict
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, FormTexts, FormZone, redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url
from almanac.http.responses import feed_response
from almanac.kit.messages import gettext
from almanac.saved import AlertSettings, Frequency, SavedQuery, SavedQueryInput
from almanac.saved.model import change_query
from almanac.search import SearchOrder, SearchResults
from almanac.web.public_side import public_feed_url

pages = APIRouter(prefix="/saved")
feed_pages = APIRouter()
SORTS = (
    ("relevance", gettext("Best match first")),
    ("-date", gettext("Newest first")),
    ("date", gettext("Oldest first")),
)
FREQUENCIES = (("hourly", gettext("Every hour")), ("daily", gettext("Every day")), ("weekly", gettext("Every Monday")))
EDIT_LABELS = {"name": gettext("Name"), "query": gettext("Query"), "sort": gettext("Order")}
HOURS = [(str(hour), f"{hour:02}:00") for hour in range(24)]
_NO_FILTERS = frozenset({"q", "kind", "order", "cursor", "name"})

Reader = Annotated[Principal, require("saved.read")]
Owner = Annotated[Principal, require("saved.own")]
Publisher = Annotated[Principal, require("saved.publish")]


@pages.get("")
async def show_saved(request: Request, principal: Reader) -> Response:
    """List the person's saved queries by name."""
    services = get_state(request).services
    saved_queries = await services.saved.list(principal)
    return await render_page(request, "saved/list.html", saved=saved_queries, kinds=services.search.kinds)


@pages.get("/new")
async def show_form(
    request: Request, _principal: Owner, q: str = "", kind: Annotated[list[str] | None, Query()] = None, order: str = ""
) -> Response:
    """Show the form to save a query, filled in from the search page's URL."""
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
    """Save a query, with a feed if requested."""
    services = get_state(request).services
    pairs = _pairs(filters)
    query_input = SavedQueryInput(
        name=name, query=query, kinds=kinds or [], filters=_grouped(pairs), sort=cast("SearchOrder", sort)
    )
    try:
        saved = await services.saved.save(principal, query_input)
    except FieldErrors as error:
        values = {"name": name, "query": query, "kinds": kinds or [], "sort": sort, "filters": pairs}
        return await _render_form(request, values, error.fields)
    if feed:
        await services.saved.open_feed(principal, saved.id)
    return redirect(request, f"/saved/{saved.id}", Flash(f"{saved.name} is saved."))


@pages.get("/{saved_id}")
async def show_saved_query(request: Request, saved_id: str, principal: Reader, cursor: Cursor = None) -> Response:
    """Show a saved query with its current matches."""
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
    """Change the name, query or sort order."""
    saved = get_state(request).services.saved
    typed = {"name": name, "query": query, "sort": sort}
    current = await saved.get(principal, saved_id)
    try:
        query_input = change_query(current, name=name, query=query, sort=cast("SearchOrder", sort))
        await saved.edit(principal, saved_id, query_input, expected=version)
    except FieldErrors as error:
        return await _render_saved_query(request, principal, saved_id, errors=error.fields, typed=typed, status=422)
    except StaleEdit:
        rows = compare_fields(EDIT_LABELS, _in_words(typed), _in_words(_fields_of(current)))
        conflict = await make_conflict(request, rows, current.version, f"/saved/{saved_id}")
        return await _render_saved_query(request, principal, saved_id, typed=typed, conflict=conflict, status=412)
    return redirect(request, f"/saved/{saved_id}", Flash(gettext("The saved query is changed.")))


@pages.post("/{saved_id}/delete")
async def delete(request: Request, saved_id: str, principal: Owner) -> Response:
    """Delete a saved query with its feed and alert."""
    await get_state(request).services.saved.delete(principal, saved_id)
    return redirect(request, "/saved", Flash(gettext("The saved query is deleted.")))


@pages.post("/{saved_id}/feed")
async def open_feed(request: Request, saved_id: str, principal: Owner) -> Response:
    """Open a feed, or give it a new address."""
    await get_state(request).services.saved.open_feed(principal, saved_id)
    return redirect(request, f"/saved/{saved_id}", Flash(gettext("The feed has a new address.")))


@pages.post("/{saved_id}/feed/close")
async def close_feed(request: Request, saved_id: str, principal: Owner) -> Response:
    """Delete the feed."""
    await get_state(request).services.saved.close_feed(principal, saved_id)
    return redirect(request, f"/saved/{saved_id}", Flash(gettext("The feed is closed; its address no longer works.")))


@pages.post("/{saved_id}/publish")
async def publish(request: Request, saved_id: str, principal: Publisher) -> Response:
    """Let anyone read what a saved query finds."""
    try:
        await get_state(request).services.saved.publish(principal, saved_id)
    except Conflict as error:
        return redirect(request, f"/saved/{saved_id}", Flash(error.sentence, "failed"))
    return redirect(request, f"/saved/{saved_id}", Flash(gettext("Anyone can read it now.")))


@pages.post("/{saved_id}/withdraw")
async def withdraw(request: Request, saved_id: str, principal: Owner) -> Response:
    """Make a saved query private again."""
    await get_state(request).services.saved.withdraw(principal, saved_id)
    words = gettext("It is private again; caches forget it within minutes.")
    return redirect(request, f"/saved/{saved_id}", Flash(words))


@pages.post("/{saved_id}/alert")
async def set_alert(
    request: Request,
    saved_id: str,
    principal: Owner,
    frequency: FormText = "",
    hour: Annotated[int, Form()] = 8,
    time_zone: FormZone = "",
) -> Response:
    """Set an alert for new results, or change it."""
    services = get_state(request).services
    zone = time_zone or principal.preferences.time_zone or services.settings.time_zone
    try:
        alert = AlertSettings(frequency=cast("Frequency", frequency), hour=hour, time_zone=zone)
        await services.alerts.set(principal, saved_id, alert)
    except FieldErrors as error:
        return await _render_saved_query(request, principal, saved_id, errors=error.fields, status=422)
    except Conflict as error:
        return await _render_saved_query(request, principal, saved_id, problem=error.sentence, status=409)
    return redirect(request, f"/saved/{saved_id}", Flash(gettext("You get a mail when there are new results.")))


@pages.post("/{saved_id}/alert/stop")
async def stop_alert(request: Request, saved_id: str, principal: Owner) -> Response:
    """Stop the alert."""
    await get_state(request).services.alerts.stop(principal, saved_id)
    return redirect(request, f"/saved/{saved_id}", Flash(gettext("The alert is stopped.")))


@feed_pages.api_route("/feeds/{token}.{form}", methods=["GET", "HEAD"])
async def read_feed(
    request: Request, token: str, form: str, _principal: Annotated[Principal | None, public()]
) -> Response:
    """The current matches that the query's owner may see, newest first, or 304. Needs no sign-in."""
    response = feed_response(request, await get_state(request).services.saved_feeds.feed(token, form), form)
    # The URL is a secret: it must not reach the sites that a reader opens from the feed, nor a search index.
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


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
    typed: Mapping[str, str] | None = None,
    conflict: EditConflict | None = None,
    status: int = 200,
) -> Response:
    services = get_state(request).services
    saved = await services.saved.get(principal, saved_id)
    try:
        results = await services.saved.run(principal, saved_id, cursor=cursor)
    except InputError as error:
        # A field or kind that existed when the query was saved may be gone by now.
        results, problem = SearchResults(), problem or error.sentence
    zone = principal.preferences.time_zone or services.settings.time_zone
    return await render_page(
        request,
        "saved/one.html",
        status_code=status,
        saved=saved,
        typed=typed or _fields_of(saved),
        conflict=conflict,
        results=results,
        errors=errors or {},
        problem=problem,
        feeds=services.saved_feeds.addresses(saved),
        public_url=public_feed_url(services.settings, saved),
        may_publish=bool(services.saved.public_kinds) and principal.may("saved.publish"),
        sorts=SORTS,
        frequencies=FREQUENCIES,
        hours=HOURS,
        default_zone=zone,
        kinds=services.search.kinds,
        next_url=next_url(request.url, results.next_cursor),
        first_url=first_url(request.url, cursor),
    )


def _fields_of(saved: SavedQuery) -> dict[str, str]:
    return {"name": saved.name, "query": saved.query, "sort": saved.sort}


def _in_words(fields: Mapping[str, str]) -> dict[str, str]:
    return {**fields, "sort": dict(SORTS).get(fields["sort"], fields["sort"])}


def _pairs(filters: list[str] | None) -> list[tuple[str, str]]:
    """Parse filters from form fields `name=value`."""
    return [(name, value) for name, _, value in (text.partition("=") for text in filters or [])]


def _grouped(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return grouped
