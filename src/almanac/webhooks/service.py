"""Webhooks as people and programs see them: endpoints with their secrets, the log of deliveries, publishing."""

from collections.abc import Mapping, Sequence
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
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.relational import Database, Unit
from almanac.webhooks import store
from almanac.webhooks.delivering import Postman
from almanac.webhooks.events import PING, EventRegistry
from almanac.webhooks.model import (
    Delivery,
    DeliveryDetail,
    DeliveryState,
    Endpoint,
    NewEndpoint,
    clean_description,
    clean_events,
    clean_url,
)
from almanac.webhooks.publishing import Publisher
from almanac.webhooks.secrets import secret_of

PERMISSION = "webhooks.manage"
OVERLAP = timedelta(hours=24)
MOST_ENDPOINTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointEdit:
    """What to change about an endpoint; what is None stays as it is."""

    url: str | None = None
    description: str | None = None
    events: list[str] | None = None


class Webhooks:
    """Every verb but publishing needs the right to manage webhooks."""

    def __init__(
        self, database: Database, clock: Clock, *, jobs: JobsPort, fetcher: Fetcher, events: EventRegistry, key: bytes
    ) -> None:
        self.events = events
        self._database = database
        self._clock = clock
        self._key = key
        self._publisher = Publisher(clock, jobs, events)
        self._postman = Postman(database, clock, fetcher, key)
        self._fetcher = fetcher

    async def publish(self, unit: Unit, event: str, payload: Mapping[str, object]) -> str | None:
        """Tell every endpoint that chose this event, if the caller's transaction commits."""
        return await self._publisher.publish(unit, event, payload)

    async def publish_all(self, unit: Unit, event: str, payloads: Sequence[Mapping[str, object]]) -> None:
        """Tell of many events of one kind, as `publish` does of one."""
        await self._publisher.publish_all(unit, event, payloads)

    async def attempt(self, delivery_id: str, *, last: bool) -> None:
        """Try a delivery once; for the worker."""
        await self._postman.attempt(delivery_id, last=last)

    async def prune(self, older_than: timedelta) -> int:
        """Forget events and deliveries older than this; returns how many events."""
        async with self._database.unit() as unit:
            return await store.prune_events(unit, self._clock.now() - older_than)

    async def register(self, by: Principal, *, url: str, events: list[str], description: str = "") -> NewEndpoint:
        """Add an endpoint. Its secret is shown only now."""
        by.require(PERMISSION)
        url, events, description = (
            self._reachable(url),
            clean_events(events, self.events),
            clean_description(description),
        )
        async with self._database.unit() as unit:
            if len(await store.list_endpoints(unit)) >= MOST_ENDPOINTS:
                raise Conflict(f"There are {MOST_ENDPOINTS} endpoints already; delete one first.")
            endpoint_id, now = new_id(), self._clock.now()
            await store.add_endpoint(
                unit, endpoint_id=endpoint_id, url=url, description=description, events=events, by=by.user_id, now=now
            )
            await self._note(unit, by, "webhook.added", endpoint_id)
            return self._with_secret(await self._found(unit, endpoint_id))

    async def edit(self, by: Principal, endpoint_id: str, edit: EndpointEdit, *, expected: int) -> Endpoint:
        """Change an endpoint, unless somebody else was faster."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            endpoint = await self._found(unit, endpoint_id, lock=True)
            if endpoint.version != expected:
                sentence = "Somebody else changed this endpoint first; load it again and repeat your change."
                raise StaleEdit(sentence, str(endpoint.version))
            await store.update_endpoint(
                unit,
                endpoint_id,
                url=endpoint.url if edit.url is None else self._reachable(edit.url),
                description=endpoint.description if edit.description is None else clean_description(edit.description),
                events=list(endpoint.events) if edit.events is None else clean_events(edit.events, self.events),
                now=self._clock.now(),
            )
            await self._note(unit, by, "webhook.edited", endpoint_id)
            return await self._found(unit, endpoint_id)

    async def rotate(self, by: Principal, endpoint_id: str) -> NewEndpoint:
        """Give an endpoint a new secret; for a day everything is signed with both."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            await self._found(unit, endpoint_id, lock=True)
            now = self._clock.now()
            await store.rotate_secret(unit, endpoint_id, until=now + OVERLAP, now=now)
            await self._note(unit, by, "webhook.secret_changed", endpoint_id)
            return self._with_secret(await self._found(unit, endpoint_id))

    async def disable(self, by: Principal, endpoint_id: str, *, why: str = "") -> Endpoint:
        """Tell an endpoint nothing more; doing so twice is no error."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            await self._found(unit, endpoint_id, lock=True)
            reason = why.strip() or f"Disabled by {by.name}."
            if await store.disable_endpoint(unit, endpoint_id, why=reason, now=self._clock.now()):
                await self._note(unit, by, "webhook.disabled", endpoint_id, why)
            return await self._found(unit, endpoint_id)

    async def enable(self, by: Principal, endpoint_id: str) -> Endpoint:
        """Tell an endpoint of events again, from now on."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            await self._found(unit, endpoint_id, lock=True)
            if await store.enable_endpoint(unit, endpoint_id, now=self._clock.now()):
                await self._note(unit, by, "webhook.enabled", endpoint_id)
            return await self._found(unit, endpoint_id)

    async def delete(self, by: Principal, endpoint_id: str) -> None:
        """Forget an endpoint and its log."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            await self._found(unit, endpoint_id, lock=True)
            await store.delete_endpoint(unit, endpoint_id)
            await self._note(unit, by, "webhook.deleted", endpoint_id)

    async def ping(self, by: Principal, endpoint_id: str) -> Delivery:
        """Send a test event to one endpoint."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            endpoint = await self._found(unit, endpoint_id, lock=True)
            _refuse_disabled(endpoint)
            await self._publisher.send(unit, PING, {"endpoint_id": endpoint_id}, [endpoint_id])
            [delivery] = await store.list_deliveries(unit, endpoint_id, state=None, before=None, limit=1)
            return delivery

    async def redeliver(self, by: Principal, delivery_id: str) -> Delivery:
        """Send the same event to the same endpoint again, with all attempts."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            endpoint_id = (await self._found_delivery(unit, delivery_id)).endpoint_id
            _refuse_disabled(await self._found(unit, endpoint_id, lock=True))
            # Read under the endpoint's lock: of two people who ask at once, one sends it again.
            delivery = await self._found_delivery(unit, delivery_id)
            if delivery.state is DeliveryState.WAITING:
                raise Conflict("This delivery is still on its way; wait until it has arrived or failed.")
            await store.set_state(unit, delivery_id, DeliveryState.WAITING)
            await self._publisher.dispatch(unit, delivery_id)
            await self._note(unit, by, "webhook.redelivered", delivery.endpoint_id, "", delivery=delivery_id)
            return await self._found_delivery(unit, delivery_id)

    async def list(self, by: Principal) -> list[Endpoint]:
        """Every endpoint, oldest first."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            return await store.list_endpoints(unit)

    async def get(self, by: Principal, endpoint_id: str) -> Endpoint:
        """One endpoint, or NotFound."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            return await self._found(unit, endpoint_id)

    async def deliveries(
        self,
        by: Principal,
        endpoint_id: str,
        *,
        state: DeliveryState | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Page[Delivery]:
        """What was and is sent to an endpoint, newest first."""
        by.require(PERMISSION)
        of = f"webhook deliveries {endpoint_id} {state}"
        before = self._position(cursor, of)
        async with self._database.unit() as unit:
            await self._found(unit, endpoint_id)
            found = await store.list_deliveries(unit, endpoint_id, state=state, before=before, limit=limit + 1)
        shown = found[:limit]
        more = len(found) > limit
        return Page(shown, encode_cursor([shown[-1].id], of=of, key=self._key) if more else None)

    async def delivery(self, by: Principal, delivery_id: str) -> DeliveryDetail:
        """One delivery with its body and attempts."""
        by.require(PERMISSION)
        async with self._database.unit() as unit:
            delivery = await self._found_delivery(unit, delivery_id)
            body = await store.find_body(unit, delivery.event_id)
            attempts = await store.list_attempts(unit, delivery_id)
        return DeliveryDetail(delivery=delivery, body=body, attempts=attempts)

    def _reachable(self, url: str) -> str:
        """The address, refused beside its field where the guard would never let us reach it."""
        url = clean_url(url)
        try:
            self._fetcher.check(url)
        except AddressRefused as error:
            raise FieldErrors({"url": error.sentence}) from error
        return url

    async def _found(self, unit: Unit, endpoint_id: str, *, lock: bool = False) -> Endpoint:
        endpoint = await store.find_endpoint(unit, endpoint_id, lock=lock)
        if endpoint is None:
            raise NotFound("There is no such webhook endpoint.")
        return endpoint

    async def _found_delivery(self, unit: Unit, delivery_id: str) -> Delivery:
        delivery = await store.find_delivery(unit, delivery_id)
        if delivery is None:
            raise NotFound("There is no such delivery.")
        return delivery

    def _with_secret(self, endpoint: Endpoint) -> NewEndpoint:
        return NewEndpoint(endpoint=endpoint, secret=secret_of(self._key, endpoint.id, endpoint.secret_generation))

    async def _note(
        self, unit: Unit, by: Principal, action: str, endpoint_id: str, why: str = "", **detail: str
    ) -> None:
        deed = AuditAction(by.actor, action, AuditSubject("webhook", endpoint_id), why, detail)
        await audit.record(unit, self._clock, deed)

    def _position(self, cursor: str | None, of: str) -> str | None:
        if cursor is None:
            return None
        return str(decode_cursor(cursor, of=of, key=self._key)[0])


def _refuse_disabled(endpoint: Endpoint) -> None:
    if not endpoint.active:
        raise Conflict("This endpoint is disabled; enable it first.")
