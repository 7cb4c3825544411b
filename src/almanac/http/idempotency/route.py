"""The route class that gives POST routes their Idempotency-Key.

The route's guard runs first, for a repeated request too, so only callers who still have permission get the response
again. Same key and same request: the first response again. Same key and another request: 422. Same key while the first
is running: 409. If the first failed or was interrupted and may have changed something, a `REPEATABLE` route runs again
and finds what was started; on any other route the caller must check first, because running again could do it twice.
Stored responses are encrypted with a key derived from the caller's Idempotency-Key, of which only a hash is stored: a
response may contain a secret that is shown once, such as a new API token.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
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
from almanac.http.idempotency.store import CallerKey, KeyClaim, StoredAnswer
from almanac.kit.ids import Seed
from almanac.kit.side_effects import Effects, track_effects
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
ABANDONED_AFTER = timedelta(minutes=2)
REPEATABLE = {"x-repeatable": True}
"""For `openapi_extra` of a route that finds what was started when it runs again with the same seed."""
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_SERVER_FAULTS = 500

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class IdempotentRoute(APIRoute):
    """An API route whose POSTs may be repeated safely when they carry an Idempotency-Key."""

    def get_route_handler(self) -> Handler:
        """Wrap the framework's handler; requests without a key pass straight through."""
        answer = super().get_route_handler()
        is_repeatable = REPEATABLE.items() <= (self.openapi_extra or {}).items()

        async def answer_once(request: Request) -> Response:
            key = request.headers.get(HEADER)
            if key is None or request.method != "POST":
                return await answer(request)
            if not _KEY.fullmatch(key):
                raise InputError(f"{HEADER} must be 1 to 200 visible ASCII characters, such as a UUID.")
            try:
                await self._admit(request)
                identity = await identify(request)
                if identity.principal is None:
                    return await answer(request)
                return await _answer_once(request, key, identity, answer, is_repeatable=is_repeatable)
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


def get_seed(request: Request) -> Seed | None:
    """A value that is the same for all attempts of this request; None without an Idempotency-Key."""
    seed: Seed | None = getattr(request.state, "seed", None)
    return seed


async def _answer_once(
    request: Request, key: str, identity: Identity, answer: Handler, *, is_repeatable: bool
) -> Response:
    services = get_state(request).services
    owner = identity.principal.user_id if identity.principal else ""
    key_of = CallerKey(owner, key_hash(key))
    fingerprint = await _fingerprint(request)
    now = services.clock.now()
    given_up_before = now - ABANDONED_AFTER if is_repeatable else None
    async with services.database.unit() as unit:
        await store.delete_expired_keys(unit, owner, now - store.RETENTION)
        attempt = await store.claim_key(unit, key_of, fingerprint, now, given_up_before=given_up_before)
        claim = None if attempt else await store.find_claim(unit, key_of)
    if claim is not None:
        return _replay(claim, key, fingerprint, services)
    if attempt is None:
        raise Conflict("The first request with this Idempotency-Key has just ended; send this one again.")
    request.state.seed = _seed(key_of, attempt.begun_at)
    response = await _run(request, key_of, answer, services, is_first=attempt.tries == 1, is_repeatable=is_repeatable)
    await _store_response(response, key, key_of, services)
    return response


def _seed(key_of: CallerKey, begun_at: datetime) -> Seed:
    return Seed(sha256(f"{key_of.caller}\n{key_of.key_hash}".encode()).hexdigest(), begun_at)


async def _run(
    request: Request, key_of: CallerKey, answer: Handler, services: Services, *, is_first: bool, is_repeatable: bool
) -> Response:
    """Run the request, and record on failure whether its key may be used again.

    An interrupted request keeps its claim, because its changes may have been committed. A key that was tried before
    isn't released, because only its seed finds what an earlier attempt did.
    """
    with track_effects() as effects:
        try:
            return await answer(request)
        except Exception as error:  # Whatever was raised decides what happens to the key, and is raised again.
            async with services.database.unit() as unit:
                if is_first and _has_done_nothing(error, effects):
                    await store.release_claim(unit, key_of)
                else:
                    await store.end_claim(unit, key_of, "free" if is_repeatable else "in doubt")
            raise


def _has_done_nothing(error: Exception, effects: Effects) -> bool:
    """A rejected request changes nothing. A failed one may have, unless nothing was written before."""
    if isinstance(error, AlmanacError):
        refused = error.status < _SERVER_FAULTS
    elif isinstance(error, HTTPException):
        refused = error.status_code < _SERVER_FAULTS
    else:
        refused = isinstance(error, RequestValidationError)
    return refused or not effects.begun


async def _store_response(response: Response, key: str, key_of: CallerKey, services: Services) -> None:
    answer = StoredAnswer(
        response.status_code,
        response.headers.get("Content-Type"),
        response.headers.get("Location"),
        response.headers.get("ETag"),
        seal(key, bytes(response.body)),
    )
    async with services.database.unit() as unit:
        await store.save_answer(unit, key_of, answer, services.clock.now())


def _replay(claim: KeyClaim, key: str, fingerprint: str, services: Services) -> Response:
    if claim.fingerprint != fingerprint:
        raise FieldErrors({HEADER: "This key was used for another request; use a new key for a new request."})
    body = unseal(key, claim.sealed_body) if claim.sealed_body is not None else None
    if claim.status is None or body is None:
        raise Conflict(_unanswered(claim, services))
    headers = {REPLAYED: "true", "Content-Type": claim.content_type, "Location": claim.location, "ETag": claim.etag}
    return Response(body, claim.status, headers={name: value for name, value in headers.items() if value})


def _unanswered(claim: KeyClaim, services: Services) -> str:
    if claim.ended is None and services.clock.now() - claim.claimed_at < ABANDONED_AFTER:
        return "The first request with this Idempotency-Key is still running; wait for its answer."
    how = "ended without an answer" if claim.ended is None else "failed half-way"
    return (
        f"The first request with this Idempotency-Key {how}; look whether it took effect, and if it did not, send it "
        "with a new key."
    )


async def _fingerprint(request: Request) -> str:
    """Identifies equal requests: method, URL and body."""
    parts = (request.method, request.url.path, request.url.query, sha256(await request.body()).hexdigest())
    return sha256("\n".join(parts).encode()).hexdigest()
