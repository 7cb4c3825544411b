"""Lists of feeds as OPML: read into sources, and written for other programs. Reading itself is that of knowledge."""

from xml.sax.saxutils import quoteattr

from almanac.desks.news.model.tasks import QueryTask, Source, SourceKind
from almanac.documents.feed import read_opml
from almanac.documents.model import Unreadable
from almanac.errors import InputError
from almanac.feeds.model import strip_unwritable


def sources_in(content: bytes) -> tuple[Source, ...]:
    """The feeds that a list names."""
    try:
        listed = read_opml(content)
    except Unreadable as error:
        raise InputError(error.sentence) from error
    web = (feed for feed in listed if feed.url.lower().startswith(("http://", "https://")))
    return tuple(Source(kind=SourceKind.FEED, address=feed.url, title=feed.title) for feed in web)


def opml_of(tasks: list[QueryTask]) -> bytes:
    """Every feed of every task, in an outline for each task."""
    outlines = "".join(_task(task) for task in tasks)
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0"><head><title>Almanac</title></head>'
        f"<body>{outlines}</body></opml>\n"
    )
    # One character that XML can't hold would make the whole list unreadable.
    return strip_unwritable(text).encode()


def _task(task: QueryTask) -> str:
    feeds = "".join(
        f'<outline type="rss" text={quoteattr(source.title or source.address)} xmlUrl={quoteattr(source.address)}/>'
        for source in task.sources
        if source.kind == SourceKind.FEED
    )
    return f"<outline text={quoteattr(task.task_name)}>{feeds}</outline>" if feeds else ""
