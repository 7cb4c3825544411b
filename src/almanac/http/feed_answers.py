"""Feeds as HTTP responses: written in the requested format, with validators for conditional requests."""

from starlette.requests import Request
from starlette.responses import Response

from almanac.errors import NotFound
from almanac.feeds.model import Feed
from almanac.feeds.writers import FEED_WRITERS
from almanac.http.conditional import conditional


def feed_answer(request: Request, feed: Feed, form: str) -> Response:
    """The feed in the format `form`, or 304 where the client has it already. NotFound for an unknown format."""
    if form not in FEED_WRITERS:
        raise NotFound("There are feeds as rss, atom and json.")
    write, media_type = FEED_WRITERS[form]
    return conditional(
        request, write(feed), f"{media_type}; charset=utf-8", modified=feed.updated if feed.items else None
    )
