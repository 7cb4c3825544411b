"""Almanac as an installed app: the web manifest, the service worker, and the page shown without a connection."""

import hashlib
import json
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from almanac import __version__
from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import public
from almanac.http.language_choice import accepted_language
from almanac.http.pages import render_page
from almanac.kit.catalogs import language_tag
from almanac.kit.messages import translate
from almanac.web.assets import FOLDER, WORKER_SCRIPTS, Assets

pages = APIRouter()
OFFLINE_PATH = "/offline"
THEME_COLOUR = "#3d46b5"
_GROUND = "#faf9f7"
_SHORT_NAME_CHARACTERS = 12
_ICONS = (("icon", "any"), ("maskable", "maskable"))
_SIZES = (192, 512)
# Both must be asked for again each time: they lead to everything else.
_ALWAYS_CHECKED = {"Cache-Control": "no-cache"}

Anybody = Annotated[Principal | None, public()]


@pages.get("/manifest.webmanifest")
async def show_manifest(request: Request, _principal: Anybody) -> Response:
    """The web manifest. Browsers fetch it without a session, so its shortcuts are all desks that are switched on."""
    state, assets = get_state(request), _assets(request)
    name = state.services.settings.organisation or "Almanac"
    # Fetched without a session: only the browser tells the language.
    language = accepted_language(request.headers.get("Accept-Language", ""))
    manifest = {
        "lang": language_tag(language),
        "id": "/",
        "name": name,
        "short_name": name if len(name) <= _SHORT_NAME_CHARACTERS else "Almanac",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": _GROUND,
        "theme_color": THEME_COLOUR,
        "icons": [
            {
                "src": assets.url(f"icons/{file}-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for file, purpose in _ICONS
            for size in _SIZES
        ],
        "shortcuts": [{"name": translate(desk.title, language), "url": desk.path} for desk in state.desks],
    }
    headers = _ALWAYS_CHECKED | {"Vary": "Accept-Language"}
    return JSONResponse(manifest, headers=headers, media_type="application/manifest+json")


@pages.get("/service-worker.js")
async def show_service_worker(request: Request, _principal: Anybody) -> Response:
    """The service worker. Its first line holds the version, so that browsers notice each release."""
    assets = _assets(request)
    parts = [(FOLDER / "worker" / f"{name}.js").read_text("utf-8") for name in WORKER_SCRIPTS]
    values = {
        "ASSETS": assets.shell_urls(),
        "OFFLINE": OFFLINE_PATH,
        "ICON": assets.url("icons/icon-192.png"),
        "BADGE": assets.url("icons/badge-96.png"),
    }
    constants = [f"const {name} = {json.dumps(value)};" for name, value in values.items()]
    digest = hashlib.sha256("\n".join((*constants, *parts)).encode()).hexdigest()[:12]
    script = "\n".join((f'const VERSION = "{__version__}-{digest}";', *constants, *parts))
    return Response(script, headers=_ALWAYS_CHECKED, media_type="text/javascript")


@pages.get(OFFLINE_PATH)
async def show_offline(request: Request, _principal: Anybody) -> Response:
    """The page that the service worker shows while the server can't be reached; another language couldn't be either."""
    return await render_page(request, "offline.html", language_links=[])


def _assets(request: Request) -> Assets:
    assets: Assets = request.app.state.assets
    return assets
