"""Answers for people: full pages in the frame, fragments, redirects with a message, and error pages."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from almanac.accounts.model import Principal
from almanac.errors import AlmanacError
from almanac.http.cookies import FLASH, THEME, Flash
from almanac.http.desk import MOST_WAITING, Desk
from almanac.http.identity import Identity, identify
from almanac.http.problems import Problem
from almanac.http.surface import Surface, surface_of
from almanac.jobs import QueueCounts
from almanac.kit.logs import request_id
from almanac.services import Services

_PATIENCE_SECONDS = 1.0
THEMES = ("light", "dark", "system")
TOOLS = (
    ("saved.read", "/saved", "saved", "Saved queries"),
    ("desk.newsletter.read", "/knowledge", "book", "Knowledge"),
    ("jobs.read", "/jobs", "jobs", "Jobs"),
    ("mail.read", "/mail", "mail", "Mail"),
    ("users.manage", "/people", "people", "People"),
    ("webhooks.manage", "/webhooks", "webhook", "Webhooks"),
    ("models.read", "/models", "screen", "Models"),
    ("audit.read", "/audit", "audit", "Audit log"),
)


@dataclass(frozen=True, slots=True)
class JobCounts:
    """What the top bar says about jobs."""

    running: int
    failed: int


@dataclass(frozen=True, slots=True)
class DeskLink:
    """A desk in the navigation, with how much waits there."""

    desk: Desk
    waiting: int
    current: bool

    @property
    def many(self) -> str:
        """How much waits, as people read it."""
        return str(self.waiting) if self.waiting < MOST_WAITING else f"{MOST_WAITING}+"


async def page(request: Request, template: str, /, *, status_code: int = 200, **values: object) -> HTMLResponse:
    """A full page. Templates find the person, theme, zone, CSRF token and flash message beside their own values.

    A page in another language than the frame passes its own `language`.
    """
    surface = surface_of(request)
    identity = await identify(request)
    frame = await _frame(request, surface, identity)
    response = HTMLResponse(surface.templates.render(template, **{**frame, **values}), status_code)
    if FLASH in request.cookies:
        surface.cookies.drop_flash(response)
    return response


def fragment(request: Request, template: str, /, **values: object) -> str:
    """A piece of a page, for events and in-place updates."""
    return surface_of(request).templates.render(template, **values)


def redirect(request: Request, path: str, flash: Flash | None = None) -> Response:
    """Send the browser on after a change, with a word about it."""
    response = RedirectResponse(path, status_code=303)
    if flash is not None:
        surface_of(request).cookies.keep_flash(response, flash)
    return response


def local_path(path: str | None, default: str = "/") -> str:
    """A path on this site; anything that could lead a browser elsewhere becomes the default."""
    safe = path and path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if safe and path else default


async def error_page(request: Request, problem: Problem, **values: object) -> HTMLResponse:
    """A problem as a page in the frame where somebody is signed in, and alone where nobody is."""
    return await page(request, "error.html", status_code=problem.status, problem=problem, **values)


def bare_error_page(surface: Surface, problem: Problem) -> HTMLResponse:
    """A problem as a page that needs nothing but its template, for when the rest can't be relied on."""
    values: Mapping[str, object] = {"principal": None, "theme": "system", "flash": None, "request_id": request_id.get()}
    return HTMLResponse(surface.templates.render("error.html", problem=problem, **values), problem.status)


async def _frame(request: Request, surface: Surface, identity: Identity) -> dict[str, object]:
    principal = identity.principal
    settings = surface.services.settings
    return {
        "principal": principal,
        "csrf": identity.csrf(),
        "theme": _theme(request, principal),
        # A page whose words are in another language says so itself; what a person prefers changes no words here.
        "language": "en",
        "zone": (principal.preferences.time_zone if principal else None) or settings.time_zone,
        "flash": surface.cookies.flash_in(request.cookies),
        "desk_links": await _desk_links(request, surface, principal) if principal else [],
        "tools": TOOLS,
        "title_of": surface.services.jobs.title_of,
        "path": request.url.path,
        "request_id": request_id.get(),
        "development": settings.development,
        "job_counts": await _recent_job_counts(surface, principal) if principal else None,
    }


def _theme(request: Request, principal: Principal | None) -> str:
    chosen = principal.preferences.theme if principal else request.cookies.get(THEME, "system")
    return chosen if chosen in THEMES else "system"


async def _desk_links(request: Request, surface: Surface, principal: Principal) -> list[DeskLink]:
    shown = [desk for desk in surface.desks if principal.may(desk.read_permission)]
    counts = await asyncio.gather(*(_count(surface.services, desk, principal) for desk in shown))
    here = "/" + request.url.path.split("/")[1]
    return [DeskLink(desk, count, desk.path == here) for desk, count in zip(shown, counts, strict=True)]


async def _count(services: Services, desk: Desk, principal: Principal) -> int:
    """How much waits at a desk. One that can't tell soon costs its number, not every page of the product."""
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return await desk.waiting(services, principal)
    except (AlmanacError, TimeoutError):
        return 0


async def job_counts(services: Services, principal: Principal) -> JobCounts | None:
    """How many jobs run and failed, for those who may know."""
    return _summed(await services.jobs.counts()) if principal.may("jobs.read") else None


async def _recent_job_counts(surface: Surface, principal: Principal) -> JobCounts | None:
    if not principal.may("jobs.read"):
        return None
    return _summed(await surface.queue_counts.get(surface.services.jobs.counts))


def _summed(queues: list[QueueCounts]) -> JobCounts:
    return JobCounts(sum(queue.running for queue in queues), sum(queue.failed for queue in queues))
