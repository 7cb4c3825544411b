"""Static files under URLs that contain their hash, so that browsers can cache them for ever.

Style sheets are joined into one file, and so are scripts.
"""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath

from starlette.requests import Request
from starlette.responses import Response

from almanac.errors import NotFound
from almanac.kit.messages import gettext

FOLDER = Path(str(files("almanac.web"))) / "static"
STYLE_SHEETS = (
    "tokens",
    "base",
    "layout",
    "components",
    "charts",
    "home",
    "wizard",
    "setup",
    "notifications",
    "forms",
    "queue",
    "lists",
    "recap",
    "habits",
    "news",
    "reader",
    "palette",
    "why",
    "keys",
)
PUBLIC_STYLE_SHEETS = ("tokens", "base", "components", "lists", "recap", "public")
SCRIPTS = (
    "almanac",
    "dialogs",
    "focus",
    "keys",
    "day",
    "autosave",
    "reorder",
    "reader",
    "queue",
    "speeches",
    "suggestions",
    "habits",
    "passkeys",
    "setup",
    "installation",
    "palette",
    "push",
)
# The service worker's parts; work without a connection gets a file of its own.
WORKER_SCRIPTS = ("shell", "push")
PREFIX = "/static/"
_IMMUTABLE = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file with its headers."""

    content: bytes
    compressed: bytes
    media_type: str


class Assets:
    """Every static file, read once when the application is created."""

    def __init__(self) -> None:
        self._by_path: dict[str, Asset] = {}
        self._paths: dict[str, str] = {}
        sheets = [(FOLDER / "css" / f"{name}.css").read_bytes() for name in STYLE_SHEETS]
        self._add("almanac.css", b"\n".join(sheets))
        public_sheets = [(FOLDER / "css" / f"{name}.css").read_bytes() for name in PUBLIC_STYLE_SHEETS]
        self._add("public.css", b"\n".join(public_sheets))
        scripts = [(FOLDER / "js" / f"{name}.js").read_bytes() for name in SCRIPTS]
        self._add("almanac.js", b"\n".join(scripts))
        self._add("icon.svg", (FOLDER / "icon.svg").read_bytes())
        for path in (*sorted((FOLDER / "vendor").rglob("*.js")), *sorted((FOLDER / "icons").glob("*.png"))):
            self._add(path.relative_to(FOLDER).as_posix(), path.read_bytes())

    def url(self, name: str) -> str:
        """The URL of a file, by the name that templates use."""
        return PREFIX + self._paths[name]

    def shell_urls(self) -> list[str]:
        """The URLs of what every page needs, which a service worker keeps."""
        return [self.url(name) for name in sorted(self._paths) if not name.startswith("icons/")]

    async def answer(self, request: Request) -> Response:
        """Serve the file behind a hashed name."""
        asset = self._by_path.get(request.path_params["path"])
        if asset is None:
            raise NotFound(gettext("This file doesn't exist."))
        headers = {"Cache-Control": _IMMUTABLE, "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            return Response(
                asset.compressed, headers={**headers, "Content-Encoding": "gzip"}, media_type=asset.media_type
            )
        return Response(asset.content, headers=headers, media_type=asset.media_type)

    def _add(self, name: str, content: bytes) -> None:
        path = PurePosixPath(name)
        hashed = str(path.with_name(f"{path.stem}.{hashlib.sha256(content).hexdigest()[:12]}{path.suffix}"))
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        self._paths[name] = hashed
        self._by_path[hashed] = Asset(content, gzip.compress(content, mtime=0), media_type)
