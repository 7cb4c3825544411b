"""Feeds of any filter; in which form one is written is for the routes."""

from dataclasses import replace
from datetime import UTC, date, datetime, time

from almanac.desks.recap.filing import path_of
from almanac.desks.recap.filters import ArticleFilter
from almanac.desks.recap.searching import find_articles
from almanac.desks.recap.views import Listed
from almanac.feeds.model import Feed, FeedItem
from almanac.services import Services

_ITEMS = 50


async def feed(services: Services, wanted: ArticleFilter, *, self_link: str) -> Feed:
    """The latest articles that a filter finds, in whichever order it lists them."""
    page = await find_articles(services, replace(wanted, order="newest"), cursor=None, limit=_ITEMS)
    chosen = ", ".join(value for values in wanted.chosen.values() for value in values)
    told = " · ".join(filter(None, ("Parliament", chosen, wanted.text)))
    base = services.settings.public_url
    return Feed(
        title=told,
        link=f"{base}/recap",
        self_link=self_link,
        description="What was said and decided, meeting by meeting.",
        items=tuple(_item(listed, base) for listed in page.items),
        language="ja",
    )


def _item(listed: Listed, base: str) -> FeedItem:
    card = listed.card
    return FeedItem(
        id=f"urn:almanac:recap:{card.id}",
        title=card.title,
        link=base + path_of(card.id),
        published=datetime.combine(date.fromisoformat(card.date[:10]), time(), UTC),
        summary=card.description or "",
        categories=tuple(card.categories),
        language="ja",
    )
