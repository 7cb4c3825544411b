"""Where a request comes from, as accounts want to know it when somebody signs in."""

from starlette.requests import Request

from almanac.accounts.model import Visit
from almanac.http.cookies import SESSION


def address_of(request: Request) -> str:
    """The address of the caller; behind a proxy the server puts the forwarded one here."""
    return request.client.host if request.client else "unknown"


def visit_of(request: Request) -> Visit:
    """The visit that a sign-in is part of; the session it replaces ends."""
    return Visit(
        address=address_of(request),
        user_agent=request.headers.get("User-Agent", ""),
        replaces=request.cookies.get(SESSION),
    )
