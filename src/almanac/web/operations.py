"""Endpoints for monitoring: liveness, readiness and metrics."""

import asyncio
from collections.abc import Awaitable
from hmac import compare_digest
from ipaddress import ip_address

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from almanac.errors import AlmanacError, Unavailable
from almanac.http.app_state import get_state
from almanac.jobs import SCHEMA
from almanac.kit.messages import gettext, ngettext
from almanac.relational import MIGRATIONS, list_pending_migrations
from almanac.services import Services
from almanac.web.metrics import CONTENT_TYPE, Metrics
from almanac.web.scrape import ScrapeCollector, scrape, step_names

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
    """Figures in Prometheus' text format, without personal data; for this machine, or with `ALMANAC_METRICS_TOKEN`."""
    state = get_state(request)
    if (refusal := _refuse(request, state.services.settings.metrics_token)) is not None:
        return refusal
    metrics: Metrics = request.app.state.metrics
    scraped = await scrape(state.services)
    names = state.services.jobs.names
    return Response(metrics.text(ScrapeCollector(scraped, names, step_names(state.desks))), media_type=CONTENT_TYPE)


def _refuse(request: Request, token: str | None) -> Response | None:
    """The answer to whoever has no token, or comes from another machine where none is set; None for the others."""
    if token is None:
        if _is_this_machine(request):
            return None
        sentence = "Metrics are for this machine only; set ALMANAC_METRICS_TOKEN to read them from another."
        return PlainTextResponse(sentence, 403)
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and compare_digest(given.encode(), token.encode()):
        return None
    sentence = "Send the token of ALMANAC_METRICS_TOKEN as a bearer token."
    return PlainTextResponse(sentence, 401, headers={"WWW-Authenticate": "Bearer"})


def _is_this_machine(request: Request) -> bool:
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


async def _require_migrated(services: Services) -> None:
    try:
        missing = await list_pending_migrations(services.database.url, SCHEMA, MIGRATIONS)
    except Unavailable as error:  # its sentence may name a host or a role, and anybody may ask here
        raise AlmanacError(gettext("The database doesn't answer.")) from error
    if missing:
        raise AlmanacError(
            ngettext(
                "%(num)s migrations are not applied; run almanac migrate.",
                "%(num)s migrations are not applied; run almanac migrate.",
                len(missing),
            )
        )


async def _run_check(check: Awaitable[object]) -> str:
    """`ok`, or the reason as a sentence without addresses or credentials."""
    try:
        await asyncio.wait_for(check, _CHECK_TIMEOUT_SECONDS)
    except AlmanacError as error:
        return error.sentence
    except TimeoutError:
        return "No answer in time."
    return "ok"
