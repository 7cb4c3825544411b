"""Writes Atom (RFC 4287)."""

from almanac.feeds.model import Feed, Item, names, rfc3339, writable
from almanac.feeds.xml import document, element, nested, some

MEDIA_TYPE = "application/atom+xml"


def atom(feed: Feed) -> bytes:
    """The feed as a file of Atom."""
    language = {"xml:lang": feed.language} if feed.language else {}
    return document(
        nested(
            "feed",
            element("id", feed.self_link),
            element("title", feed.heading, {"type": "text"}),
            some("subtitle", writable(feed.description).strip(), {"type": "text"}),
            element("updated", rfc3339(feed.updated)),
            nested("author", element("name", feed.author)),
            nested("link", attributes={"rel": "alternate", "href": feed.link}),
            nested("link", attributes={"rel": "self", "type": MEDIA_TYPE, "href": feed.self_link}),
            element("generator", "Almanac"),
            *(_entry(item, feed) for item in feed.items),
            attributes={"xmlns": "http://www.w3.org/2005/Atom", **language},
        )
    )


def _entry(item: Item, feed: Feed) -> str:
    language = {"xml:lang": item.language} if item.language else {}
    return nested(
        "entry",
        element("id", item.uri),
        element("title", item.heading, {"type": "text"}),
        nested("link", attributes={"rel": "alternate", "href": item.address(feed.link)}),
        element("published", rfc3339(item.published)),
        element("updated", rfc3339(item.changed)),
        *(nested("author", element("name", name)) for name in names(item.authors)),
        *(nested("category", attributes={"term": name}) for name in names(item.categories)),
        some("summary", item.text, {"type": "text"}),
        some("content", item.safe_html, {"type": "html"}),
        attributes=language,
    )
