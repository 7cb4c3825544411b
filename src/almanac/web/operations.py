"""Endpoints for monitoring: liveness, readiness and metrics."""

import asyncio
from collections.abc import Awaitable

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from almanac.errors import AlmanacError
from almanac.http.app_state import get_state
from almanac.jobs import SCHEMA, JobStatus
from almanac.relational import MIGRATIONS, list_pending_migrations
from almanac.services import Services
from almanac.web.metrics import CONTENT_TYPE, Metrics

router = APIRouter()
_CHECK_TIMEOUT_SECONDS = 5.0


@router.api_route("/healthz", methods=["GET", "HEAD"])
async def report_liveness() -> PlainTextResponse:
    """Report that the process responds; nothing else is checked."""
    return PlainTextResponse("ok")


@router.api_route("/readyz", methods=["GET", "HEAD"])
async def report_readiness(request: Request) -> JSONResponse:
    """Report whether the database, its migrations and the object storage answer, and the process isn't stopping."""
    state = get_state(request)
    if state.draining.is_set():
        return JSONResponse({"status": "stopping"}, 503)
    services = state.services
    names = ("database", "migrations", "objects")
    checks = await asyncio.gather(
        _run_check(services.database.check()),
        _run_check(_require_migrated(services)),
        _run_check(services.objects.check()),
    )
    ready = all(outcome == "ok" for outcome in checks)
    body = {"status": "ready" if ready else "not ready", "checks": dict(zip(names, checks, strict=True))}
    return JSONResponse(body, 200 if ready else 503)


@router.get("/metrics")
async def show_metrics(request: Request) -> Response:
    """Requests, durations and jobs in Prometheus' text format, by route and queue, without personal data."""
    metrics: Metrics = request.app.state.metrics
    queues = await get_state(request).services.jobs.counts()
    # A queue without jobs must not keep its last counts for ever.
    metrics.jobs.clear()
    for counts in queues:
        for status in JobStatus:
            metrics.jobs.labels(counts.queue, status.value).set(getattr(counts, status.value))
    return Response(metrics.text(), media_type=CONTENT_TYPE)


async def _require_migrated(services: Services) -> None:
    if missing := await list_pending_migrations(services.database.url, SCHEMA, MIGRATIONS):
        raise AlmanacError(f"{len(missing)} migrations are not applied; run almanac migrate.")


async def _run_check(check: Awaitable[object]) -> str:
    """`ok`, or the reason as a sentence without addresses or credentials."""
    try:
        await asyncio.wait_for(check, _CHECK_TIMEOUT_SECONDS)
    except AlmanacError as error:
        return error.sentence
    except TimeoutError:
        return "No answer in time."
    return "ok"
