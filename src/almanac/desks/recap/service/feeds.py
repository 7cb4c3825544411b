"""Feeds of any filter, in any of the three forms."""

from datetime import UTC, datetime, time
from typing import Literal, get_args

from almanac.desks.recap.filing import path_of
from almanac.desks.recap.filters import ArticleFilter
from almanac.desks.recap.searching import find_articles
from almanac.desks.recap.views import Listed
from almanac.errors import NotFound
from almanac.feeds import Feed, Item
from almanac.services import Services

Form = Literal["rss", "atom", "json"]
FORMS: tuple[Form, ...] = get_args(Form)
_ITEMS = 50


async def feed(services: Services, wanted: ArticleFilter, form: str, *, self_link: str) -> Feed:
    """The latest articles that a filter finds."""
    if form not in FORMS:
        raise NotFound("There are feeds as rss, atom and json.")
    page = await find_articles(services, wanted, cursor=None, limit=_ITEMS)
    chosen = ", ".join(value for values in wanted.chosen.values() for value in values)
    told = " · ".join(filter(None, ("Parliament", chosen, wanted.text)))
    base = services.settings.public_url
    return Feed(
        title=told,
        link=f"{base}/recap",
        self_link=self_link,
        description="What was said and decided, sitting by sitting.",
        items=tuple(_item(listed, base) for listed in page.items),
        language="ja",
    )


def _item(listed: Listed, base: str) -> Item:
    card = listed.card
    return Item(
        id=f"urn:almanac:recap:{card.id}",
        title=card.title,
        link=base + path_of(card.id),
        published=datetime.combine(datetime.fromisoformat(card.date[:10]).date(), time(), UTC),
        summary=card.description or "",
        categories=tuple(card.categories),
        language="ja",
    )
