"""Responses with files or feeds."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from almanac.errors import NotFound
from almanac.feeds.model import Feed
from almanac.feeds.writers import FEED_WRITERS
from almanac.http.etags import conditional_response
from almanac.kit.messages import gettext


def attachment_header(name: str) -> dict[str, str]:
    """The Content-Disposition header of a download; any name is safe, and old clients get an ASCII one."""
    plain = "".join(char if char.isascii() and char.isprintable() and char not in '"\\' else "_" for char in name)
    value = f'attachment; filename="{plain}"'
    if plain != name:
        value += f"; filename*=UTF-8''{quote(name, safe='')}"
    return {"Content-Disposition": value}


def download_response(content: bytes | str, name: str, media_type: str, *, vary: str | None = None) -> Response:
    """The content as a download; `vary` names the request header that selected it."""
    headers = attachment_header(name) | ({"Vary": vary} if vary else {})
    return Response(content, media_type=media_type, headers=headers)


def feed_response(request: Request, feed: Feed, form: str) -> Response:
    """The feed in the format `form`, or 304 if the client has it already. NotFound for an unknown format."""
    if form not in FEED_WRITERS:
        raise NotFound(gettext("There are feeds as rss, atom and json."))
    write, media_type = FEED_WRITERS[form]
    return conditional_response(
        request, write(feed), f"{media_type}; charset=utf-8", modified=feed.updated if feed.items else None
    )
