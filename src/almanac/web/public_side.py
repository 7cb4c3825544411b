"""Puts the public side beside the private application: which requests are its own, and robots.txt for both."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from almanac.accounts.throttle import address_key
from almanac.config import PUBLIC_PATH, Settings
from almanac.errors import NotFound
from almanac.http.auth import client_address
from almanac.http.desk import Desk
from almanac.http.jinja import Templates
from almanac.http.language_choice import accepted_language
from almanac.http.rate_limit.forms import StoredFormGate
from almanac.http.rate_limit.limiter import RateLimiter
from almanac.kit.catalogs import SOURCE_LANGUAGE
from almanac.kit.messages import gettext
from almanac.public import PublicPart
from almanac.public.feeds import FEEDS_PART
from almanac.public.form_door import FormDoor
from almanac.public.links import PublicLinks, join_path
from almanac.public.renderer import PublicFrame, PublicRenderer
from almanac.public.site import PublicSite, robots_text
from almanac.public.status import STATUS_PART
from almanac.read_ports import ReadPorts
from almanac.saved import SavedQuery
from almanac.services import Services
from almanac.web.assets import PREFIX, Assets

PLATFORM_PARTS: tuple[PublicPart, ...] = (FEEDS_PART, STATUS_PART)
_STYLE, _ICON = "public.css", "icon.svg"
_ROBOTS = "/robots.txt"
_LISTED = 50


def list_public_parts(settings: Settings, desks: Sequence[Desk]) -> list[PublicPart]:
    """What anyone may read, in the order of the settings."""
    offered = {part.name: part for part in [desk.public_part for desk in desks] if part is not None}
    offered |= {part.name: part for part in PLATFORM_PARTS}
    return [offered[name] for name in settings.public_parts if name in offered]


def build_public_links(settings: Settings) -> PublicLinks:
    """The addresses of the public side."""
    return PublicLinks.build(settings.public_side_url, settings.public_url)


def public_feed_url(settings: Settings, saved: SavedQuery) -> str:
    """Where anyone reads a saved query; empty if it is private."""
    if saved.public_name is None:
        return ""
    return build_public_links(settings).whole(SOURCE_LANGUAGE, f"{FEEDS_PART.home}{join_path(saved.public_name)}")


@dataclass(frozen=True, slots=True)
class PublicSummary:
    """A part of the public side as administrators see it: its first page, how many pages it has, and the first few."""

    title: str
    url: str
    pages: int
    addresses: list[str]


async def summarize_public(services: Services, desks: Sequence[Desk]) -> list[PublicSummary]:
    """What anyone can read, part by part; empty if nothing."""
    ports, links = services.read_ports, build_public_links(services.settings)
    if ports is None:
        return []
    return [
        PublicSummary(
            part.title,
            links.whole(SOURCE_LANGUAGE, part.home),
            await part.count_pages(ports),
            [links.whole(SOURCE_LANGUAGE, entry.path) for entry in await part.sitemap(ports, 0, _LISTED)],
        )
        for part in list_public_parts(services.settings, desks)
    ]


def build_public_site(
    settings: Settings,
    desks: Sequence[Desk],
    ports: ReadPorts,
    *,
    templates: Templates,
    assets: Assets,
    limiter: RateLimiter,
    door: FormDoor,
) -> PublicSite:
    """The public side as an application of its own."""
    parts, links = list_public_parts(settings, desks), build_public_links(settings)
    frame = PublicFrame(settings.organisation or "Almanac", parts, assets.url(_STYLE), assets.url(_ICON))
    served = {assets.url(name).removeprefix(PREFIX) for name in (_STYLE, _ICON)}

    async def serve_static(request: Request, path: str) -> Response:
        if path not in served:
            raise NotFound(gettext("This file doesn't exist."))
        return await assets.answer(Request({**request.scope, "path_params": {"path": path}}))

    return PublicSite(
        parts=parts,
        ports=ports,
        links=links,
        renderer=PublicRenderer(templates, links, frame),
        limiter=limiter,
        caller_of=lambda request: f"public {address_key(client_address(request))}",
        choose_language=accepted_language,
        static=serve_static,
        door=door,
    )


def build_form_door(services: Services, desks: Sequence[Desk]) -> FormDoor:
    """The door for forms. Each receiver is bound to the services here, so the public side holds a verb and no more."""
    settings = services.settings
    receivers = {name: partial(take, services) for desk in desks for name, take in desk.form_receivers.items()}
    addresses = (urlsplit(url) for url in (settings.public_side_url, settings.public_url))
    return FormDoor(
        receivers=receivers,
        gate=StoredFormGate(services.database, services.clock, services.key("form senders")),
        origins=frozenset(f"{address.scheme}://{address.netloc}" for address in addresses),
        caller_of=lambda request: address_key(client_address(request)),
    )


class PublicSideMiddleware:
    """ASGI middleware that gives the public side its requests before the private application sees them.

    They are those below /public, and all of its own host if it has one. Without a site nothing is public.
    """

    def __init__(self, app: ASGIApp, *, settings: Settings, site: PublicSite | None) -> None:
        self.app = app
        self._site = site
        public, private = urlsplit(settings.public_side_url), urlsplit(settings.public_url)
        self._own_host = public.netloc.lower() if site and public.netloc != private.netloc else ""
        self._own_path = public.path.rstrip("/")
        is_here = site is not None and not self._own_host
        self._robots = robots_text(build_public_links(settings) if is_here else None, self._own_path)
        self._own_robots = robots_text(build_public_links(settings), self._own_path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        is_own = bool(self._own_host) and Headers(scope=scope).get("host", "").lower() == self._own_host
        if path == _ROBOTS:
            await (self._own_robots if is_own else self._robots)(scope, receive, send)
        elif self._site is not None and (is_own or _is_below(path, PUBLIC_PATH)):
            prefix = PUBLIC_PATH if _is_below(path, PUBLIC_PATH) else self._own_path
            inner = {**scope, "path": path.removeprefix(prefix) or "/"}
            await self._site(inner, receive, send)
            scope["route"] = inner.get("route")
        else:
            await self.app(scope, receive, send)


def _is_below(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}/")
