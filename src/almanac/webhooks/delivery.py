"""One attempt at a webhook delivery: sign, post through the guarded fetcher, and record the result.

An attempt whose result couldn't be recorded is repeated; receivers recognise duplicates by the delivery's id. An
endpoint that fails for days is disabled with the reason. Signing secrets are derived, never stored.
"""

import logging
import time
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta

from almanac.audit import service as audit
from almanac.audit.model import SYSTEM, AuditAction, AuditSubject
from almanac.errors import AlmanacError, Retryable, Unavailable
from almanac.fetch import Fetched, Fetcher, HostRateLimited
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.kit.signatures import derive_key, sign_body
from almanac.relational import Database, Unit
from almanac.webhooks import store
from almanac.webhooks.model import WebhookDeliveryState, WebhookEndpoint

SIGNATURE_HEADER, EVENT_HEADER, DELIVERY_HEADER = "Almanac-Signature", "Almanac-Event", "Almanac-Delivery"
DISABLE_AFTER = timedelta(days=3)
TIMEOUT_SECONDS = 15.0
MAX_RESPONSE_BYTES = 64 * 1024
GONE = 410
WHSEC_PREFIX = "whsec_"
_MAX_RETRY_AFTER = 6 * 3600

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """The result of an attempt: the response status, and the error if it failed."""

    at: datetime
    milliseconds: int
    answer: int | None = None
    error: AlmanacError | None = None

    @property
    def reason(self) -> str:
        return str(self.error.sentence) if self.error else ""


class WebhookSender:
    """Makes delivery attempts."""

    def __init__(self, database: Database, clock: Clock, fetcher: Fetcher, key: bytes) -> None:
        self._database = database
        self._clock = clock
        self._fetcher = fetcher
        self._key = key

    async def attempt(self, delivery_id: str, *, last: bool) -> None:
        """Try once; raises the error of a failed attempt, Retryable if it may be retried. `last`: no try follows."""
        async with self._database.unit() as unit:
            pending = await store.find_pending_delivery(unit, delivery_id)
            endpoint = await store.find_endpoint(unit, pending.endpoint_id) if pending else None
            if pending is None or endpoint is None:
                return
            if not endpoint.active:
                await self._fail(unit, delivery_id, gettext("The endpoint is disabled."))
                return
        outcome = await self._post(endpoint, pending)
        final = last or not isinstance(outcome.error, Retryable)
        async with self._database.unit() as unit:
            await self._record(unit, endpoint, delivery_id, outcome, final=final)
        if outcome.error is not None:
            raise outcome.error

    async def _post(self, endpoint: WebhookEndpoint, pending: store.PendingDelivery) -> AttemptOutcome:
        at, body = self._clock.now(), pending.body.encode()
        headers = {
            "Content-Type": "application/json",
            SIGNATURE_HEADER: sign_body(body, *signing_secrets(self._key, endpoint, at), now=at),
            EVENT_HEADER: pending.event,
            DELIVERY_HEADER: pending.delivery_id,
        }
        started = time.perf_counter()
        try:
            answer = await self._fetcher.post(
                endpoint.url, body, headers=headers, max_bytes=MAX_RESPONSE_BYTES, seconds=TIMEOUT_SECONDS
            )
        except AlmanacError as error:
            return AttemptOutcome(at, _milliseconds(started), getattr(error, "answer", None), error)
        return AttemptOutcome(at, _milliseconds(started), answer.status, _response_error(endpoint.host, answer))

    async def _record(
        self, unit: Unit, endpoint: WebhookEndpoint, delivery_id: str, outcome: AttemptOutcome, *, final: bool
    ) -> None:
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
            await store.set_delivery_state(
                unit, delivery_id, WebhookDeliveryState.DELIVERED, finished_at=self._clock.now()
            )
            await store.record_success(unit, endpoint.id)
            return
        if final:
            await self._fail(unit, delivery_id, outcome.reason)
        await self._record_failure(unit, endpoint, outcome)

    async def _fail(self, unit: Unit, delivery_id: str, reason: str) -> None:
        await store.set_delivery_state(
            unit, delivery_id, WebhookDeliveryState.FAILED, reason=reason, finished_at=self._clock.now()
        )

    async def _record_failure(self, unit: Unit, endpoint: WebhookEndpoint, outcome: AttemptOutcome) -> None:
        now = self._clock.now()
        since = await store.record_failure(unit, endpoint.id, now)
        if outcome.answer == GONE:
            why = gettext("%(host)s says the webhook is gone (410).", host=endpoint.host)
        elif since is not None and now - since >= DISABLE_AFTER:
            why = gettext(
                "Every delivery has failed since %(since)s UTC. Last error: %(reason)s",
                since=f"{since:%-d %B %Y, %H:%M}",
                reason=outcome.reason,
            )
        else:
            return
        if await store.disable_endpoint(unit, endpoint.id, why=why, now=now):
            log.warning("A webhook endpoint was disabled.", extra={"endpoint": endpoint.id})
            await audit.record(
                unit, self._clock, AuditAction(SYSTEM, "webhook.disabled", AuditSubject("webhook", endpoint.id), why)
            )


def _milliseconds(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)


def _response_error(host: str, answer: Fetched) -> AlmanacError | None:
    """The error of a response; None for a 2xx status. Anything else is worth another try, except 410."""
    if 200 <= answer.status < 300:
        return None
    wait = answer.headers.get("retry-after", "")
    if wait.isascii() and wait.isdecimal() and len(wait) < 10:
        return HostRateLimited(
            gettext("%(host)s answered %(status)s and asks to retry later.", host=host, status=answer.status),
            min(int(wait), _MAX_RETRY_AFTER),
        )
    if answer.status == GONE:
        return AlmanacError(gettext("%(host)s answered 410: the webhook is gone.", host=host))
    return Unavailable(f"{host} answered {answer.status}.")


def endpoint_secret(key: bytes, endpoint_id: str, generation: int) -> str:
    """The secret of an endpoint. The whole text is the HMAC key."""
    return WHSEC_PREFIX + urlsafe_b64encode(derive_key(key, f"webhook {endpoint_id} {generation}")).decode().rstrip("=")


def signing_secrets(key: bytes, endpoint: WebhookEndpoint, now: datetime) -> list[bytes]:
    """The secrets to sign with: the current one, and for a while after a change also the previous one."""
    generations = [endpoint.secret_generation]
    if endpoint.old_secret_until and endpoint.old_secret_until > now:
        generations.append(endpoint.secret_generation - 1)
    return [endpoint_secret(key, endpoint.id, generation).encode() for generation in generations]
