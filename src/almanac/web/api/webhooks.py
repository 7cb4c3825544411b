"""API: webhook endpoints, their secrets, and the delivery log."""

from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.etags import IfMatch, etag, parse_if_match, with_etag
from almanac.http.idempotency.route import AtomicRoute
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.webhooks import EndpointEdit, NewWebhookEndpoint, WebhookDeliveryState
from almanac.webhooks.model import DeliveryAttempt

router = APIRouter(prefix=f"{API_PREFIX}/webhooks", tags=["webhooks"], route_class=AtomicRoute)

Manager = Annotated[Principal, require("webhooks.manage")]


class EndpointBody(ApiModel):
    """An endpoint without its secret."""

    id: str
    url: str
    description: str
    events: list[str]
    version: int = Field(description="Rises with each edit; send it back in If-Match.")
    old_secret_until: datetime | None = Field(description="Until then everything is signed with the old secret too.")
    active: bool
    disabled_at: datetime | None
    disabled_why: str
    failing_since: datetime | None
    created_by: str
    created_at: datetime
    updated_at: datetime


class NewEndpointBody(EndpointBody):
    """A new endpoint with its secret, which is shown only once."""

    secret: str

    @classmethod
    def from_model(cls, endpoint: NewWebhookEndpoint) -> Self:
        return cls(secret=endpoint.secret, **EndpointBody.model_validate(endpoint.endpoint).model_dump())


class EndpointRequest(ApiModel):
    """An endpoint to add."""

    url: Text = Field(examples=["https://example.org/hooks/almanac"])
    events: list[Text] = Field(examples=[["approval.approved"]], max_length=100)
    description: Text = ""


class EndpointChange(ApiModel):
    """What to change about an endpoint; omitted fields keep their value."""

    url: Text | None = None
    events: list[Text] | None = Field(None, max_length=100)
    description: Text | None = None
    active: bool | None = None


class WebhookEventBody(ApiModel):
    """An event type that an endpoint can subscribe to."""

    name: str
    about: str


class DeliveryBody(ApiModel):
    """The delivery of one event to one endpoint, with its last attempt."""

    id: str
    endpoint_id: str
    event_id: str
    event: str
    state: WebhookDeliveryState
    attempts: int
    reason: str
    created_at: datetime
    finished_at: datetime | None
    answer: int | None = Field(description="The HTTP status of the last attempt, if there was a response.")
    milliseconds: int | None


class DeliveryDetailBody(ApiModel):
    """A delivery with its exact body and its attempts, newest first."""

    delivery: DeliveryBody
    body: str
    attempts: list[DeliveryAttempt]


@router.get("")
async def list_endpoints(request: Request, principal: Manager) -> Listed[EndpointBody]:
    """List endpoints, oldest first."""
    endpoints = await get_state(request).services.webhooks.list(principal)
    return Listed(items=[EndpointBody.model_validate(endpoint) for endpoint in endpoints], next_cursor=None)


@router.post("", status_code=201, responses=documented_problems(409))
async def add_endpoint(
    request: Request, response: Response, body: EndpointRequest, principal: Manager
) -> NewEndpointBody:
    """Add an endpoint. The secret is only in this response."""
    endpoint = await get_state(request).services.webhooks.register(
        principal, url=body.url, events=body.events, description=body.description
    )
    response.headers["Location"] = f"{API_PREFIX}/webhooks/{endpoint.endpoint.id}"
    response.headers["ETag"] = etag(endpoint.endpoint.version)
    return NewEndpointBody.from_model(endpoint)


@router.get("/events")
async def list_events(request: Request, _principal: Manager) -> list[WebhookEventBody]:
    """List the event types that an endpoint can subscribe to."""
    return [WebhookEventBody.model_validate(event) for event in get_state(request).services.webhooks.events]


@router.get("/deliveries/{delivery_id}")
async def get_delivery(request: Request, delivery_id: Id, principal: Manager) -> DeliveryDetailBody:
    """Get a delivery with its body and attempts."""
    detail = await get_state(request).services.webhooks.delivery(principal, delivery_id)
    return DeliveryDetailBody.model_validate(detail)


@router.post("/deliveries/{delivery_id}/redeliver", status_code=202, responses=documented_problems(409))
async def redeliver(request: Request, delivery_id: Id, principal: Manager) -> DeliveryBody:
    """Send the same event to the same endpoint again."""
    delivery = await get_state(request).services.webhooks.redeliver(principal, delivery_id)
    return DeliveryBody.model_validate(delivery)


@router.get("/{endpoint_id}")
async def get_endpoint(request: Request, response: Response, endpoint_id: Id, principal: Manager) -> EndpointBody:
    """Get an endpoint."""
    endpoint = await get_state(request).services.webhooks.get(principal, endpoint_id)
    return EndpointBody.model_validate(with_etag(response, endpoint))


@router.patch("/{endpoint_id}", responses=documented_problems(409, 412, 428))
async def edit_endpoint(
    request: Request,
    response: Response,
    endpoint_id: Id,
    change: EndpointChange,
    principal: Manager,
    if_match: IfMatch = None,
) -> EndpointBody:
    """Change an endpoint, enable or disable it. Needs If-Match with the ETag that was read."""
    webhooks = get_state(request).services.webhooks
    edit = EndpointEdit(url=change.url, events=change.events, description=change.description)
    endpoint = await webhooks.edit(principal, endpoint_id, edit, expected=parse_if_match(if_match))
    if change.active is not None:
        endpoint = await (webhooks.enable if change.active else webhooks.disable)(principal, endpoint_id)
    return EndpointBody.model_validate(with_etag(response, endpoint))


@router.delete("/{endpoint_id}", status_code=204)
async def delete_endpoint(request: Request, endpoint_id: Id, principal: Manager) -> None:
    """Delete an endpoint with its delivery log."""
    await get_state(request).services.webhooks.delete(principal, endpoint_id)


@router.post("/{endpoint_id}/secret")
async def change_secret(request: Request, endpoint_id: Id, principal: Manager) -> NewEndpointBody:
    """Rotate an endpoint's secret; for a day everything is signed with both."""
    endpoint = await get_state(request).services.webhooks.rotate(principal, endpoint_id)
    return NewEndpointBody.from_model(endpoint)


@router.post("/{endpoint_id}/ping", status_code=202, responses=documented_problems(409))
async def ping(request: Request, endpoint_id: Id, principal: Manager) -> DeliveryBody:
    """Send a test event."""
    return DeliveryBody.model_validate(await get_state(request).services.webhooks.ping(principal, endpoint_id))


@router.get("/{endpoint_id}/deliveries")
async def list_deliveries(
    request: Request,
    endpoint_id: Id,
    principal: Manager,
    state: WebhookDeliveryState | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[DeliveryBody]:
    """List the deliveries of an endpoint, newest first."""
    page = await get_state(request).services.webhooks.deliveries(
        principal, endpoint_id, state=state, cursor=cursor, limit=limit
    )
    return Listed[DeliveryBody].model_validate(page)
