"""Webhook endpoints with their secrets, the log of deliveries, and publishing."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject
from almanac.errors import Conflict, FieldErrors, NotFound, StaleEdit
from almanac.fetch import AddressRefused, Fetcher
from almanac.jobs import JobsPort
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.relational import Database, Unit
from almanac.webhooks import store
from almanac.webhooks.delivery import WebhookSender, endpoint_secret
from almanac.webhooks.events import PING, EventRegistry
from almanac.webhooks.model import (
    NewWebhookEndpoint,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookDeliveryState,
    WebhookEndpoint,
    clean_description,
    clean_events,
    clean_url,
)
from almanac.webhooks.publisher import WebhookPublisher

PERMISSION = "webhooks.manage"
SECRET_OVERLAP = timedelta(hours=24)
MAX_ENDPOINTS = 50
EventListener = Callable[[Unit, str, Mapping[str, object]], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointEdit:
    """Changes of an endpoint; None keeps a field."""

    url: str | None = None
    description: str | None = None
    events: list[str] | None = None


class Webhooks:
    """Manages webhooks; everything except publishing and delivering needs the permission `webhooks.manage`."""

    def __init__(
        self, database: Database, clock: Clock, *, jobs: JobsPort, fetcher: Fetcher, events: EventRegistry, key: bytes
    ) -> None:
        self.events = events
        self._database = database
        self._clock = clock
        self._key = key
        self._publisher = WebhookPublisher(clock, jobs, events)
        self._sender = WebhookSender(database, clock, fetcher, key)
        self._fetcher = fetcher
        self._listeners: list[EventListener] = []

    def add_listener(self, listener: EventListener) -> None:
        """Call the listener for every published event, in its transaction, whether or not an endpoint gets it."""
        self._listeners.append(listener)

    async def publish(self, unit: Unit, event: str, payload: Mapping[str, object]) -> str | None:
        """Send an event to all endpoints subscribed to it, if the caller's transaction commits."""
        for listener in self._listeners:
            await listener(unit, event, payload)
        return await self._publisher.publish(unit, event, payload)

    async def publish_all(self, unit: Unit, event: str, payloads: Sequence[Mapping[str, object]]) -> None:
        """Publish several events of one type."""
        for listener in self._listeners:
            for payload in payloads:
                await listener(unit, event, payload)
        await self._publisher.publish_all(unit, event, payloads)

    async def attempt(self, delivery_id: str, *, last: bool) -> None:
        """Attempt a delivery once; called by the worker."""
        await self._sender.attempt(delivery_id, last=last)

    async def prune(self, older_than: timedelta) -> int:
        """Delete events and deliveries older than this; returns the number of events."""
        async with self._database.unit() as unit:
            return await store.prune_events(unit, self._clock.now() - older_than)

    async def register(
        self, by: Principal, *, url: str, events: list[str], description: str = ""
    ) -> NewWebhookEndpoint:
        """Add an endpoint. Its secret is returned only now."""
        by.require(PERMISSION)
        url, events, description = (
            self._check_url(url),
            clean_events(events, self.events),
            clean_description(description),
        )
        async with self._database.unit() as unit:
            if len(await store.list_endpoints(unit)) >= MAX_ENDPOINTS:
                raise Conflict(
                    gettext(
                        "There are already %(limit)s endpoints, the maximum; delete one first.",
                        limit=MAX_ENDPOINTS,
                    )
                )
            endpoint_id, now = new_id(), self._clock.now()
            await store.add_endpoint(
                unit, endpoint_id=endpoint_id, url=url, description=description, events=events, by=by.user_id, now=now
            )
            await self._audit(unit, by, "webhook.added", endpoint_id)
            return self._with_secret(await self._require_endpoint(unit, endpoint_id))

    async def edit(self, by: Principal, endpoint_id: str, edit: EndpointEdit, *, expected: int) -> WebhookEndpoint:
        """Change an endpoint; raises StaleEdit if somebody else changed it first."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            endpoint = await self._require_endpoint(unit, endpoint_id, lock=True)
            if endpoint.version != expected:
                sentence = gettext(
                    "Somebody else changed this endpoint in the meantime; reload it and make your change again."
                )
                raise StaleEdit(sentence, str(endpoint.version))
            await store.update_endpoint(
                unit,
                endpoint_id,
                url=endpoint.url if edit.url is None else self._check_url(edit.url),
                description=endpoint.description if edit.description is None else clean_description(edit.description),
                events=list(endpoint.events) if edit.events is None else clean_events(edit.events, self.events),
                now=self._clock.now(),
            )
            await self._audit(unit, by, "webhook.edited", endpoint_id)
            return await self._require_endpoint(unit, endpoint_id)

    async def rotate(self, by: Principal, endpoint_id: str) -> NewWebhookEndpoint:
        """Give an endpoint a new secret; for a day, deliveries are signed with both."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            await self._require_endpoint(unit, endpoint_id, lock=True)
            now = self._clock.now()
            await store.rotate_secret(unit, endpoint_id, until=now + SECRET_OVERLAP, now=now)
            await self._audit(unit, by, "webhook.secret_changed", endpoint_id)
            return self._with_secret(await self._require_endpoint(unit, endpoint_id))

    async def disable(self, by: Principal, endpoint_id: str, *, why: str = "") -> WebhookEndpoint:
        """Stop deliveries to an endpoint. Idempotent."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            await self._require_endpoint(unit, endpoint_id, lock=True)
            reason = why.strip() or gettext("Disabled by %(name)s.", name=by.name)
            if await store.disable_endpoint(unit, endpoint_id, why=reason, now=self._clock.now()):
                await self._audit(unit, by, "webhook.disabled", endpoint_id, why)
            return await self._require_endpoint(unit, endpoint_id)

    async def enable(self, by: Principal, endpoint_id: str) -> WebhookEndpoint:
        """Resume deliveries to an endpoint. Idempotent."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            await self._require_endpoint(unit, endpoint_id, lock=True)
            if await store.enable_endpoint(unit, endpoint_id, now=self._clock.now()):
                await self._audit(unit, by, "webhook.enabled", endpoint_id)
            return await self._require_endpoint(unit, endpoint_id)

    async def delete(self, by: Principal, endpoint_id: str) -> None:
        """Delete an endpoint with its log."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            await self._require_endpoint(unit, endpoint_id, lock=True)
            await store.delete_endpoint(unit, endpoint_id)
            await self._audit(unit, by, "webhook.deleted", endpoint_id)

    async def ping(self, by: Principal, endpoint_id: str) -> WebhookDelivery:
        """Send a test event to one endpoint."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            endpoint = await self._require_endpoint(unit, endpoint_id, lock=True)
            _refuse_disabled(endpoint)
            await self._publisher.send(unit, PING, {"endpoint_id": endpoint_id}, [endpoint_id])
            [delivery] = await store.list_deliveries(unit, endpoint_id, state=None, before=None, limit=1)
            return delivery

    async def redeliver(self, by: Principal, delivery_id: str) -> WebhookDelivery:
        """Send the same event to the same endpoint again, with all attempts."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            endpoint_id = (await self._require_delivery(unit, delivery_id)).endpoint_id
            _refuse_disabled(await self._require_endpoint(unit, endpoint_id, lock=True))
            # Read under the endpoint's lock, so that of two concurrent requests only one redelivers.
            delivery = await self._require_delivery(unit, delivery_id)
            if delivery.state is WebhookDeliveryState.WAITING:
                raise Conflict(gettext("This delivery is still in progress; wait until it has succeeded or failed."))
            await store.set_delivery_state(unit, delivery_id, WebhookDeliveryState.WAITING)
            await self._publisher.dispatch(unit, delivery_id)
            await self._audit(unit, by, "webhook.redelivered", delivery.endpoint_id, "", delivery=delivery_id)
            return await self._require_delivery(unit, delivery_id)

    async def list(self, by: Principal) -> list[WebhookEndpoint]:
        """All endpoints, oldest first."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            return await store.list_endpoints(unit)

    async def get(self, by: Principal, endpoint_id: str) -> WebhookEndpoint:
        """One endpoint; raises NotFound if it doesn't exist."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            return await self._require_endpoint(unit, endpoint_id)

    async def deliveries(
        self,
        by: Principal,
        endpoint_id: str,
        *,
        state: WebhookDeliveryState | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Page[WebhookDelivery]:
        """A page of deliveries to an endpoint, newest first."""
        by.require(PERMISSION)
        of = f"webhook deliveries {endpoint_id} {state}"
        before = self._position(cursor, of)
        async with self._database.unit() as unit:
            await self._require_endpoint(unit, endpoint_id)
            deliveries = await store.list_deliveries(unit, endpoint_id, state=state, before=before, limit=limit + 1)
        shown, has_more = deliveries[:limit], len(deliveries) > limit
        return Page(shown, encode_cursor([shown[-1].id], of=of, key=self._key) if has_more else None)

    async def delivery(self, by: Principal, delivery_id: str) -> WebhookDeliveryDetail:
        """One delivery with its body and attempts."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            delivery = await self._require_delivery(unit, delivery_id)
            body = await store.find_event_body(unit, delivery.event_id)
            attempts = await store.list_attempts(unit, delivery_id)
        return WebhookDeliveryDetail(delivery=delivery, body=body, attempts=attempts)

    def _check_url(self, url: str) -> str:
        """The cleaned URL; raises FieldErrors if the fetcher would refuse it."""
        url = clean_url(url)
        try:
            self._fetcher.check(url)
        except AddressRefused as error:
            raise FieldErrors({"url": error.sentence}) from error
        return url

    async def _require_endpoint(self, unit: Unit, endpoint_id: str, *, lock: bool = False) -> WebhookEndpoint:
        endpoint = await store.find_endpoint(unit, endpoint_id, lock=lock)
        if endpoint is None:
            raise NotFound(gettext("Webhook endpoint not found; it may have been deleted."))
        return endpoint

    async def _require_delivery(self, unit: Unit, delivery_id: str) -> WebhookDelivery:
        delivery = await store.find_delivery(unit, delivery_id)
        if delivery is None:
            raise NotFound(gettext("Delivery not found; it may have been deleted."))
        return delivery

    def _with_secret(self, endpoint: WebhookEndpoint) -> NewWebhookEndpoint:
        return NewWebhookEndpoint(
            endpoint=endpoint, secret=endpoint_secret(self._key, endpoint.id, endpoint.secret_generation)
        )

    async def _audit(
        self, unit: Unit, by: Principal, action: str, endpoint_id: str, why: str = "", **detail: str
    ) -> None:
        deed = AuditAction(by.actor, action, AuditSubject("webhook", endpoint_id), why, detail)
        await audit.record(unit, self._clock, deed)

    def _position(self, cursor: str | None, of: str) -> str | None:
        if cursor is None:
            return None
        return str(decode_cursor(cursor, of=of, key=self._key)[0])


def _refuse_disabled(endpoint: WebhookEndpoint) -> None:
    if not endpoint.active:
        raise Conflict(gettext("This endpoint is disabled; enable it first."))
