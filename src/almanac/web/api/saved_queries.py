"""API: saved queries with their feeds and alerts."""

from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.idempotency.route import AtomicRoute
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.saved import AlertSettings, Frequency, SavedFeeds, SavedQuery, SavedQueryInput
from almanac.saved.model import change_query
from almanac.search import SearchHit, SearchOrder

router = APIRouter(prefix=f"{API_PREFIX}/saved-queries", tags=["saved"], route_class=AtomicRoute)

Reader = Annotated[Principal, require("saved.read")]
Owner = Annotated[Principal, require("saved.own")]
Publisher = Annotated[Principal, require("saved.publish")]
Filters = dict[str, list[str]]


class AlertBody(ApiModel):
    """A mail alert about new matches."""

    frequency: Frequency
    hour: int
    time_zone: str
    active: bool
    next_due_at: datetime
    last_run_at: datetime | None
    last_sent_at: datetime | None
    stopped_at: datetime | None
    stopped_why: str | None


class SavedQueryBody(ApiModel):
    """A saved query, with its secret feed URLs if it has a feed."""

    id: str
    name: str
    query: str
    kinds: list[str]
    filters: Filters
    sort: SearchOrder
    version: int = Field(description="Rises with each edit; send it back in If-Match.")
    created_at: datetime
    updated_at: datetime
    feeds: dict[str, str] = Field(description="URLs by format (rss, atom, json); empty without a feed.")
    public_name: str | None = Field(description="Its name in public addresses while anyone may read it.")
    alert: AlertBody | None

    @classmethod
    def from_model(cls, saved: SavedQuery, feeds: SavedFeeds, principal: Principal) -> Self:
        """The body for one caller: the feed URLs are secret, so only those who may read the query get them."""
        plain = {name: getattr(saved, name) for name in ("id", "name", "query", "sort", "version")}
        return cls(
            **plain,
            kinds=list(saved.kinds),
            filters={name: list(values) for name, values in saved.filters.items()},
            created_at=saved.created_at,
            updated_at=saved.updated_at,
            feeds=feeds.addresses(saved) if principal.may("saved.read") else {},
            public_name=saved.public_name,
            alert=_alert_body(saved),
        )


class SavedQueryRequest(ApiModel):
    """A query to save."""

    name: Text
    query: Text = ""
    kinds: list[Text] = Field(default_factory=list, max_length=50)
    filters: dict[Text, list[Text]] = Field(default_factory=dict)
    sort: SearchOrder = "relevance"


class SavedQueryChange(ApiModel):
    """What to change; omitted fields keep their value."""

    name: Text | None = None
    query: Text | None = None
    kinds: list[Text] | None = Field(None, max_length=50)
    filters: dict[Text, list[Text]] | None = None
    sort: SearchOrder | None = None


class AlertRequest(ApiModel):
    """When to send the alert; weekly means on Mondays."""

    frequency: Frequency
    hour: int = Field(8, ge=0, le=23)
    time_zone: Text | None = Field(None, description="By default that of the person or of the workspace.")


class SavedQueryHitBody(ApiModel):
    """A document that a saved query matches."""

    kind: str
    id: str
    title: str
    path: str
    date: datetime | None
    snippet: str

    @classmethod
    def from_model(cls, hit: SearchHit) -> Self:
        snippet = "".join(span.text for span in hit.snippet)
        return cls(kind=hit.kind, id=hit.id, title=hit.title, path=hit.path, date=hit.date, snippet=snippet)


@router.get("")
async def list_saved_queries(request: Request, principal: Reader) -> Listed[SavedQueryBody]:
    """List your saved queries by name."""
    services = get_state(request).services
    saved_queries = await services.saved.list(principal)
    items = [SavedQueryBody.from_model(saved, services.saved_feeds, principal) for saved in saved_queries]
    return Listed(items=items, next_cursor=None)


@router.post("", status_code=201, responses=documented_problems(409))
async def save_query(request: Request, response: Response, body: SavedQueryRequest, principal: Owner) -> SavedQueryBody:
    """Save a query."""
    services = get_state(request).services
    saved = await services.saved.save(principal, SavedQueryInput(**body.model_dump()))
    response.headers["Location"] = f"{API_PREFIX}/saved-queries/{saved.id}"
    return SavedQueryBody.from_model(with_etag(response, saved), services.saved_feeds, principal)


@router.get("/{saved_id}")
async def get_saved_query(request: Request, response: Response, saved_id: Id, principal: Reader) -> SavedQueryBody:
    """Get a saved query."""
    services = get_state(request).services
    saved = await services.saved.get(principal, saved_id)
    return SavedQueryBody.from_model(with_etag(response, saved), services.saved_feeds, principal)


@router.patch("/{saved_id}", responses=documented_problems(412, 428))
async def edit_saved_query(
    request: Request,
    response: Response,
    saved_id: Id,
    change: SavedQueryChange,
    principal: Owner,
    if_match: IfMatch = None,
) -> SavedQueryBody:
    """Change a saved query. Needs If-Match with the ETag that was read."""
    services = get_state(request).services
    expected = parse_if_match(if_match)
    query_input = change_query(await services.saved.get(principal, saved_id), **change.model_dump())
    saved = await services.saved.edit(principal, saved_id, query_input, expected=expected)
    return SavedQueryBody.from_model(with_etag(response, saved), services.saved_feeds, principal)


@router.delete("/{saved_id}", status_code=204)
async def delete_saved_query(request: Request, saved_id: Id, principal: Owner) -> None:
    """Delete a saved query with its feed and alert."""
    await get_state(request).services.saved.delete(principal, saved_id)


@router.get("/{saved_id}/results")
async def run_saved_query(
    request: Request, saved_id: Id, principal: Reader, cursor: Cursor = None, limit: Limit = 20
) -> Listed[SavedQueryHitBody]:
    """List the documents that match now."""
    results = await get_state(request).services.saved.run(principal, saved_id, cursor=cursor, limit=limit)
    return Listed(items=[SavedQueryHitBody.from_model(hit) for hit in results.hits], next_cursor=results.next_cursor)


@router.post("/{saved_id}/feed")
async def open_feed(request: Request, saved_id: Id, principal: Owner) -> SavedQueryBody:
    """Create a feed, or replace its URL; the old URL stops working at once."""
    services = get_state(request).services
    return SavedQueryBody.from_model(
        await services.saved.open_feed(principal, saved_id), services.saved_feeds, principal
    )


@router.delete("/{saved_id}/feed", status_code=204)
async def close_feed(request: Request, saved_id: Id, principal: Owner) -> None:
    """Delete the feed; its URL stops working at once."""
    await get_state(request).services.saved.close_feed(principal, saved_id)


@router.post("/{saved_id}/publication", responses=documented_problems(409))
async def publish_saved_query(request: Request, saved_id: Id, principal: Publisher) -> SavedQueryBody:
    """Let anyone read what it finds among the public kinds of documents. Repeating it is fine."""
    services = get_state(request).services
    saved = await services.saved.publish(principal, saved_id)
    return SavedQueryBody.from_model(saved, services.saved_feeds, principal)


@router.delete("/{saved_id}/publication", status_code=204)
async def withdraw_saved_query(request: Request, saved_id: Id, principal: Owner) -> None:
    """Make it private again. Repeating it is fine."""
    await get_state(request).services.saved.withdraw(principal, saved_id)


@router.put("/{saved_id}/alert", responses=documented_problems(409))
async def set_alert(request: Request, saved_id: Id, body: AlertRequest, principal: Owner) -> SavedQueryBody:
    """Set or change the mail alert about new matches."""
    services = get_state(request).services
    zone = body.time_zone or principal.preferences.time_zone or services.settings.time_zone
    alert = AlertSettings(frequency=body.frequency, hour=body.hour, time_zone=zone)
    return SavedQueryBody.from_model(
        await services.alerts.set(principal, saved_id, alert), services.saved_feeds, principal
    )


@router.delete("/{saved_id}/alert", status_code=204)
async def stop_alert(request: Request, saved_id: Id, principal: Owner) -> None:
    """Remove the mail alert. Repeating it is fine."""
    await get_state(request).services.alerts.stop(principal, saved_id)


def _alert_body(saved: SavedQuery) -> AlertBody | None:
    alert = saved.alert
    if alert is None:
        return None
    return AlertBody(
        frequency=alert.wish.frequency,
        hour=alert.wish.hour,
        time_zone=alert.wish.time_zone,
        active=alert.is_on,
        next_due_at=alert.next_due_at,
        last_run_at=alert.last_run_at,
        last_sent_at=alert.last_sent_at,
        stopped_at=alert.stopped_at,
        stopped_why=alert.stopped_why,
    )
