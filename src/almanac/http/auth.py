"""Identity of the caller and permissions of routes: CSRF and origin checks, and guards.

Every route names its guard; a test fails for a route without one.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Depends
from fastapi.routing import APIRoute
from starlette.requests import Request

from almanac.accounts.model import CONFIRM_PATH, TWO_STEP_PATH, Principal, SecondFactorNeeded, SignInClient
from almanac.accounts.permissions import desk_permission
from almanac.accounts.throttle import address_key
from almanac.errors import NotAllowed, SignInNeeded, TooMany
from almanac.http.app_state import get_state
from almanac.http.cookies import SESSION
from almanac.http.rate_limit.limiter import Allowance
from almanac.kit.messages import gettext

_NONCE_BYTES = 12


def issue_csrf(bound_to: str, nonce: str | None = None) -> str:
    """A token for one page. It differs each time, so that compression can't leak it."""
    nonce = nonce or secrets.token_hex(_NONCE_BYTES)
    return f"{nonce}.{_seal(bound_to, nonce)}"


def is_valid_csrf(bound_to: str, token: str | None) -> bool:
    """Whether the token was issued for this secret; False without a secret."""
    nonce, _, seal = (token or "").partition(".")
    if not bound_to or not nonce.isascii() or not seal.isascii():
        return False
    return hmac.compare_digest(_seal(bound_to, nonce), seal)


def _seal(bound_to: str, nonce: str) -> str:
    return hmac.digest(bound_to.encode(), b"csrf:" + nonce.encode(), "sha256").hex()


def client_address(request: Request) -> str:
    """The IP address of the caller; behind a proxy the forwarded one."""
    return request.client.host if request.client else "unknown"


def get_client(request: Request) -> SignInClient:
    """Address, browser and current session of the caller, for a sign-in."""
    return SignInClient(
        address=client_address(request),
        user_agent=request.headers.get("User-Agent", ""),
        replaces=request.cookies.get(SESSION),
    )


CSRF_FIELD, CSRF_HEADER = "csrf_token", "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# What somebody may do whose role needs a second factor that isn't set up yet.
_ENROLMENT_PATHS = (TWO_STEP_PATH, CONFIRM_PATH, "/account/passkeys", "/account/theme", "/sign-out")
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class Identity:
    """The principal, and the session token that its CSRF tokens are bound to when it came with a cookie."""

    principal: Principal | None = None
    session_token: str | None = None

    def csrf(self) -> str:
        """A CSRF token for one page; empty unless somebody is signed in with a cookie."""
        return issue_csrf(self.session_token) if self.session_token else ""


async def identify(request: Request) -> Identity:
    """The identity of the caller, cached per request. An invalid API token raises; an ended session counts as
    anonymous.
    """
    cached = getattr(request.state, "identity", None)
    if isinstance(cached, Identity):
        return cached
    request.state.identity = identity = await load_identity(request)
    return identity


async def load_identity(request: Request) -> Identity:
    """The current identity of the caller, uncached: a session may have ended since the request arrived."""
    principals = get_state(request).services.principals
    kind, _, credential = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        principal = await principals.for_token(credential.strip())
        if principal is None:
            raise SignInNeeded(gettext("This API token is unknown, expired or revoked; send a valid one."))
        return Identity(principal)
    token = request.cookies.get(SESSION)
    principal = await principals.for_session(token) if token else None
    return Identity(principal, token) if principal else Identity()


async def check_csrf(request: Request, identity: Identity) -> None:
    """Require the CSRF token of our own pages for changes with a session cookie."""
    if request.method in SAFE_METHODS or identity.session_token is None:
        return
    token = request.headers.get(CSRF_HEADER) or await _csrf_in_form(request)
    if not is_valid_csrf(identity.session_token, token):
        raise NotAllowed(
            gettext("This form is no longer valid and nothing was changed; load the page again and repeat it.")
        )


async def _csrf_in_form(request: Request) -> str | None:
    if not request.headers.get("Content-Type", "").startswith(_FORMS):
        return None
    value = (await request.form()).get(CSRF_FIELD)
    return value if isinstance(value, str) else None


def check_origin(request: Request) -> None:
    """Reject a public form from another site, so that no other site can sign somebody in."""
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("Origin")
    ours = {f"http://{request.url.netloc}", f"https://{request.url.netloc}"}
    ours.add(get_state(request).services.settings.public_url)
    if request.headers.get("Sec-Fetch-Site") == "cross-site" or (origin and origin not in ours):
        raise NotAllowed(
            gettext("This form came from another site and nothing was changed; open the page here and repeat it.")
        )


class Guard:
    """A dependency that lets through principals with a permission (any signed-in one if there is no name).

    `at_desk` is an action: whoever may do it at the desk in the path, `{desk}`, is let through as well.
    """

    def __init__(self, permission: str | None, *, at_desk: str | None = None) -> None:
        self.permission = permission
        self.at_desk = at_desk

    async def __call__(self, request: Request) -> Principal:
        identity = await admit(request)
        if identity.principal is None:
            raise SignInNeeded(gettext("Sign in first, or send a valid API token."))
        if identity.principal.must_enrol and not request.url.path.startswith(_ENROLMENT_PATHS):
            raise SecondFactorNeeded
        if not self.admits(identity.principal, request.path_params) and self.permission is not None:
            identity.principal.require(self.permission)
        await check_csrf(request, identity)
        request.state.guard = self
        return identity.principal

    def admits(self, principal: Principal, path_params: Mapping[str, str]) -> bool:
        """Whether the principal's rights are enough for a route with these values in its path."""
        if self.permission is None or principal.may(self.permission):
            return True
        return self.at_desk is not None and principal.may(desk_permission(path_params["desk"], self.at_desk))

    async def would_admit(self, request: Request) -> bool:
        """Whether the caller would be admitted now; for streams that outlive the check of their request."""
        try:
            principal = (await load_identity(request)).principal
        except SignInNeeded:
            return False
        return principal is not None and not principal.must_enrol and self.admits(principal, request.path_params)


class PublicGuard:
    """A dependency for public routes: it only applies the rate limit and refuses forms from other sites."""

    async def __call__(self, request: Request) -> Principal | None:
        identity = await admit(request)
        check_origin(request)
        principal = identity.principal
        # Whoever must set up a second factor first sees what everybody sees.
        return None if principal is not None and principal.must_enrol else principal


def route_guard(route: APIRoute) -> Guard | PublicGuard | None:
    """The guard that a route names."""
    calls = (dependency.call for dependency in route.dependant.dependencies)
    return next((call for call in calls if isinstance(call, Guard | PublicGuard)), None)


def require(permission: str) -> Any:
    """Declare that a route needs a permission; the value is the principal."""
    return Depends(Guard(permission))


def require_for_desk(permission: str, action: str) -> Any:
    """Declare that a route needs a permission, or the right to an action at the desk in its path."""
    return Depends(Guard(permission, at_desk=action))


def signed_in() -> Any:
    """Declare that a route needs any signed-in principal, which is the value."""
    return Depends(Guard(None))


def public() -> Any:
    """Declare that a route is public; the value is the principal or None."""
    return Depends(PublicGuard())


async def admit(request: Request) -> Identity:
    """Identify the caller and apply the rate limit; an invalid credential counts against its address."""
    try:
        identity = await identify(request)
    except SignInNeeded:
        await _apply_rate_limit(request, Identity())
        raise
    await _apply_rate_limit(request, identity)
    return identity


async def _apply_rate_limit(request: Request, identity: Identity) -> None:
    """Count the request once against its principal or address; the allowance goes into the response headers."""
    if get_allowance(request.scope.get("state", {})) is not None:
        return
    person = identity.principal
    caller = f"user:{person.user_id}" if person else address_key(client_address(request))
    request.state.allowance = allowance = await get_state(request).limiter.spend(caller)
    if wait := allowance.wait_seconds:
        raise TooMany(gettext("Too many requests at once; try again in %(wait)s s.", wait=wait), wait)


def get_allowance(state: dict[str, object]) -> Allowance | None:
    """The allowance of the request; None if the route has no guard."""
    allowance = state.get("allowance")
    return allowance if isinstance(allowance, Allowance) else None
