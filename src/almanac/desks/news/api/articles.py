"""API routes for stories, tags, feeds of stories, and OPML lists of feeds."""

from datetime import date
from typing import Annotated, Literal

from fastapi import Query, Request
from starlette.responses import Response

from almanac.desks.news.api.dependencies import Reader, Writer, new_router
from almanac.desks.news.api.schemas import FullStoryBody, ImportedOpmlBody, StoryBody
from almanac.desks.news.service import articles
from almanac.desks.news.service import feeds as feed_service
from almanac.desks.news.service.articles import StoryFilter
from almanac.desks.news.service.feeds import IMPORTED
from almanac.feeds.writers import FEED_WRITERS
from almanac.http.api_models import Listed, RowId
from almanac.http.app_state import get_state
from almanac.http.etags import conditional_response
from almanac.http.paging import Cursor, Limit
from almanac.http.responses import download_response

router = new_router()

OPML = "text/x-opml"
QueryText = Annotated[str, Query(max_length=2000, description="A search query.")]
FilterValue = Annotated[str | None, Query(max_length=255)]
Since = Annotated[date | None, Query(alias="from", description="The first day.")]
Until = Annotated[date | None, Query(alias="to", description="The last day.")]


@router.get("/articles")
async def list_articles(
    request: Request,
    principal: Reader,
    q: QueryText = "",
    tag: FilterValue = None,
    country: FilterValue = None,
    lang: FilterValue = None,
    source: FilterValue = None,
    since: Since = None,
    until: Until = None,
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[StoryBody]:
    """Stories, each once with all its sources: best matches first with a query, otherwise latest first."""
    which = StoryFilter(words=q, tag=tag, country=country, language=lang, source=source, since=since, until=until)
    stories = await articles.find_articles(get_state(request).services, principal, which, cursor=cursor, limit=limit)
    items = [StoryBody.from_article(story) for story in stories.page.items]
    return Listed(items=items, next_cursor=stories.page.next_cursor)


@router.get("/articles/{link_id}")
async def get_article(request: Request, link_id: RowId, _principal: Reader) -> FullStoryBody:
    """One article with all sources of its story."""
    return FullStoryBody.from_article(await articles.get_article(get_state(request).services, link_id))


@router.get("/tags")
async def list_tags(request: Request, _principal: Reader) -> dict[str, int]:
    """Every tag, with how many articles have it."""
    return await articles.list_tags(get_state(request).services)


@router.get(
    "/feeds/{form}",
    response_class=Response,
    responses={200: {"content": {media: {} for _, media in FEED_WRITERS.values()}}},
)
async def get_feed(
    request: Request,
    form: Literal["rss", "atom", "json"],
    principal: Reader,
    q: QueryText = "",
    tag: FilterValue = None,
    country: FilterValue = None,
    lang: FilterValue = None,
    source: FilterValue = None,
) -> Response:
    """The latest stories that match, as RSS, Atom or JSON Feed."""
    which = StoryFilter(words=q, tag=tag, country=country, language=lang, source=source)
    feed = await feed_service.build_story_feed(get_state(request).services, principal, which, form=form)
    write, media_type = FEED_WRITERS[form]
    return conditional_response(request, write(feed), media_type)


@router.get("/opml", response_class=Response, responses={200: {"content": {OPML: {}}}})
async def export_opml(request: Request, _principal: Reader) -> Response:
    """Every feed of every task."""
    content = await feed_service.export_opml(get_state(request).services)
    return download_response(content, "almanac.opml", OPML)


@router.post(
    "/opml", openapi_extra={"requestBody": {"required": True, "content": {OPML: {"schema": {"type": "string"}}}}}
)
async def import_opml(
    request: Request, principal: Writer, task: Annotated[str, Query(min_length=1, max_length=255)] = IMPORTED
) -> ImportedOpmlBody:
    """Add the feeds of an OPML list, sent as the body, to a task; the task is created if it doesn't exist."""
    feeds = await feed_service.import_opml(get_state(request).services, principal, await request.body(), task_name=task)
    return ImportedOpmlBody(feeds=feeds, task_name=task)
