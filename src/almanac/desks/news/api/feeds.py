"""API: stories as feeds, and feeds as OPML."""

from typing import Annotated, Literal

from fastapi import Query, Request
from starlette.responses import Response

from almanac.desks.news import service
from almanac.desks.news.api.articles import Value, Words
from almanac.desks.news.api.dependencies import Editor, Reader, new_router
from almanac.desks.news.service.articles import StoryFilter
from almanac.desks.news.service.feeds import IMPORTED
from almanac.feeds.writers import FEED_WRITERS
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.etags import conditional_response
from almanac.http.responses import download_response

router = new_router()

OPML = "text/x-opml"


class ImportedBody(ApiModel):
    """How many feeds the list names, and the task that has them now."""

    feeds: int
    task_name: str


@router.get(
    "/feeds/{form}",
    response_class=Response,
    responses={200: {"content": {media: {} for _, media in FEED_WRITERS.values()}}},
)
async def get_feed(
    request: Request,
    form: Literal["rss", "atom", "json"],
    principal: Reader,
    q: Words = "",
    tag: Value = None,
    country: Value = None,
    lang: Value = None,
    source: Value = None,
) -> Response:
    """The latest stories that match, as RSS, Atom or JSON Feed."""
    which = StoryFilter(words=q, tag=tag, country=country, language=lang, source=source)
    feed = await service.build_story_feed(get_state(request).services, principal, which, form=form)
    write, media_type = FEED_WRITERS[form]
    return conditional_response(request, write(feed), media_type)


@router.get("/opml", response_class=Response, responses={200: {"content": {OPML: {}}}})
async def export_opml(request: Request, _principal: Reader) -> Response:
    """Every feed of every task."""
    content = await service.export_opml(get_state(request).services)
    return download_response(content, "almanac.opml", OPML)


@router.post(
    "/opml", openapi_extra={"requestBody": {"required": True, "content": {OPML: {"schema": {"type": "string"}}}}}
)
async def import_opml(
    request: Request, principal: Editor, task: Annotated[str, Query(min_length=1, max_length=255)] = IMPORTED
) -> ImportedBody:
    """Add the feeds of a list, sent as the body, to a task that is made where there is none."""
    feeds = await service.import_opml(get_state(request).services, principal, await request.body(), task_name=task)
    return ImportedBody(feeds=feeds, task_name=task)
