"""API: webhook endpoints, their secrets, and the log of what they were told."""

from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.etags import IfMatch, etag, parse_if_match, with_etag
from almanac.http.idempotency.route import IdempotentRoute
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.webhooks import EndpointEdit, NewWebhookEndpoint, WebhookDeliveryState
from almanac.webhooks.model import DeliveryAttempt

router = APIRouter(prefix=f"{API_PREFIX}/webhooks", tags=["webhooks"], route_class=IdempotentRoute)

Manager = Annotated[Principal, require("webhooks.manage")]


class EndpointBody(ApiModel):
    """An address that is told of events; without its secret."""

    id: str
    url: str
    description: str
    events: list[str]
    version: int = Field(description="Rises with each edit; send it back in If-Match.")
    old_secret_until: datetime | None = Field(description="Until then everything is also signed with the old secret.")
    active: bool
    disabled_at: datetime | None
    disabled_why: str
    failing_since: datetime | None
    created_by: str
    created_at: datetime
    updated_at: datetime


class NewEndpointBody(EndpointBody):
    """An endpoint at the only moment its secret is shown."""

    secret: str

    @classmethod
    def of(cls, made: NewWebhookEndpoint) -> Self:
        return cls(secret=made.secret, **EndpointBody.model_validate(made.endpoint).model_dump())


class EndpointRequest(ApiModel):
    """An endpoint to add."""

    url: Text = Field(examples=["https://example.org/hooks/almanac"])
    events: list[Text] = Field(examples=[["approval.approved"]], max_length=100)
    description: Text = ""


class EndpointChange(ApiModel):
    """What to change about an endpoint; what is left out stays as it is."""

    url: Text | None = None
    events: list[Text] | None = Field(None, max_length=100)
    description: Text | None = None
    active: bool | None = None


class WebhookEventBody(ApiModel):
    """A kind of event that an endpoint can choose."""

    name: str
    about: str


class DeliveryBody(ApiModel):
    """One event on its way to one endpoint, with its last attempt."""

    id: str
    endpoint_id: str
    event_id: str
    event: str
    state: WebhookDeliveryState
    attempts: int
    reason: str
    created_at: datetime
    finished_at: datetime | None
    answer: int | None = Field(description="The status that came back last, if any did.")
    milliseconds: int | None


class DeliveryDetailBody(ApiModel):
    """One delivery with its body as it is sent, and its attempts, newest first."""

    delivery: DeliveryBody
    body: str
    attempts: list[DeliveryAttempt]


@router.get("")
async def list_endpoints(request: Request, principal: Manager) -> Listed[EndpointBody]:
    """Every endpoint, oldest first."""
    endpoints = await get_state(request).services.webhooks.list(principal)
    return Listed(items=[EndpointBody.model_validate(endpoint) for endpoint in endpoints], next_cursor=None)


@router.post("", status_code=201, responses=documented_problems(409))
async def add_endpoint(
    request: Request, response: Response, wish: EndpointRequest, principal: Manager
) -> NewEndpointBody:
    """Add an endpoint. The secret is in this answer and nowhere else."""
    made = await get_state(request).services.webhooks.register(
        principal, url=wish.url, events=wish.events, description=wish.description
    )
    response.headers["Location"] = f"{API_PREFIX}/webhooks/{made.endpoint.id}"
    response.headers["ETag"] = etag(made.endpoint.version)
    return NewEndpointBody.of(made)


@router.get("/events")
async def list_events(request: Request, _principal: Manager) -> list[WebhookEventBody]:
    """Every kind of event that an endpoint can choose."""
    return [WebhookEventBody.model_validate(event) for event in get_state(request).services.webhooks.events]


@router.get("/deliveries/{delivery_id}")
async def get_delivery(request: Request, delivery_id: Id, principal: Manager) -> DeliveryDetailBody:
    """One delivery with its body and attempts."""
    detail = await get_state(request).services.webhooks.delivery(principal, delivery_id)
    return DeliveryDetailBody.model_validate(detail)


@router.post("/deliveries/{delivery_id}/redeliver", status_code=202, responses=documented_problems(409))
async def redeliver(request: Request, delivery_id: Id, principal: Manager) -> DeliveryBody:
    """Send the same event to the same endpoint again."""
    delivery = await get_state(request).services.webhooks.redeliver(principal, delivery_id)
    return DeliveryBody.model_validate(delivery)


@router.get("/{endpoint_id}")
async def get_endpoint(request: Request, response: Response, endpoint_id: Id, principal: Manager) -> EndpointBody:
    """One endpoint."""
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
    """Forget an endpoint and its log."""
    await get_state(request).services.webhooks.delete(principal, endpoint_id)


@router.post("/{endpoint_id}/secret")
async def change_secret(request: Request, endpoint_id: Id, principal: Manager) -> NewEndpointBody:
    """Give an endpoint a new secret; for a day everything is signed with both."""
    made = await get_state(request).services.webhooks.rotate(principal, endpoint_id)
    return NewEndpointBody.of(made)


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
    """What was and is sent to an endpoint, newest first."""
    page = await get_state(request).services.webhooks.deliveries(
        principal, endpoint_id, state=state, cursor=cursor, limit=limit
    )
    return Listed[DeliveryBody].model_validate(page)
