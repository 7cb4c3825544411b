"""Request counts and durations for Prometheus, and the access log. Both name routes, never values from a URL."""

import logging
import os
from collections.abc import Callable
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from almanac.http.auth import get_allowance
from almanac.kit.trace import Span, span

# Where it is set, the library adds up the values of several processes in files there.
_SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10)
log = logging.getLogger("almanac.access")


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "almanac_requests_total", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "almanac_request_seconds", "Time to answer.", ("route",), buckets=_BUCKETS, registry=self.registry
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a finished request."""
        self.requests.labels(method, route, status).inc()
        self.seconds.labels(route).observe(seconds)

    def text(self, scraped: Collector) -> bytes:
        """All metrics in Prometheus' text format: those of this process and of those that share its port, and what was
        read for this scrape.
        """
        registry = CollectorRegistry()
        registry.register(scraped)
        return generate_latest(_every_process() or self.registry) + generate_latest(registry)


def _every_process() -> CollectorRegistry | None:
    """The sums of all web processes, also of those that died; None where there is only this one."""
    if not (folder := os.environ.get(_SHARED_FOLDER)):
        return None
    registry = CollectorRegistry()
    collect: Callable[[CollectorRegistry, str], Collector] = MultiProcessCollector
    collect(registry, folder)
    return registry


class MetricsMiddleware:
    """ASGI middleware that measures and logs each request and adds the rate-limit headers."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = perf_counter()
        status = 500

        async def send_measured(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if (allowance := get_allowance(scope.get("state", {}))) is not None:
                    message["headers"] += [(k.lower().encode(), v.encode()) for k, v in allowance.headers().items()]
            await send(message)

        with span("request") as traced:
            try:
                await self.app(scope, receive, send_measured)
            finally:
                self._note(scope, status, perf_counter() - started, traced)

    def _note(self, scope: Scope, status: int, seconds: float, traced: Span) -> None:
        route = str(getattr(scope.get("route"), "path", "unknown"))
        # Clients can send any method name, and each would become a label that is kept for ever.
        method = scope["method"] if scope["method"] in _METHODS else "other"
        traced.rename(f"{method} {route}")
        traced.note(method=method, route=route, status=status)
        self._metrics.observe(method, route, status, seconds)
        level = logging.DEBUG if route in ("/healthz", "/static/{path:path}") else logging.INFO
        log.log(
            level,
            "request",
            extra={
                "method": method,
                "route": route,
                "status": status,
                "milliseconds": round(seconds * 1000, 1),
            },
        )
