"""The route class that gives POST routes their Idempotency-Key.

The route's guard runs first, for a repeated request too, so only callers who still have permission get the response
again. Same key and same request: the first response again. Same key and another request: 422. Same key while the first
is running: 409. If the process that ran the first has died, the request runs again at once, unless it has written
something: then a `REPEATABLE` route runs again and finds what was started, and on any other route the caller is told
what happened. On an `AtomicRoute` that question doesn't arise: the work commits together with its stored response.
Stored responses are encrypted with a key derived from the caller's Idempotency-Key, of which only a hash is stored: a
response may contain a secret that is shown once, such as a new API token.
"""

import asyncio
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from almanac.errors import AlmanacError, Conflict, FieldErrors, InputError
from almanac.http.app_state import get_state
from almanac.http.auth import Identity, identify, route_guard
from almanac.http.idempotency import store
from almanac.http.idempotency.store import CallerKey, KeyClaim, KeyHold, RequestAttempt, StoredAnswer
from almanac.kit.ids import Seed
from almanac.kit.messages import gettext
from almanac.kit.side_effects import Effects, track_effects
from almanac.relational import Unit
from almanac.services import Services


def key_hash(key: str) -> str:
    """The hash that is stored instead of a key."""
    return sha256(b"stored:" + key.encode()).hexdigest()


def seal(key: str, body: bytes) -> bytes:
    """Encrypt a body so that only a caller with the key can read it."""
    return _cipher(key).encrypt(body)


def unseal(key: str, sealed: bytes) -> bytes | None:
    """The decrypted body; None if it was encrypted with another key."""
    try:
        return _cipher(key).decrypt(sealed)
    except InvalidToken:
        return None


def _cipher(key: str) -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(b"sealed:" + key.encode()).digest()))


HEADER, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
REPEATABLE = {"x-repeatable": True}
"""For `openapi_extra` of a route that finds what was started when it runs again with the same seed."""
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_SERVER_FAULTS = 500

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class IdempotentRoute(APIRoute):
    """An API route whose POSTs may be repeated safely when they carry an Idempotency-Key."""

    is_atomic = False

    def get_route_handler(self) -> Handler:
        """Wrap the framework's handler; requests without a key pass straight through."""
        answer = super().get_route_handler()
        is_repeatable = REPEATABLE.items() <= (self.openapi_extra or {}).items()

        async def answer_once(request: Request) -> Response:
            key = request.headers.get(HEADER)
            if key is None or request.method != "POST":
                return await answer(request)
            if not _KEY.fullmatch(key):
                raise InputError(
                    gettext("%(header)s must be 1 to 200 visible ASCII characters, such as a UUID.", header=HEADER)
                )
            try:
                await self._admit(request)
                identity = await identify(request)
                if identity.principal is None:
                    return await answer(request)
                return await _answer_once(
                    request, key, identity, answer, is_atomic=self.is_atomic, is_repeatable=is_repeatable
                )
            finally:
                # The guard may have parsed a form for its token; nothing else closes its files if no route runs.
                await request.close()

        return answer_once

    async def _admit(self, request: Request) -> None:
        """Run the guard. A form that it parses for its token can be parsed again only if the whole body was read
        before.
        """
        await request.body()
        if (guard := route_guard(self)) is not None:
            await guard(request)


class AtomicRoute(IdempotentRoute):
    """A route that writes to PostgreSQL alone, step by step: with a key, its work and its response are one transaction.

    After a crash there is either both or neither, so a key is never in doubt.
    """

    is_atomic = True


def get_seed(request: Request) -> Seed | None:
    """A value that is the same for all attempts of this request; None without an Idempotency-Key."""
    seed: Seed | None = getattr(request.state, "seed", None)
    return seed


@dataclass(frozen=True, slots=True)
class _HeldKey:
    """The key of a running request: its log of effects, and how it ends. Its notes stand in transactions of their own,
    which no tracking watches.
    """

    services: Services
    key: str
    hold: KeyHold
    is_atomic: bool
    is_repeatable: bool
    has_effects: bool

    async def note_here(self, unit: object) -> None:
        assert isinstance(unit, Unit)
        # The response of an atomic route is in the unit already, which says the same.
        if not self.is_atomic and not await store.note_write_here(unit, self.hold):
            raise Conflict(_TAKEN_OVER)

    async def note_elsewhere(self) -> None:
        if self.is_atomic:
            raise RuntimeError("An atomic route writes to PostgreSQL alone; make it an IdempotentRoute.")
        with track_effects():
            async with self.services.database.unit() as unit:
                if not await store.note_write_elsewhere(unit, self.hold):
                    raise Conflict(_TAKEN_OVER)

    async def save(self, unit: Unit, response: Response) -> bool:
        answer = StoredAnswer(
            response.status_code,
            response.headers.get("Content-Type"),
            response.headers.get("Location"),
            response.headers.get("ETag"),
            seal(self.key, bytes(response.body)),
        )
        return await store.save_answer(unit, self.hold, answer, self.services.clock.now())

    async def save_or_undo(self, unit: Unit, response: Response) -> None:
        if not await self.save(unit, response):
            raise Conflict(_TAKEN_OVER)

    async def give_up(self, *, did_nothing: bool) -> None:
        """Free the key, or leave it in doubt. One that an earlier try has written under is kept, because only its seed
        finds what was done.
        """
        async with self.services.database.unit() as unit:
            if did_nothing and not self.has_effects:
                await store.release_claim(unit, self.hold)
            else:
                await store.end_claim(unit, self.hold, "free" if self.is_repeatable or did_nothing else "in doubt")


_TAKEN_OVER = gettext("Another try of this request has taken over; its answer counts.")


async def _answer_once(
    request: Request, key: str, identity: Identity, answer: Handler, *, is_atomic: bool, is_repeatable: bool
) -> Response:
    services = get_state(request).services
    owner = identity.principal.user_id if identity.principal else ""
    key_of = CallerKey(owner, key_hash(key))
    fingerprint = await _fingerprint(request)
    attempt, claim = await _claim(services, key_of, fingerprint, is_repeatable=is_repeatable)
    if claim is not None:
        return _replay(claim, key, fingerprint)
    if attempt is None:
        raise Conflict(gettext("The first request with this Idempotency-Key has just ended; send this one again."))
    request.state.seed = _seed(key_of, attempt)
    hold = KeyHold(key_of.caller, key_of.key_hash, attempt.tries)
    held = _HeldKey(services, key, hold, is_atomic, is_repeatable, attempt.has_effects)
    return await (_run_atomically if is_atomic else _run)(request, held, answer)


async def _claim(
    services: Services, key_of: CallerKey, fingerprint: str, *, is_repeatable: bool
) -> tuple[RequestAttempt | None, KeyClaim | None]:
    """The right to run the request, or the claim that stands in its way; neither if that has just ended."""
    now, holder = services.clock.now(), await services.database.presence.announce()
    async with services.database.unit() as unit:
        await store.delete_expired_keys(unit, key_of.caller, now - store.RETENTION)
        attempt = await store.claim_key(unit, key_of, fingerprint, now, holder=holder, is_repeatable=is_repeatable)
        return attempt, None if attempt else await store.find_claim(unit, key_of, now)


def _seed(key_of: CallerKey, attempt: RequestAttempt) -> Seed:
    text = sha256(f"{key_of.caller}\n{key_of.key_hash}".encode()).hexdigest()
    return Seed(text, attempt.begun_at, is_repeated=attempt.has_effects)


async def _run_atomically(request: Request, held: _HeldKey, answer: Handler) -> Response:
    """Run the request and store its response in one transaction; whatever fails has done nothing."""
    try:
        with track_effects(held):
            async with held.services.database.shared_unit() as unit:
                response = await answer(request)
                await held.save_or_undo(unit, response)
                return response
    except BaseException:
        await asyncio.shield(held.give_up(did_nothing=True))
        raise


async def _run(request: Request, held: _HeldKey, answer: Handler) -> Response:
    """Run the request and store its response. On failure, record whether its key may be used again."""
    with track_effects(held) as effects:
        try:
            response = await answer(request)
        except BaseException as error:
            with track_effects():
                await asyncio.shield(held.give_up(did_nothing=_has_done_nothing(error, effects)))
            raise
    async with held.services.database.unit() as unit:
        await held.save(unit, response)
    return response


def _has_done_nothing(error: BaseException, effects: Effects) -> bool:
    """A rejected request changes nothing. A failed one may have, unless nothing was written before."""
    if isinstance(error, AlmanacError):
        refused = error.status < _SERVER_FAULTS
    elif isinstance(error, HTTPException):
        refused = error.status_code < _SERVER_FAULTS
    else:
        refused = isinstance(error, RequestValidationError)
    return refused or not effects.begun


def _replay(claim: KeyClaim, key: str, fingerprint: str) -> Response:
    if claim.fingerprint != fingerprint:
        raise FieldErrors({HEADER: gettext("This key was used for another request; use a new key for a new request.")})
    body = unseal(key, claim.sealed_body) if claim.sealed_body is not None else None
    if claim.status is None or body is None:
        raise Conflict(_unanswered(claim))
    headers = {REPLAYED: "true", "Content-Type": claim.content_type, "Location": claim.location, "ETag": claim.etag}
    return Response(body, claim.status, headers={name: value for name, value in headers.items() if value})


def _unanswered(claim: KeyClaim) -> str:
    if claim.ended is None and claim.is_held:
        return gettext("The first request with this Idempotency-Key is still running; wait for its answer.")
    if claim.ended is None and claim.wrote_here and not claim.wrote_elsewhere:
        return gettext(
            "The first request with this Idempotency-Key was carried out, but the server stopped before it answered; "
            "look at the result, and don't send it again."
        )
    if claim.ended is None:
        return gettext(
            "The first request with this Idempotency-Key ended without an answer; look whether it took effect, and if "
            "it did not, send it with a new key."
        )
    return gettext(
        "The first request with this Idempotency-Key failed half-way; look whether it took effect, and if it did not, "
        "send it with a new key."
    )


async def _fingerprint(request: Request) -> str:
    """Identifies equal requests: method, URL and body."""
    parts = (request.method, request.url.path, request.url.query, sha256(await request.body()).hexdigest())
    return sha256("\n".join(parts).encode()).hexdigest()
