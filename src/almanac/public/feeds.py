"""Chosen feeds: saved queries that an editor made public, as pages and as feeds in three forms.

They find what is public anyway, and headlines of news that lead to their source; whose query it is plays no part.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from almanac.errors import InputError, NotFound
from almanac.feeds.model import Feed, FeedItem, common_language, parse_moment
from almanac.feeds.writers import FEED_WRITERS
from almanac.kit.catalogs import SOURCE_LANGUAGE
from almanac.kit.messages import gettext, translate
from almanac.public import store
from almanac.public.links import join_path
from almanac.public.model import PublicFile, PublicPage, PublicPart, PublicRequest, PublicRoute, SitemapEntry, Teaser
from almanac.public.store import PublicQuery
from almanac.read_ports import ReadPorts
from almanac.search import PUBLISHED_FIELD, SearchHit, SearchViewer

HOME = "/feeds"
_ITEMS = 50
_TITLE = gettext("Feeds")
_OUTSIDE = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PublicHit:
    """Something that a public query found: where anyone can read it."""

    id: str
    title: str
    url: str
    day: datetime | None
    text: str
    source: str
    language: str
    published: datetime | None = None


async def show_feeds(request: PublicRequest) -> PublicPage:
    """The feeds that anyone can follow."""
    queries = await store.list_public_queries(request.ports.database)

    async def load() -> Mapping[str, object]:
        return {"feeds": [(query, _link(request, query)) for query in queries]}

    return PublicPage(template="public/feeds.html", title=translate(_TITLE, request.language), stamp=queries, load=load)


async def show_feed_page(request: PublicRequest) -> PublicPage:
    """What one of them finds now."""
    query = await _get_query(request)
    items = await _find(request, query)

    async def load() -> Mapping[str, object]:
        forms = [(form, f"{_link(request, query)}/feed.{form}") for form in FEED_WRITERS]
        return {"query": query, "items": items, "forms": forms}

    path = f"{HOME}{join_path(query.address)}"
    return PublicPage(
        template="public/feed.html", title=query.name, stamp=(query, items), load=load, feed=f"{path}/feed.atom"
    )


async def show_feed(request: PublicRequest) -> PublicFile:
    """The same as a feed: atom, rss or json."""
    form = request.params["form"]
    if form not in FEED_WRITERS:
        raise NotFound(gettext("This feed doesn't exist."))
    query = await _get_query(request)
    items = await _find(request, query)
    page = request.links.whole(request.language, f"{HOME}{join_path(query.address)}")
    feed = Feed(
        title=query.name,
        link=page,
        self_link=f"{page}/feed.{form}",
        author=request.ports.settings.organisation or "Almanac",
        language=common_language(item.language for item in items),
        items=tuple(_feed_item(item, query) for item in items),
    )
    write, media_type = FEED_WRITERS[form]
    return PublicFile(content=write(feed), media_type=media_type)


async def list_teasers(request: PublicRequest) -> Sequence[Teaser]:
    """The feeds, for the front page."""
    queries = await store.list_public_queries(request.ports.database)
    return [Teaser(title=query.name, path=_link(request, query)) for query in queries[:6]]


async def count_pages(ports: ReadPorts) -> int:
    """How many feeds there are."""
    return len(await store.list_public_queries(ports.database))


async def list_sitemap(ports: ReadPorts, offset: int, limit: int) -> Sequence[SitemapEntry]:
    """The pages of the feeds."""
    queries = await store.list_public_queries(ports.database)
    return [SitemapEntry(f"{HOME}{join_path(query.address)}") for query in queries[offset : offset + limit]]


async def _get_query(request: PublicRequest) -> PublicQuery:
    query = await store.get_public_query(request.ports.database, request.params["name"][:120])
    if query is None:
        raise NotFound(gettext("This feed doesn't exist."))
    return query


async def _find(request: PublicRequest, query: PublicQuery) -> list[PublicHit]:
    """What the query finds among the kinds of documents that are public."""
    open_kinds = request.ports.settings.feed_kinds
    kinds = [kind for kind in query.kinds or open_kinds if kind in open_kinds]
    if not kinds:
        return []
    viewer = SearchViewer(permissions=frozenset(open_kinds[kind] for kind in kinds))
    try:
        results = await request.ports.search.find(
            query.query, viewer=viewer, kinds=kinds, filters=query.filters, order="-date", limit=_ITEMS
        )
    except InputError:
        # A field or kind that existed when the query was saved may be gone by now.
        return []
    return [link for hit in results.hits if (link := _found_link(request, hit)) is not None]


def _found_link(request: PublicRequest, hit: SearchHit) -> PublicHit | None:
    """News lead to their source, with the headline alone; what we wrote ourselves leads to its public page."""
    outside = hit.fields.get("url", "")
    if outside and not _OUTSIDE.match(outside):
        return None
    headlined = (request.language, SOURCE_LANGUAGE)
    language = next((name for name in headlined if f"title_{name}" in hit.fields), hit.language)
    return PublicHit(
        id=f"urn:almanac:{hit.kind}:{quote(hit.id, safe='')}",
        title=hit.fields.get(f"title_{language}") or hit.title,
        url=outside or request.links.base + f"/{request.language}{hit.path}",
        day=hit.date,
        published=parse_moment(hit.fields.get(PUBLISHED_FIELD, "")),
        text="" if outside else "".join(span.text for span in hit.snippet),
        source=", ".join(hit.facets.get("source", ())[:1]) if outside else "",
        language=language,
    )


def _feed_item(item: PublicHit, query: PublicQuery) -> FeedItem:
    """Documents without a date get the day the query was published, because dates in a feed must not change."""
    return FeedItem(
        id=item.id,
        title=item.title,
        link=item.url,
        published=item.published or item.day or query.public_since,
        event_day=item.day.date() if item.published and item.day else None,
        summary=item.text,
        authors=(item.source,) if item.source else (),
        language=item.language,
    )


def _link(request: PublicRequest, query: PublicQuery) -> str:
    return request.links.page(request.language, f"{HOME}{join_path(query.address)}")


FEEDS_PART = PublicPart(
    name="feeds",
    title=_TITLE,
    home=HOME,
    routes=(
        PublicRoute(HOME, show_feeds),
        PublicRoute(f"{HOME}/{{name}}", show_feed_page),
        PublicRoute(f"{HOME}/{{name}}/feed.{{form}}", show_feed),
    ),
    teasers=list_teasers,
    count_pages=count_pages,
    sitemap=list_sitemap,
)
