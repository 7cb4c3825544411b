"""Feeds with sensible defaults."""

from datetime import UTC, datetime

import pytest

from almanac.feeds.model import Feed, FeedItem


@pytest.fixture
def make_item():
    def make(**values) -> FeedItem:
        sensible = {
            "id": "news:1",
            "title": "A headline",
            "link": "/news/1",
            "published": datetime(2026, 3, 1, 8, 30, tzinfo=UTC),
        }
        return FeedItem(**{**sensible, **values})

    return make


@pytest.fixture
def make_feed():
    def make(*items: FeedItem, **values) -> Feed:
        sensible = {
            "title": "Water",
            "link": "https://example.org/search?q=water",
            "self_link": "https://example.org/feeds/abc.rss",
        }
        return Feed(items=items, **{**sensible, **values})

    return make
