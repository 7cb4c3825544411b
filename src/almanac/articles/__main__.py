"""A reader's process: answers one request after another until its input ends, with its own memory bound."""

import os
import resource
import sys

import msgspec

from almanac.articles.feed import parse_feed
from almanac.articles.page import NoArticle, NoArticleCause, PageRequest, parse_page
from almanac.articles.protocol import PageResponse, frame_message, read_frame
from almanac.kit.messages import gettext

_MEMORY = 2_000_000_000


def main() -> None:
    """Read pages and feeds; whatever a library prints goes elsewhere, because the output belongs to the answers."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while (message := read_frame(sys.stdin.buffer)) is not None:
        answers.write(frame_message(msgspec.msgpack.encode(_answer(msgspec.msgpack.decode(message, type=PageRequest)))))
        answers.flush()


def _answer(request: PageRequest) -> PageResponse:
    try:
        return (
            PageResponse(feed=parse_feed(request))
            if request.wanted == "feed"
            else PageResponse(page=parse_page(request))
        )
    except NoArticle as refusal:
        return PageResponse(cause=refusal.cause, refused=str(refusal.sentence), leads_to=refusal.leads_to)
    except (MemoryError, RecursionError):
        return PageResponse(
            cause=NoArticleCause.UNREADABLE,
            refused=str(
                gettext("Reading the feed would need too much memory, so it is not read.")
                if request.wanted == "feed"
                else gettext("Reading the page would need too much memory, so it is not read.")
            ),
        )


if __name__ == "__main__":
    main()
