"""Guards: every route names what it takes to use it. A test refuses a route that declares none."""

from typing import Any

from fastapi import Depends
from fastapi.routing import APIRoute
from starlette.requests import Request

from almanac.accounts.model import Principal
from almanac.accounts.throttle import address_key
from almanac.errors import SignInNeeded, TooMany
from almanac.http.identity import Identity, check_csrf, check_origin, identify, identify_anew
from almanac.http.rate_limit import Allowance
from almanac.http.surface import surface_of
from almanac.http.visits import address_of


class Guard:
    """A dependency that lets through principals with a permission (any signed-in one if there is no name)."""

    def __init__(self, permission: str | None) -> None:
        self.permission = permission

    async def __call__(self, request: Request) -> Principal:
        identity = await admit(request)
        if identity.principal is None:
            raise SignInNeeded("Sign in first, or send a valid API token.")
        if self.permission is not None:
            identity.principal.require(self.permission)
        await check_csrf(request, identity)
        request.state.guard = self
        return identity.principal

    async def would_admit(self, request: Request) -> bool:
        """Whether whoever sent the request would get in now, for an answer that goes on long after it was asked for."""
        try:
            principal = (await identify_anew(request)).principal
        except SignInNeeded:
            return False
        return principal is not None and (self.permission is None or principal.may(self.permission))


class PublicGuard:
    """A dependency for routes open to everybody: it only slows floods and refuses forms from other sites."""

    async def __call__(self, request: Request) -> Principal | None:
        identity = await admit(request)
        check_origin(request)
        return identity.principal


def guard_of(route: APIRoute) -> Guard | PublicGuard | None:
    """The guard that a route names."""
    calls = (dependency.call for dependency in route.dependant.dependencies)
    return next((call for call in calls if isinstance(call, Guard | PublicGuard)), None)


def require(permission: str) -> Any:
    """Declare that a route needs a permission; the value is the principal."""
    return Depends(Guard(permission))


def signed_in() -> Any:
    """Declare that a route needs somebody, whoever it is; the value is the principal."""
    return Depends(Guard(None))


def public() -> Any:
    """Declare that a route is open to everybody; the value is the principal or None."""
    return Depends(PublicGuard())


async def admit(request: Request) -> Identity:
    """Find out who is asking and count the request; a wrong credential counts against its address."""
    try:
        identity = await identify(request)
    except SignInNeeded:
        _spend(request, Identity())
        raise
    _spend(request, identity)
    return identity


def _spend(request: Request, identity: Identity) -> None:
    """Count the request, once, against its principal or address, and note what is left for the answer's headers."""
    if allowance_of(request.scope.get("state", {})) is not None:
        return
    person = identity.principal
    caller = f"user:{person.user_id}" if person else address_key(address_of(request))
    request.state.allowance = allowance = surface_of(request).limiter.spend(caller)
    if wait := allowance.wait_seconds:
        raise TooMany(f"Too many requests at once; try again in {wait} s.", wait)


def allowance_of(state: dict[str, object]) -> Allowance | None:
    """What was noted, if the route has a guard."""
    noted = state.get("allowance")
    return noted if isinstance(noted, Allowance) else None
