"""OPML: parse a list of feeds into sources of a task, and render the feeds of all tasks."""

from xml.sax.saxutils import quoteattr

from almanac.desks.news.model.tasks import LinkSource, LinkSourceKind, QueryTask
from almanac.documents.feed import read_opml
from almanac.documents.model import Unreadable
from almanac.errors import InputError
from almanac.feeds.model import strip_unwritable


def parse_opml(content: bytes) -> tuple[LinkSource, ...]:
    """The feeds that a list names. InputError where the file isn't readable OPML."""
    try:
        feeds = read_opml(content)
    except Unreadable as error:
        raise InputError(error.sentence) from error
    web = (feed for feed in feeds if feed.url.lower().startswith(("http://", "https://")))
    return tuple(LinkSource(kind=LinkSourceKind.FEED, address=feed.url, title=feed.title) for feed in web)


def render_opml(tasks: list[QueryTask]) -> bytes:
    """Every feed of every task, grouped by task."""
    outlines = "".join(_task_outline(task) for task in tasks)
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0"><head><title>Almanac</title></head>'
        f"<body>{outlines}</body></opml>\n"
    )
    # A single character that XML can't hold would make the file unreadable.
    return strip_unwritable(text).encode()


def _task_outline(task: QueryTask) -> str:
    feeds = "".join(
        f'<outline type="rss" text={quoteattr(source.title or source.address)} xmlUrl={quoteattr(source.address)}/>'
        for source in task.sources
        if source.kind == LinkSourceKind.FEED
    )
    return f"<outline text={quoteattr(task.task_name)}>{feeds}</outline>" if feeds else ""
