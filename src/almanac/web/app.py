"""The application factory: routes of the platform and of every desk, middleware, error translation."""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from almanac import __version__
from almanac.config import Settings
from almanac.http.api_models import API_PREFIX
from almanac.http.app_state import AppState
from almanac.http.cookies import Cookies
from almanac.http.desk import Desk
from almanac.http.error_handlers import UnhandledErrorMiddleware, install_error_handlers
from almanac.http.head_requests import HeadMiddleware
from almanac.http.jinja import Templates
from almanac.http.local_access import LocalNamesMiddleware
from almanac.http.middleware import BodyLimitMiddleware, BodySizeLimit, RequestIdMiddleware, SecurityHeadersMiddleware
from almanac.http.rate_limit.limiter import RateLimiter
from almanac.http.rate_limit.store import StoredBuckets
from almanac.http.routing import RouteIndex, RoutePart
from almanac.public.site import PublicSite
from almanac.services import Services
from almanac.web import operations
from almanac.web.api import DESK_APIS, PROBLEMS, api
from almanac.web.assets import PREFIX, Assets
from almanac.web.metrics import Metrics, MetricsMiddleware
from almanac.web.openapi import add_openapi_route
from almanac.web.pages import DESK_PAGES, PAGES
from almanac.web.pages.styleguide import pages as styleguide
from almanac.web.public_side import PublicSideMiddleware, build_form_door, build_public_site

# The provider's answer to a sign-in holds a code that is good for one use.
USED_UP_BY_GET = ("/sign-in/single/return",)
TEMPLATES = Path(str(files("almanac.web"))) / "templates"
PUBLIC_TEMPLATES = Path(str(files("almanac.public"))) / "templates"
DAY = 24 * 3600


class AlmanacApp(FastAPI):
    """An application that loads the pages and API of a desk at the first request for them."""

    load_rest: Callable[[], Sequence[BaseRoute]] | None = None

    @property
    def routes(self) -> list[BaseRoute]:
        """Every route, all of them loaded now."""
        if self.load_rest is not None:
            load, self.load_rest = self.load_rest, None
            self.router.routes.extend(load())
        return self.router.routes

    async def answer_by_router(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by trying every route, as FastAPI does."""
        if scope["type"] == "http":
            _ = self.routes
        await self.router.app(scope, receive, send)


def create_app(services: Services, desks: Sequence[Desk]) -> FastAPI:
    """Build the web application on these services, without the desks that are switched off. The caller opens and closes
    the services.
    """
    desks = tuple(desk for desk in desks if desk.name in services.settings.enabled_desks)
    app = AlmanacApp(
        title="Almanac", version=__version__, openapi_url=None, docs_url=None, redoc_url=None, lifespan=_lifespan
    )
    assets, metrics = Assets(), Metrics()
    app.state.almanac = _app_state(services, desks, assets)
    app.state.metrics = metrics
    app.state.assets = assets
    _add_routes(app, desks, assets, development=services.settings.development)
    install_error_handlers(app)
    _add_middleware(app, services, metrics, _public_site(app, services, desks, assets))
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Only servers run it; what is open at the end is settled while the database still answers."""
    yield
    state: AppState = app.state.almanac
    await state.limiter.close()
    if app.state.public_limiter is not None:
        await app.state.public_limiter.close()


def _public_site(app: FastAPI, services: Services, desks: Sequence[Desk], assets: Assets) -> PublicSite | None:
    """The public side, which shares templates and processes with the private one and nothing else; None if nothing is
    public.
    """
    app.state.public_limiter = None
    settings, ports = services.settings, services.read_ports
    if ports is None:
        return None
    app.state.public_limiter = limiter = RateLimiter(
        settings.public_rate_limit_per_minute, services.clock, StoredBuckets(services.database)
    )
    templates = app.state.almanac.templates
    return build_public_site(
        settings,
        desks,
        ports,
        templates=templates,
        assets=assets,
        limiter=limiter,
        door=build_form_door(services, desks),
    )


def _app_state(services: Services, desks: Sequence[Desk], assets: Assets) -> AppState:
    settings = services.settings
    return AppState(
        services=services,
        desks=desks,
        templates=Templates(
            [TEMPLATES, PUBLIC_TEMPLATES, *(desk.templates for desk in desks)],
            asset=assets.url,
            clock=services.clock,
            reload_changes=settings.development,
        ),
        cookies=Cookies(
            secure=settings.public_url.startswith("https:"),
            key=services.key("flash"),
            session_seconds=settings.session_days * DAY,
        ),
        limiter=RateLimiter(settings.rate_limit_per_minute, services.clock, StoredBuckets(services.database)),
    )


def _add_routes(app: AlmanacApp, desks: Sequence[Desk], assets: Assets, *, development: bool) -> None:
    own = app.router.routes
    own.append(Route(PREFIX + "{path:path}", assets.answer, methods=["GET"]))
    add_openapi_route(app)
    app.load_rest = partial(_routes, tuple(desks), development=development)
    app.router.middleware_stack = RouteIndex(
        app.answer_by_router,
        [
            RoutePart(partial(list, own)),
            RoutePart(partial(_platform_routes, tuple(desk.name for desk in desks), development=development)),
            *(RoutePart(partial(_desk_routes, desk), desk.path_prefixes) for desk in desks),
        ],
    )


@cache
def _platform_routes(names: tuple[str, ...], *, development: bool) -> Sequence[BaseRoute]:
    routers = (operations.router, *_platform_apis(names), *_platform_pages(names, development=development))
    return [route for router in routers for route in router.routes]


def _desk_routes(desk: Desk) -> Sequence[BaseRoute]:
    return [*desk.api.routes, *desk.pages.routes]


def _platform_apis(names: Collection[str]) -> list[APIRouter]:
    return [*(router for desk, router in DESK_APIS.items() if desk in names), api]


def _platform_pages(names: Collection[str], *, development: bool) -> list[APIRouter]:
    with_desks = (router for desk, router in DESK_PAGES.items() if desk in names)
    return [*with_desks, *PAGES, *([styleguide] if development else [])]


@cache
def _routes(desks: tuple[Desk, ...], *, development: bool) -> Sequence[BaseRoute]:
    """All routes of the platform and of the desks as FastAPI knows them, shared by the applications of a process: for
    the OpenAPI document, and for what needs more than finding a route.
    """
    router = APIRouter()
    router.include_router(operations.router, include_in_schema=False)
    names = {desk.name for desk in desks}
    for api_router in (*(desk.api for desk in desks), *_platform_apis(names)):
        router.include_router(api_router, responses=PROBLEMS)
    for pages in (*(desk.pages for desk in desks), *_platform_pages(names, development=development)):
        router.include_router(pages, include_in_schema=False)
    return router.routes


def _ordinary_limit(settings: Settings) -> BodySizeLimit:
    return BodySizeLimit(settings.max_body_mb, "ALMANAC_MAX_BODY_MB")


def _file_limits(settings: Settings) -> dict[str, BodySizeLimit]:
    """A file for the knowledge base may be larger than other requests."""
    knowledge = BodySizeLimit(settings.knowledge_max_mb, "ALMANAC_KNOWLEDGE_MAX_MB")
    largest = max(_ordinary_limit(settings), knowledge, key=lambda limit: limit.megabytes)
    return dict.fromkeys(("/knowledge", f"{API_PREFIX}/knowledge"), largest)


def _add_middleware(app: FastAPI, services: Services, metrics: Metrics, site: PublicSite | None) -> None:
    """The middleware added last is the outermost."""
    app.add_middleware(
        BodyLimitMiddleware, limit=_ordinary_limit(services.settings), files=_file_limits(services.settings)
    )
    app.add_middleware(PublicSideMiddleware, settings=services.settings, site=site)
    app.add_middleware(UnhandledErrorMiddleware)
    app.add_middleware(HeadMiddleware, used_up=USED_UP_BY_GET)
    app.add_middleware(SecurityHeadersMiddleware, https=services.settings.public_url.startswith("https:"))
    if services.settings.single_user:
        app.add_middleware(LocalNamesMiddleware)
    app.add_middleware(MetricsMiddleware, metrics=metrics)
    app.add_middleware(RequestIdMiddleware)
