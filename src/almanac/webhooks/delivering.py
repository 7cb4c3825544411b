"""One attempt at a delivery: sign, post through the guarded fetcher, and write down how it went.

An attempt that may have arrived and was not written down is made again: receivers tell repetitions by the delivery's
id. An endpoint that fails for days is disabled with the reason.
"""

import logging
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from almanac.audit import service as audit
from almanac.audit.model import SYSTEM, AuditAction, AuditSubject
from almanac.errors import AlmanacError, Retryable, Unavailable
from almanac.fetch import Fetched, Fetcher, HostRateLimited
from almanac.kit.clock import Clock
from almanac.kit.signatures import sign_body
from almanac.relational import Database, Unit
from almanac.webhooks import store
from almanac.webhooks.model import DeliveryState, Endpoint
from almanac.webhooks.secrets import signing_secrets

SIGNATURE_HEADER, EVENT_HEADER, DELIVERY_HEADER = "Almanac-Signature", "Almanac-Event", "Almanac-Delivery"
GIVE_UP_AFTER = timedelta(days=3)
PATIENCE_SECONDS = 15.0
LARGEST_ANSWER = 64 * 1024
GONE = 410
_LONGEST_WAIT = 6 * 3600

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt went: what came back, and the error that a job fails with where it did not arrive."""

    at: datetime
    milliseconds: int
    answer: int | None = None
    error: AlmanacError | None = None

    @property
    def reason(self) -> str:
        return self.error.sentence if self.error else ""


class Postman:
    """Makes attempts."""

    def __init__(self, database: Database, clock: Clock, fetcher: Fetcher, key: bytes) -> None:
        self._database = database
        self._clock = clock
        self._fetcher = fetcher
        self._key = key

    async def attempt(self, delivery_id: str, *, last: bool) -> None:
        """Try once. Raises what went wrong, Retryable where another try may help; `last` says that none follows."""
        async with self._database.unit() as unit:
            parcel = await store.find_parcel(unit, delivery_id)
            endpoint = await store.find_endpoint(unit, parcel.endpoint_id) if parcel else None
            if parcel is None or endpoint is None:
                return
            if not endpoint.active:
                await self._fail(unit, delivery_id, "The endpoint is disabled.")
                return
        outcome = await self._post(endpoint, parcel)
        final = last or not isinstance(outcome.error, Retryable)
        async with self._database.unit() as unit:
            await self._record(unit, endpoint, delivery_id, outcome, final=final)
        if outcome.error is not None:
            raise outcome.error

    async def _post(self, endpoint: Endpoint, parcel: store.Parcel) -> Outcome:
        at, body = self._clock.now(), parcel.body.encode()
        headers = {
            "Content-Type": "application/json",
            SIGNATURE_HEADER: sign_body(body, *signing_secrets(self._key, endpoint, at), now=at),
            EVENT_HEADER: parcel.event,
            DELIVERY_HEADER: parcel.delivery_id,
        }
        started = time.perf_counter()
        try:
            answer = await self._fetcher.post(
                endpoint.url, body, headers=headers, max_bytes=LARGEST_ANSWER, seconds=PATIENCE_SECONDS
            )
        except AlmanacError as error:
            return Outcome(at, _milliseconds(started), getattr(error, "answer", None), error)
        return Outcome(at, _milliseconds(started), answer.status, _complaint(endpoint.host, answer))

    async def _record(self, unit: Unit, endpoint: Endpoint, delivery_id: str, outcome: Outcome, *, final: bool) -> None:
        written = await store.add_attempt(
            unit,
            delivery_id,
            at=outcome.at,
            milliseconds=outcome.milliseconds,
            answer=outcome.answer,
            reason=outcome.reason,
        )
        if not written:
            return
        if outcome.error is None:
            await store.set_state(unit, delivery_id, DeliveryState.DELIVERED, finished_at=self._clock.now())
            await store.note_success(unit, endpoint.id)
            return
        if final:
            await self._fail(unit, delivery_id, outcome.reason)
        await self._note_failure(unit, endpoint, outcome)

    async def _fail(self, unit: Unit, delivery_id: str, reason: str) -> None:
        await store.set_state(unit, delivery_id, DeliveryState.FAILED, reason=reason, finished_at=self._clock.now())

    async def _note_failure(self, unit: Unit, endpoint: Endpoint, outcome: Outcome) -> None:
        now = self._clock.now()
        since = await store.note_failure(unit, endpoint.id, now)
        if outcome.answer == GONE:
            why = f"{endpoint.host} says that nobody listens there any more (410)."
        elif since is not None and now - since >= GIVE_UP_AFTER:
            why = f"Nothing arrived since {since:%-d %B %Y, %H:%M} UTC. The last reason: {outcome.reason}"
        else:
            return
        if await store.disable_endpoint(unit, endpoint.id, why=why, now=now):
            log.warning("A webhook endpoint was disabled.", extra={"endpoint": endpoint.id})
            await audit.record(
                unit, self._clock, AuditAction(SYSTEM, "webhook.disabled", AuditSubject("webhook", endpoint.id), why)
            )


def _milliseconds(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)


def _complaint(host: str, answer: Fetched) -> AlmanacError | None:
    """Anything but a plain success means that it may not have been taken in, and is worth another try."""
    if 200 <= answer.status < 300:
        return None
    wait = answer.headers.get("retry-after", "")
    if wait.isascii() and wait.isdecimal() and len(wait) < 10:
        return HostRateLimited(f"{host} answered {answer.status} and asks for patience.", min(int(wait), _LONGEST_WAIT))
    if answer.status == GONE:
        return AlmanacError(f"{host} answered 410: nobody listens there any more.")
    return Unavailable(f"{host} answered {answer.status}.")
