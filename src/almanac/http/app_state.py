"""The state of a running web application: services, desks, page renderer, cookies and rate limiter."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from almanac.http.cookies import Cookies
from almanac.http.desk import Desk
from almanac.http.jinja import Templates
from almanac.http.rate_limit.limiter import RateLimiter
from almanac.jobs import JobFailure, QueueCounts
from almanac.kit.ttl_cache import TtlCache
from almanac.services import Services

# Every page shows the number of running jobs; its live stream then updates it.
JOB_COUNTS_TTL_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AppState:
    """Set once on the application by its factory; read by guards and pages through `get_state`."""

    services: Services
    desks: Sequence[Desk]
    templates: Templates
    cookies: Cookies
    limiter: RateLimiter
    # Set when the process is stopping: it isn't ready any more, and a little later it ends its live streams.
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    queue_counts: TtlCache[list[QueueCounts]] = field(default_factory=lambda: TtlCache(JOB_COUNTS_TTL_SECONDS))
    open_failures: TtlCache[list[JobFailure]] = field(default_factory=lambda: TtlCache(JOB_COUNTS_TTL_SECONDS))


def get_state(connection: HTTPConnection) -> AppState:
    """The state of the application that handles the request."""
    state: AppState = connection.app.state.almanac
    return state
