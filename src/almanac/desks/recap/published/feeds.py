"""The desk's public feeds: the latest meetings, with the filters of the list, and the latest corrections."""

from collections.abc import Sequence
from dataclasses import replace

from almanac.desks.recap.model.filters import ArticleFilter, parse_filter
from almanac.desks.recap.model.views import ListedArticle
from almanac.desks.recap.published import store
from almanac.desks.recap.published.bill_view import get_bill_title
from almanac.desks.recap.published.feed_links import MeetingFeed
from almanac.desks.recap.published.layout import urls
from almanac.desks.recap.published.list_view import query_values
from almanac.desks.recap.service import search
from almanac.desks.recap.service.correction_feed import build_corrections_feed, list_withdrawals
from almanac.errors import NotFound
from almanac.feeds.model import FeedItem
from almanac.feeds.writers import ATOM_TYPE, FEED_WRITERS, write_atom
from almanac.kit.messages import gettext
from almanac.public import PublicFile, PublicRequest

_ITEMS = 50


async def show_feed(request: PublicRequest) -> PublicFile:
    """The latest meetings as a feed (atom, rss or json), with the filters of the list of meetings."""
    form = request.params["form"]
    if form not in FEED_WRITERS:
        raise NotFound(gettext("This feed doesn't exist."))
    wanted = replace(parse_filter(query_values(request.query)), order="newest")
    to, ports = urls(request, whole=True), request.ports
    items: Sequence[ListedArticle]
    gone: Sequence[FeedItem] = ()
    if wanted == ArticleFilter():
        items = (await store.list_latest_cards(ports.database, limit=_ITEMS)).items
        gone = await list_withdrawals(ports, base="", to=to, language=request.language)
    else:
        items = (await search.list_articles(ports, wanted, limit=_ITEMS)).items
    described = MeetingFeed(wanted, {key: await get_bill_title(ports, key) for key in wanted.bill})
    feed = search.article_feed(
        items,
        wanted,
        base="",
        self_link=request.links.whole(request.language, described.path(form)),
        to=to,
        language=request.language,
        withdrawals=gone,
        title=described.title(request.language),
    )
    write, media_type = FEED_WRITERS[form]
    return PublicFile(content=write(feed), media_type=media_type, modified=feed.updated if items else None)


async def show_corrections_feed(request: PublicRequest) -> PublicFile:
    """The latest corrections and withdrawals as an Atom feed."""
    to = urls(request, whole=True)
    feed = await build_corrections_feed(
        request.ports, base="", self_link=f"{to.root}/corrections.atom", to=to, language=request.language
    )
    return PublicFile(content=write_atom(feed), media_type=ATOM_TYPE, modified=feed.updated if feed.items else None)
