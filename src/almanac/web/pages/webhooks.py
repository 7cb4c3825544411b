"""Webhooks: endpoints with their secrets and deliveries, and one delivery with its attempts."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.conflicts import EditConflict, compare_fields, make_conflict
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, FormTexts, redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.http.state_labels import label_state
from almanac.kit.messages import gettext
from almanac.web.labels import TimelineItem
from almanac.webhooks import DeliveryAttempt, EndpointEdit, NewWebhookEndpoint, WebhookDeliveryState, WebhookEndpoint

pages = APIRouter(prefix="/webhooks")
TONES = {
    WebhookDeliveryState.WAITING: "waiting",
    WebhookDeliveryState.DELIVERED: "done",
    WebhookDeliveryState.FAILED: "failed",
}
EDIT_LABELS = {"url": gettext("Address"), "description": gettext("Description"), "events": gettext("Events")}

Manager = Annotated[Principal, require("webhooks.manage")]


@pages.get("")
async def show_endpoints(request: Request, principal: Manager) -> Response:
    """List endpoints, with the form for a new one."""
    return await _render_endpoints(request, principal)


@pages.post("")
async def add_endpoint(
    request: Request, principal: Manager, url: FormText = "", description: FormText = "", events: FormTexts = None
) -> Response:
    """Add an endpoint and show its secret once."""
    webhooks = get_state(request).services.webhooks
    try:
        endpoint = await webhooks.register(principal, url=url, events=events or [], description=description)
    except FieldErrors as error:
        values = {"url": url, "description": description, "events": events or []}
        return await _render_endpoints(request, principal, error.fields, values)
    return await _render_endpoint(request, principal, endpoint.endpoint.id, with_secret=endpoint)


@pages.get("/deliveries/{delivery_id}")
async def show_delivery(request: Request, delivery_id: str, principal: Manager) -> Response:
    """Show a delivery with its body and attempts."""
    webhooks = get_state(request).services.webhooks
    detail = await webhooks.delivery(principal, delivery_id)
    endpoint = await webhooks.get(principal, detail.delivery.endpoint_id)
    return await render_page(
        request,
        "webhooks/delivery.html",
        delivery=detail.delivery,
        body=detail.body,
        endpoint=endpoint,
        tones=TONES,
        timeline=[_attempt_item(attempt) for attempt in detail.attempts],
    )


@pages.post("/deliveries/{delivery_id}/redeliver")
async def redeliver(request: Request, delivery_id: str, principal: Manager) -> Response:
    """Send the same event again."""
    await get_state(request).services.webhooks.redeliver(principal, delivery_id)
    return redirect(request, f"/webhooks/deliveries/{delivery_id}", Flash(gettext("Event queued again.")))


@pages.get("/{endpoint_id}")
async def show_endpoint(
    request: Request, endpoint_id: str, principal: Manager, state: str = "", cursor: Cursor = None
) -> Response:
    """Show an endpoint with its deliveries."""
    return await _render_endpoint(request, principal, endpoint_id, state=state, cursor=cursor)


@pages.post("/{endpoint_id}")
async def edit_endpoint(
    request: Request,
    endpoint_id: str,
    principal: Manager,
    url: FormText = "",
    description: FormText = "",
    events: FormTexts = None,
    version: Annotated[int, Form()] = 0,
) -> Response:
    """Change URL, description and events."""
    edit = EndpointEdit(url=url, description=description, events=events or [])
    webhooks = get_state(request).services.webhooks
    try:
        await webhooks.edit(principal, endpoint_id, edit, expected=version)
    except FieldErrors as error:
        return await _render_endpoint(request, principal, endpoint_id, errors=error.fields, typed=edit, status=422)
    except StaleEdit:
        current = await webhooks.get(principal, endpoint_id)
        rows = compare_fields(EDIT_LABELS, _in_words(edit), _in_words(current))
        conflict = await make_conflict(request, rows, current.version, f"/webhooks/{endpoint_id}")
        return await _render_endpoint(request, principal, endpoint_id, typed=edit, conflict=conflict, status=412)
    return redirect(request, f"/webhooks/{endpoint_id}", Flash(gettext("Endpoint saved.")))


@pages.post("/{endpoint_id}/secret")
async def change_secret(request: Request, endpoint_id: str, principal: Manager) -> Response:
    """Rotate the secret and show it once."""
    endpoint = await get_state(request).services.webhooks.rotate(principal, endpoint_id)
    return await _render_endpoint(request, principal, endpoint_id, with_secret=endpoint)


@pages.post("/{endpoint_id}/ping")
async def ping(request: Request, endpoint_id: str, principal: Manager) -> Response:
    """Send a test event."""
    delivery = await get_state(request).services.webhooks.ping(principal, endpoint_id)
    return redirect(request, f"/webhooks/deliveries/{delivery.id}", Flash(gettext("A test event is on its way.")))


@pages.post("/{endpoint_id}/enable")
async def enable(request: Request, endpoint_id: str, principal: Manager) -> Response:
    """Enable an endpoint."""
    await get_state(request).services.webhooks.enable(principal, endpoint_id)
    return redirect(request, f"/webhooks/{endpoint_id}", Flash(gettext("Endpoint enabled.")))


@pages.post("/{endpoint_id}/disable")
async def disable(request: Request, endpoint_id: str, principal: Manager, why: FormText = "") -> Response:
    """Disable an endpoint."""
    await get_state(request).services.webhooks.disable(principal, endpoint_id, why=why)
    undo = f"/webhooks/{endpoint_id}/enable"
    return redirect(request, f"/webhooks/{endpoint_id}", Flash(gettext("Endpoint disabled."), undo=undo))


@pages.post("/{endpoint_id}/delete")
async def delete(request: Request, endpoint_id: str, principal: Manager) -> Response:
    """Delete an endpoint with its delivery log."""
    await get_state(request).services.webhooks.delete(principal, endpoint_id)
    return redirect(request, "/webhooks", Flash(gettext("Endpoint deleted.")))


async def _render_endpoints(
    request: Request,
    principal: Principal,
    errors: dict[str, str] | None = None,
    values: Mapping[str, object] | None = None,
) -> Response:
    webhooks = get_state(request).services.webhooks
    return await render_page(
        request,
        "webhooks/list.html",
        status_code=422 if errors else 200,
        endpoints=await webhooks.list(principal),
        errors=errors or {},
        values=values or {"url": "", "description": "", "events": []},
        events=_event_choices(request),
    )


async def _render_endpoint(
    request: Request,
    principal: Principal,
    endpoint_id: str,
    *,
    with_secret: NewWebhookEndpoint | None = None,
    errors: dict[str, str] | None = None,
    typed: EndpointEdit | None = None,
    conflict: EditConflict | None = None,
    state: str = "",
    cursor: str | None = None,
    status: int = 200,
) -> Response:
    webhooks = get_state(request).services.webhooks
    endpoint = await webhooks.get(principal, endpoint_id)
    chosen = next((option for option in WebhookDeliveryState if option == state), None)
    listed = await webhooks.deliveries(principal, endpoint_id, state=chosen, cursor=cursor)
    return await render_page(
        request,
        "webhooks/endpoint.html",
        status_code=status,
        endpoint=endpoint,
        made=with_secret,
        errors=errors or {},
        typed=typed or endpoint,
        conflict=conflict,
        deliveries=listed.items,
        events=_event_choices(request),
        tones=TONES,
        facets=_facets(request, state),
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


def _in_words(edit: EndpointEdit | WebhookEndpoint) -> dict[str, str]:
    events = ", ".join(sorted(edit.events or []))
    return {"url": edit.url or "", "description": edit.description or "", "events": events}


def _event_choices(request: Request) -> list[tuple[str, str]]:
    events = get_state(request).services.webhooks.events
    return [(event.name, gettext("%(name)s: %(value)s", name=event.name, value=event.about)) for event in events]


def _facets(request: Request, state: str) -> list[tuple[str, int | None, str, bool]]:
    names = ("", *WebhookDeliveryState)
    return [
        (
            label_state(name) if name else gettext("All"),
            None,
            with_query(request.url, state=name, cursor=None),
            state == name,
        )
        for name in names
    ]


def _attempt_item(attempt: DeliveryAttempt) -> TimelineItem:
    took = f"{attempt.milliseconds:,}"
    if attempt.answer:
        title = gettext(
            "Attempt %(number)s: answered %(answer)s after %(milliseconds)s ms",
            number=attempt.number,
            answer=attempt.answer,
            milliseconds=took,
        )
    else:
        title = gettext(
            "Attempt %(number)s: no answer after %(milliseconds)s ms", number=attempt.number, milliseconds=took
        )
    return TimelineItem(title, attempt.attempted_at, attempt.reason, "done" if attempt.succeeded else "failed")
