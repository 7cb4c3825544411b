"""Answers that any cache may keep: tags that are known before a page is rendered, 304, compression, rendered pages.

Nothing here looks at a cookie or a person, and the only request headers that matter are If-None-Match and
Accept-Encoding.
"""

import gzip
import hashlib
from collections import OrderedDict
from datetime import UTC, datetime
from email.utils import format_datetime

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

MAX_AGE, STALE = 60, 300
CACHED = f"public, max-age={MAX_AGE}, stale-while-revalidate={STALE}"
BRIEFLY = "public, max-age=30"
NEVER = "no-store"
NOT_MODIFIED = 304
# Anybody's page may read what anybody may read; there are no credentials to misuse.
READABLE_ANYWHERE = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Retry-After",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
_LEAST_COMPRESSED = 1024
_GZIP_LEVEL = 5


class RenderedPages:
    """The bodies of pages rendered lately by their tag, which says everything that is in them.

    Whether a page is still the same is asked each time; what is saved is the rendering.
    """

    def __init__(self, max_bytes: int = 16 * 1024 * 1024) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._bodies: OrderedDict[str, bytes] = OrderedDict()

    def get(self, tag: str) -> bytes | None:
        if (body := self._bodies.get(tag)) is not None:
            self._bodies.move_to_end(tag)
        return body

    def put(self, tag: str, body: bytes) -> None:
        """Keep a body; those used longest ago make room."""
        if tag in self._bodies or len(body) > self._max_bytes // 4:
            return
        self._bodies[tag] = body
        self._bytes += len(body)
        while self._bytes > self._max_bytes:
            _, old = self._bodies.popitem(last=False)
            self._bytes -= len(old)


def weak_tag(*content: object) -> str:
    """A tag for everything that an answer follows from; weak, since a compressed answer has the same."""
    return f'W/"{hashlib.sha256(repr(content).encode()).hexdigest()[:32]}"'


def is_cached(request: Request, tag: str) -> bool:
    """Whether the client has what the tag names."""
    tags = request.headers.get("If-None-Match", "")
    opaque = tag.removeprefix("W/")
    return tags.strip() == "*" or opaque in {text.strip().removeprefix("W/") for text in tags.split(",")}


def cacheable_headers(tag: str, modified: datetime | None) -> dict[str, str]:
    """The headers of an answer that may be kept and asked for again."""
    headers = {"ETag": tag, "Cache-Control": CACHED, "Vary": "Accept-Encoding"}
    if modified is not None:
        headers["Last-Modified"] = format_datetime(modified.astimezone(UTC), usegmt=True)
    return headers


def compress(request: Request, response: Response) -> Response:
    """The response, compressed if the client takes that and it is worth it; there is no secret in it to guess at."""
    if isinstance(response, StreamingResponse):
        return response
    body = bytes(response.body)
    is_image = response.headers.get("Content-Type", "").startswith("image/png")
    is_done = "Content-Encoding" in response.headers or len(body) < _LEAST_COMPRESSED or is_image
    if is_done or "gzip" not in request.headers.get("Accept-Encoding", ""):
        return response
    response.body = gzip.compress(body, _GZIP_LEVEL, mtime=0)
    response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(response.body))
    return response
