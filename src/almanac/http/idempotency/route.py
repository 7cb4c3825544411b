"""The route class that gives POST routes their Idempotency-Key.

Same key and same request: the first answer again. Same key and another request: 422. Same key while the first is
under way: 409. A claim whose process died stays unanswered, and later requests are told so: whether the first took
effect is for the caller to see, since doing it again could do it twice.
"""

import re
from collections.abc import Callable, Coroutine
from datetime import timedelta
from hashlib import sha256
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from almanac.errors import Conflict, FieldErrors, InputError
from almanac.http.idempotency import store
from almanac.http.idempotency.seal import key_hash, seal, unseal
from almanac.http.idempotency.store import Answer, Claim, KeyOf
from almanac.http.identity import Identity, identify
from almanac.http.surface import surface_of
from almanac.services import Services

HEADER, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
LIFE = timedelta(hours=24)
PATIENCE = timedelta(minutes=2)
_KEY = re.compile(r"[\x21-\x7e]{1,200}")

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class IdempotentRoute(APIRoute):
    """An API route whose POSTs may be repeated safely when they carry an Idempotency-Key."""

    def get_route_handler(self) -> Handler:
        """Wrap the framework's handler; requests without a key pass straight through."""
        answer = super().get_route_handler()

        async def answer_once(request: Request) -> Response:
            key = request.headers.get(HEADER)
            if key is None or request.method != "POST":
                return await answer(request)
            if not _KEY.fullmatch(key):
                raise InputError(f"{HEADER} must be 1 to 200 visible ASCII characters, such as a UUID.")
            identity = await identify(request)
            if identity.principal is None:
                return await answer(request)
            return await _answer_once(request, key, identity, answer)

        return answer_once


async def _answer_once(request: Request, key: str, identity: Identity, answer: Handler) -> Response:
    services = surface_of(request).services
    owner = identity.principal.user_id if identity.principal else ""
    key_of = KeyOf(owner, key_hash(key))
    fingerprint = await _fingerprint(request)
    now = services.clock.now()
    async with services.database.unit() as unit:
        await store.forget_old_keys(unit, owner, now - LIFE)
        fresh = await store.claim_key(unit, key_of, fingerprint, now)
        claim = None if fresh else await store.find_claim(unit, key_of)
    if claim is not None:
        return _replayed(claim, key, fingerprint, services)
    if not fresh:
        raise Conflict("The first request with this Idempotency-Key has just ended; send this one again.")
    return await _first_answer(request, key, key_of, answer, services)


async def _first_answer(request: Request, key: str, key_of: KeyOf, answer: Handler, services: Services) -> Response:
    """Run the request and keep its answer. An error means that its transaction was rolled back: the key is free.

    A request that is cut off is another matter: its transaction may have been committed, so the claim stays.
    """
    try:
        response = await answer(request)
    except Exception:  # whatever it was, the key is free again for the next try; the error goes on
        async with services.database.unit() as unit:
            await store.release_claim(unit, key_of)
        raise
    kept = Answer(
        response.status_code,
        response.headers.get("Content-Type"),
        response.headers.get("Location"),
        response.headers.get("ETag"),
        seal(key, bytes(response.body)),
    )
    async with services.database.unit() as unit:
        await store.keep_answer(unit, key_of, kept, services.clock.now())
    return response


def _replayed(claim: Claim, key: str, fingerprint: str, services: Services) -> Response:
    if claim.fingerprint != fingerprint:
        raise FieldErrors({HEADER: "This key was used for another request; use a new key for a new request."})
    body = unseal(key, claim.sealed_body) if claim.sealed_body is not None else None
    if claim.status is None or body is None:
        raise Conflict(_unanswered(claim, services))
    headers = {REPLAYED: "true", "Content-Type": claim.content_type, "Location": claim.location, "ETag": claim.etag}
    return Response(body, claim.status, headers={name: value for name, value in headers.items() if value})


def _unanswered(claim: Claim, services: Services) -> str:
    if services.clock.now() - claim.claimed_at < PATIENCE:
        return "The first request with this Idempotency-Key is still under way; wait for its answer."
    return (
        "The first request with this Idempotency-Key ended without an answer; look whether it took effect, and if it "
        "did not, send it with a new key."
    )


async def _fingerprint(request: Request) -> str:
    """What makes two requests the same: method, address and body."""
    parts = (request.method, request.url.path, request.url.query, sha256(await request.body()).hexdigest())
    return sha256("\n".join(parts).encode()).hexdigest()
