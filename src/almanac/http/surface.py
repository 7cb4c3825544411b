"""What one running web surface holds: the services, the desks, the page renderer, cookies and the rate limiter."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from almanac.http.cookies import Cookies
from almanac.http.desk import Desk
from almanac.http.rate_limit import RateLimiter
from almanac.http.templating import Templates
from almanac.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """Set on the application once by its factory; read by guards and pages."""

    services: Services
    desks: Sequence[Desk]
    templates: Templates
    cookies: Cookies
    limiter: RateLimiter


def surface_of(connection: HTTPConnection) -> Surface:
    """The surface that a request came to."""
    surface: Surface = connection.app.state.surface
    return surface
