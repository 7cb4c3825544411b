"""Writes RSS 2.0, with the Atom, Dublin Core and content modules that readers expect."""

from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape

from almanac.feeds.model import EPOCH, Feed, Item, names, writable
from almanac.feeds.xml import document, element, nested, some

MEDIA_TYPE = "application/rss+xml"
_SPACES = {
    "version": "2.0",
    "xmlns:atom": "http://www.w3.org/2005/Atom",
    "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
}


def rss(feed: Feed) -> bytes:
    """The feed as a file of RSS."""
    channel = nested(
        "channel",
        element("title", feed.heading),
        element("link", feed.link),
        element("description", writable(feed.description).strip() or feed.heading),
        some("language", feed.language),
        element("generator", "Almanac"),
        element("lastBuildDate", _rfc822(feed.updated)) if feed.updated > EPOCH else "",
        nested("atom:link", attributes={"rel": "self", "type": MEDIA_TYPE, "href": feed.self_link}),
        *(_item(item, feed) for item in feed.items),
    )
    return document(nested("rss", channel, attributes=_SPACES))


def _item(item: Item, feed: Feed) -> str:
    """Readers take a description for HTML, so plain text is escaped once more than the file needs."""
    return nested(
        "item",
        element("title", item.heading),
        element("link", item.address(feed.link)),
        element("guid", item.uri, {"isPermaLink": "false"}),
        element("pubDate", _rfc822(item.published)),
        some("atom:updated", item.changed.astimezone(UTC).isoformat(timespec="seconds") if item.updated else ""),
        some("description", escape(item.text, quote=False)),
        some("content:encoded", item.safe_html),
        *(element("dc:creator", name) for name in names(item.authors)),
        *(element("category", name) for name in names(item.categories)),
    )


def _rfc822(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC), usegmt=True)
