"""Feeds as answers: written in the form asked for, with what lets a reader's program ask only for changes."""

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from almanac.errors import NotFound
from almanac.feeds import Feed, atom, json_feed, rss
from almanac.feeds.atom import MEDIA_TYPE as ATOM
from almanac.feeds.json_feed import MEDIA_TYPE as JSON
from almanac.feeds.rss import MEDIA_TYPE as RSS
from almanac.http.conditional import conditional

WRITERS: Mapping[str, tuple[Callable[[Feed], bytes], str]] = {
    "rss": (rss, f"{RSS}; charset=utf-8"),
    "atom": (atom, f"{ATOM}; charset=utf-8"),
    "json": (json_feed, f"{JSON}; charset=utf-8"),
}


def feed_answer(request: Request, feed: Feed, form: str) -> Response:
    """The feed, or that nothing changed since the last time."""
    if form not in WRITERS:
        raise NotFound("There are feeds as rss, atom and json.")
    write, media_type = WRITERS[form]
    return conditional(request, write(feed), media_type, modified=feed.updated if feed.items else None)
