"""Writes JSON Feed 1.1."""

import msgspec

from almanac.feeds.model import Feed, Item, names, rfc3339, writable

MEDIA_TYPE = "application/feed+json"
_VERSION = "https://jsonfeed.org/version/1.1"


def json_feed(feed: Feed) -> bytes:
    """The feed as JSON; what there is nothing to say about is left out."""
    return msgspec.json.encode(
        _said(
            {
                "version": _VERSION,
                "title": feed.heading,
                "home_page_url": feed.link,
                "feed_url": feed.self_link,
                "description": writable(feed.description).strip(),
                "language": feed.language,
                "authors": [{"name": feed.author}],
            }
        )
        | {"items": [_item(item, feed) for item in feed.items]}
    )


def _item(item: Item, feed: Feed) -> dict[str, object]:
    """An item must have content; one without any repeats its title."""
    html = item.safe_html
    return _said(
        {
            "id": item.uri,
            "url": item.address(feed.link),
            "title": item.heading,
            "content_html": html,
            "content_text": "" if html else item.text or item.heading,
            "summary": item.text,
            "date_published": rfc3339(item.published),
            "date_modified": rfc3339(item.updated) if item.updated else "",
            "authors": [{"name": name} for name in names(item.authors)],
            "tags": names(item.categories),
            "language": item.language,
        }
    )


def _said(members: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in members.items() if value}
