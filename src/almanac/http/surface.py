"""What one running web surface holds: the services, the desks, the page renderer, cookies and the rate limiter."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from almanac.http.cookies import Cookies
from almanac.http.desk import Desk
from almanac.http.rate_limit import RateLimiter
from almanac.http.templating import Templates
from almanac.jobs import QueueCounts
from almanac.kit.ttl_cache import TtlCache
from almanac.services import Services

# Every page tells how many jobs run; its live stream then says what changes.
COUNTS_STAND_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """Set on the application once by its factory; read by guards and pages."""

    services: Services
    desks: Sequence[Desk]
    templates: Templates
    cookies: Cookies
    limiter: RateLimiter
    queue_counts: TtlCache[list[QueueCounts]] = field(default_factory=lambda: TtlCache(COUNTS_STAND_SECONDS))


def surface_of(connection: HTTPConnection) -> Surface:
    """The surface that a request came to."""
    surface: Surface = connection.app.state.surface
    return surface
