"""Writes feeds as RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape as escape_html
from xml.sax.saxutils import escape, quoteattr

from almanac.feeds.model import EPOCH, Feed, FeedItem, clean_names, rfc3339, strip_unwritable
from almanac.kit.json_text import encode_json

RSS_TYPE, ATOM_TYPE, JSON_FEED_TYPE = "application/rss+xml", "application/atom+xml", "application/feed+json"
_XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'
_NO_ATTRIBUTES: Mapping[str, str] = {}
_TERMS = "http://purl.org/dc/terms/"
_RSS_ATTRIBUTES = {
    "version": "2.0",
    "xmlns:atom": "http://www.w3.org/2005/Atom",
    "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
    "xmlns:dcterms": _TERMS,
}
_JSON_FEED_VERSION = "https://jsonfeed.org/version/1.1"


def write_rss(feed: Feed) -> bytes:
    """Encode a feed as RSS, with the Atom, Dublin Core and content modules that readers expect."""
    channel = _parent(
        "channel",
        _element("title", feed.heading),
        _element("link", feed.link),
        _element("description", strip_unwritable(feed.description).strip() or feed.heading),
        _optional_element("language", feed.language),
        _element("generator", "Almanac"),
        _element("lastBuildDate", _rfc822(feed.updated)) if feed.updated > EPOCH else "",
        _parent("atom:link", attributes={"rel": "self", "type": RSS_TYPE, "href": feed.self_link}),
        *(_rss_item(item, feed) for item in feed.items),
    )
    return _xml_document(_parent("rss", channel, attributes=_RSS_ATTRIBUTES))


def _rss_item(item: FeedItem, feed: Feed) -> str:
    """Readers treat a description as HTML, so plain text is escaped once more than XML needs."""
    updated = item.changed.astimezone(UTC).isoformat(timespec="seconds") if item.updated else ""
    return _parent(
        "item",
        _element("title", item.heading),
        _element("link", item.address(feed.link)),
        _element("guid", item.uri, {"isPermaLink": "false"}),
        _element("pubDate", _rfc822(item.published)),
        _optional_element("atom:updated", updated),
        _optional_element("dcterms:temporal", item.event),
        _optional_element("description", escape_html(item.text, quote=False)),
        _optional_element("content:encoded", item.safe_html),
        *(_element("dc:creator", name) for name in clean_names(item.authors)),
        *(_element("category", name) for name in clean_names(item.categories)),
    )


def write_atom(feed: Feed) -> bytes:
    """Encode a feed as Atom."""
    language = {"xml:lang": feed.language} if feed.language else {}
    return _xml_document(
        _parent(
            "feed",
            _element("id", feed.self_link),
            _element("title", feed.heading, {"type": "text"}),
            _optional_element("subtitle", strip_unwritable(feed.description).strip(), {"type": "text"}),
            _element("updated", rfc3339(feed.updated)),
            _parent("author", _element("name", feed.author)),
            _parent("link", attributes={"rel": "alternate", "href": feed.link}),
            _parent("link", attributes={"rel": "self", "type": ATOM_TYPE, "href": feed.self_link}),
            _element("generator", "Almanac"),
            *(_atom_entry(item, feed) for item in feed.items),
            attributes={"xmlns": "http://www.w3.org/2005/Atom", "xmlns:dcterms": _TERMS, **language},
        )
    )


def _atom_entry(item: FeedItem, feed: Feed) -> str:
    language = {"xml:lang": item.language} if item.language else {}
    return _parent(
        "entry",
        _element("id", item.uri),
        _element("title", item.heading, {"type": "text"}),
        _parent("link", attributes={"rel": "alternate", "href": item.address(feed.link)}),
        _element("published", rfc3339(item.published)),
        _element("updated", rfc3339(item.changed)),
        _optional_element("dcterms:temporal", item.event),
        *(_parent("author", _element("name", name)) for name in clean_names(item.authors)),
        *(_parent("category", attributes={"term": name}) for name in clean_names(item.categories)),
        _optional_element("summary", item.text, {"type": "text"}),
        _optional_element("content", item.safe_html, {"type": "html"}),
        attributes=language,
    )


def write_json_feed(feed: Feed) -> bytes:
    """Encode a feed as JSON Feed, without empty members."""
    members = {
        "version": _JSON_FEED_VERSION,
        "title": feed.heading,
        "home_page_url": feed.link,
        "feed_url": feed.self_link,
        "description": strip_unwritable(feed.description).strip(),
        "language": feed.language,
        "authors": [{"name": feed.author}],
    }
    return encode_json(_drop_empty(members) | {"items": [_json_item(item, feed) for item in feed.items]})


def _json_item(item: FeedItem, feed: Feed) -> dict[str, object]:
    """An item must have content; one without any repeats its title."""
    html = item.safe_html
    return _drop_empty(
        {
            "id": item.uri,
            "url": item.address(feed.link),
            "title": item.heading,
            "content_html": html,
            "content_text": "" if html else item.text or item.heading,
            "summary": item.text,
            "date_published": rfc3339(item.published),
            "date_modified": rfc3339(item.updated) if item.updated else "",
            "authors": [{"name": name} for name in clean_names(item.authors)],
            "tags": clean_names(item.categories),
            "language": item.language,
            "_event": {"day": item.event} if item.event else "",
        }
    )


FEED_WRITERS: Mapping[str, tuple[Callable[[Feed], bytes], str]] = {
    "rss": (write_rss, RSS_TYPE),
    "atom": (write_atom, ATOM_TYPE),
    "json": (write_json_feed, JSON_FEED_TYPE),
}


def _drop_empty(members: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in members.items() if value}


def _rfc822(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def _element(name: str, text: str, attributes: Mapping[str, str] = _NO_ATTRIBUTES) -> str:
    return _parent(name, escape(text), attributes=attributes)


def _optional_element(name: str, text: str, attributes: Mapping[str, str] = _NO_ATTRIBUTES) -> str:
    """An element, or nothing where the text is empty."""
    return _element(name, text, attributes) if text else ""


def _parent(name: str, *children: str, attributes: Mapping[str, str] = _NO_ATTRIBUTES) -> str:
    """An element around children that are XML already."""
    opening = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    inside = "".join(children)
    return f"<{name}{opening}>{inside}</{name}>" if inside else f"<{name}{opening}/>"


def _xml_document(root: str) -> bytes:
    return (_XML_DECLARATION + root + "\n").encode()
