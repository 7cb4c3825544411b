"""The route class that gives POST routes their Idempotency-Key.

The route's guard comes first, for a repeated request too: an answer is given again only to who may still ask for it.
Same key and same request: the first answer again. Same key and another request: 422. Same key while the first is
running: 409. Where the first failed or was cut off, and may have done something, a route that is `REPEATABLE` runs
again and finds what was started; on any other, the caller is asked to check first, since doing it again could do it
twice. Stored answers are encrypted with a key made from the caller's Idempotency-Key, of which only a hash is stored:
an answer may hold a secret that is shown once, such as a new API token.
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
    """What is stored in place of a key."""
    return sha256(b"stored:" + key.encode()).hexdigest()


def seal(key: str, body: bytes) -> bytes:
    """Make a body readable only to who sends the key again."""
    return _box(key).encrypt(body)


def unseal(key: str, sealed: bytes) -> bytes | None:
    """The body, or None where it was sealed with another key."""
    try:
        return _box(key).decrypt(sealed)
    except InvalidToken:
        return None


def _box(key: str) -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(b"sealed:" + key.encode()).digest()))


HEADER, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
PATIENCE = timedelta(minutes=2)
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
                # The guard may have read a form for its token; nobody else closes its files if the route is not run.
                await request.close()

        return answer_once

    async def _admit(self, request: Request) -> None:
        """Ask the guard. A form whose token it reads can be read again only where the whole body is there already."""
        await request.body()
        if (guard := route_guard(self)) is not None:
            await guard(request)


def get_seed(request: Request) -> Seed | None:
    """What all tries of this request have in common; None for one without an Idempotency-Key."""
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
    given_up_before = now - PATIENCE if is_repeatable else None
    async with services.database.unit() as unit:
        await store.delete_expired_keys(unit, owner, now - store.LIFE)
        mine = await store.claim_key(unit, key_of, fingerprint, now, given_up_before=given_up_before)
        claim = None if mine else await store.find_claim(unit, key_of)
    if claim is not None:
        return _replayed(claim, key, fingerprint, services)
    if mine is None:
        raise Conflict("The first request with this Idempotency-Key has just ended; send this one again.")
    request.state.seed = _seed(key_of, mine.begun_at)
    response = await _run(request, key_of, answer, services, is_first=mine.tries == 1, is_repeatable=is_repeatable)
    await _keep(response, key, key_of, services)
    return response


def _seed(key_of: CallerKey, begun_at: datetime) -> Seed:
    return Seed(sha256(f"{key_of.caller}\n{key_of.key_hash}".encode()).hexdigest(), begun_at)


async def _run(
    request: Request, key_of: CallerKey, answer: Handler, services: Services, *, is_first: bool, is_repeatable: bool
) -> Response:
    """Answer the request, or note in what state a failure has left its key.

    A request that is cut off leaves its claim as it is: what it wrote may have been committed. What an earlier try has
    done is found again by its seed alone, so a key that was tried before is not forgotten.
    """
    with track_effects() as effects:
        try:
            return await answer(request)
        except Exception as error:  # whatever it was, it decides about the key, and goes on
            async with services.database.unit() as unit:
                if is_first and _has_done_nothing(error, effects):
                    await store.release_claim(unit, key_of)
                else:
                    await store.end_claim(unit, key_of, "free" if is_repeatable else "in doubt")
            raise


def _has_done_nothing(error: Exception, effects: Effects) -> bool:
    """A request that is refused changes nothing. One that fails may have, unless nothing was written until then."""
    if isinstance(error, AlmanacError):
        refused = error.status < _SERVER_FAULTS
    elif isinstance(error, HTTPException):
        refused = error.status_code < _SERVER_FAULTS
    else:
        refused = isinstance(error, RequestValidationError)
    return refused or not effects.begun


async def _keep(response: Response, key: str, key_of: CallerKey, services: Services) -> None:
    kept = StoredAnswer(
        response.status_code,
        response.headers.get("Content-Type"),
        response.headers.get("Location"),
        response.headers.get("ETag"),
        seal(key, bytes(response.body)),
    )
    async with services.database.unit() as unit:
        await store.save_answer(unit, key_of, kept, services.clock.now())


def _replayed(claim: KeyClaim, key: str, fingerprint: str, services: Services) -> Response:
    if claim.fingerprint != fingerprint:
        raise FieldErrors({HEADER: "This key was used for another request; use a new key for a new request."})
    body = unseal(key, claim.sealed_body) if claim.sealed_body is not None else None
    if claim.status is None or body is None:
        raise Conflict(_unanswered(claim, services))
    headers = {REPLAYED: "true", "Content-Type": claim.content_type, "Location": claim.location, "ETag": claim.etag}
    return Response(body, claim.status, headers={name: value for name, value in headers.items() if value})


def _unanswered(claim: KeyClaim, services: Services) -> str:
    if claim.ended is None and services.clock.now() - claim.claimed_at < PATIENCE:
        return "The first request with this Idempotency-Key is still running; wait for its answer."
    how = "ended without an answer" if claim.ended is None else "failed half-way"
    return (
        f"The first request with this Idempotency-Key {how}; look whether it took effect, and if it did not, send it "
        "with a new key."
    )


async def _fingerprint(request: Request) -> str:
    """What makes two requests the same: method, address and body."""
    parts = (request.method, request.url.path, request.url.query, sha256(await request.body()).hexdigest())
    return sha256("\n".join(parts).encode()).hexdigest()
