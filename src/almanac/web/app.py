"""The application factory: routes of the platform and of every desk, middleware, error translation."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute, Route

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
from almanac.http.routing import RouteIndex
from almanac.public.site import PublicSite
from almanac.services import Services
from almanac.web import operations
from almanac.web.api import DESK_APIS, PROBLEMS, api
from almanac.web.assets import PREFIX, Assets
from almanac.web.metrics import Metrics, MetricsMiddleware
from almanac.web.openapi import add_openapi_route
from almanac.web.pages import DESK_PAGES, PAGES
from almanac.web.pages.styleguide import pages as styleguide
from almanac.web.public_side import PublicSideMiddleware, build_public_site

# The provider's answer to a sign-in holds a code that is good for one use.
USED_UP_BY_GET = ("/sign-in/single/return",)
TEMPLATES = Path(str(files("almanac.web"))) / "templates"
PUBLIC_TEMPLATES = Path(str(files("almanac.public"))) / "templates"
DAY = 24 * 3600


def create_app(services: Services, desks: Sequence[Desk]) -> FastAPI:
    """Build the web application on these services, without the desks that are switched off. The caller opens and closes
    the services.
    """
    desks = tuple(desk for desk in desks if desk.name in services.settings.enabled_desks)
    app = FastAPI(
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
    return build_public_site(settings, desks, ports, templates=templates, assets=assets, limiter=limiter)


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


def _add_routes(app: FastAPI, desks: Sequence[Desk], assets: Assets, *, development: bool) -> None:
    app.routes.append(Route(PREFIX + "{path:path}", assets.answer, methods=["GET"]))
    routes = _routes(tuple(desks), development=development)
    app.routes.extend(routes)
    app.router.middleware_stack = RouteIndex(app.router.middleware_stack, routes)
    add_openapi_route(app)


@cache
def _routes(desks: tuple[Desk, ...], *, development: bool) -> Sequence[BaseRoute]:
    """The routes of the platform and of the desks, shared by the applications of a process: FastAPI analyses each route
    at the first request, which takes half a second.
    """
    router = APIRouter()
    router.include_router(operations.router, include_in_schema=False)
    names = {desk.name for desk in desks}
    with_desks_api = (router for desk, router in DESK_APIS.items() if desk in names)
    with_desks_pages = (router for desk, router in DESK_PAGES.items() if desk in names)
    for api_router in (*(desk.api for desk in desks), *with_desks_api, api):
        router.include_router(api_router, responses=PROBLEMS)
    for pages in (*(desk.pages for desk in desks), *with_desks_pages, *PAGES, *([styleguide] if development else [])):
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
