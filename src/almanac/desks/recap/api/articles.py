"""API: articles by any filter, one article with its texts, its versions, and lists as feeds or files.

Saved queries have feeds with secret addresses.
"""

from typing import Annotated, Literal

from fastapi import Path, Query, Request
from starlette.responses import Response, StreamingResponse

from almanac.desks.recap.api.dependencies import Facets, QueryFilter, Reader, new_router
from almanac.desks.recap.api.schemas import (
    ArticlePageBody,
    ArticleVersionBody,
    DecisionVotesBody,
    FacetValueBody,
    GroupVoteBody,
    RecapArticleBody,
    RecapHeadlinesBody,
    VersionDifferenceBody,
)
from almanac.desks.recap.model.filters import Facet
from almanac.desks.recap.model.views import ForeignArticle
from almanac.desks.recap.service import articles, search
from almanac.desks.recap.service.group_votes import load_group_votes
from almanac.feeds.writers import FEED_WRITERS
from almanac.http.api_models import Id, Text
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, Limit
from almanac.http.responses import attachment_header, feed_response

router = new_router()
JSON_LINES = "application/jsonl"
VersionNumber = Annotated[int, Query(ge=1, le=10**6)]


@router.get("/articles")
async def list_articles(
    request: Request,
    _principal: Reader,
    wanted: QueryFilter,
    facet: Facets = [],  # noqa: B006 - read only
    cursor: Cursor = None,
    limit: Limit = 20,
) -> ArticlePageBody:
    """Articles by any combination of filters, by day."""
    services = get_state(request).services
    page = await search.list_articles(services, wanted, facets=facet, cursor=cursor, limit=limit)
    return ArticlePageBody.model_validate(page)


@router.get("/articles/{article_id}")
async def get_article(
    request: Request, article_id: Id, _principal: Reader, version: Annotated[int | None, Query(ge=1, le=10**6)] = None
) -> RecapArticleBody:
    """An article with its texts and its official record; an older version where one is asked for."""
    article = await articles.read_article(get_state(request).services, article_id, version)
    return (
        RecapArticleBody.from_foreign(article)
        if isinstance(article, ForeignArticle)
        else RecapArticleBody.from_article(article)
    )


@router.get("/articles/{article_id}/votes")
async def list_group_votes(request: Request, article_id: Id, _principal: Reader) -> list[DecisionVotesBody]:
    """Votes by group of the article's decisions, where official results have the same day, title and counts."""
    services = get_state(request).services
    bound = await load_group_votes(services, await articles.open_article(services, article_id))
    return [
        DecisionVotesBody(
            decision=index,
            title=vote.title,
            in_favour=vote.in_favour,
            against=vote.against,
            groups=[GroupVoteBody.model_validate(group) for group in vote.groups],
            source=vote.source,
        )
        for index, vote in bound.items()
    ]


@router.get("/articles/{article_id}/versions")
async def list_versions(request: Request, article_id: Id, _principal: Reader) -> list[ArticleVersionBody]:
    """Every version of an article, the latest first."""
    versions = await articles.list_versions(get_state(request).services, article_id)
    return [ArticleVersionBody.model_validate(version) for version in versions]


@router.get("/articles/{article_id}/diff")
async def compare_versions(
    request: Request, article_id: Id, _principal: Reader, older: VersionNumber, newer: VersionNumber
) -> list[VersionDifferenceBody]:
    """What a regeneration changed."""
    differences = await articles.compare_versions(get_state(request).services, article_id, older, newer)
    return [VersionDifferenceBody.model_validate(difference) for difference in differences]


@router.get("/headlines")
async def get_headlines(request: Request, _principal: Reader) -> RecapHeadlinesBody:
    """The latest articles, and what and who was most in them lately."""
    return RecapHeadlinesBody.model_validate(await search.get_headlines(get_state(request).services))


@router.get("/suggest")
async def suggest_values(
    request: Request,
    _principal: Reader,
    q: Annotated[Text, Query(description="How the value begins.")] = "",
    facet: Annotated[Facet | None, Query(description="Only values of this facet.")] = None,
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
) -> list[FacetValueBody]:
    """Values to filter by that begin with a text, whatever its case and width."""
    values = await search.suggest_values(get_state(request).services, q, facet=facet, limit=limit)
    return [FacetValueBody.model_validate(value) for value in values]


@router.get(
    "/feeds/articles.jsonl",
    response_class=Response,
    responses={200: {"content": {JSON_LINES: {}}, "description": "One article a line, as JSON."}},
)
async def download_articles(request: Request, _principal: Reader, wanted: QueryFilter) -> Response:
    """Every article that a filter finds, with all its texts, one a line; not only the latest."""
    lines = search.export_articles(get_state(request).services, wanted)
    return StreamingResponse(lines, media_type=JSON_LINES, headers=attachment_header("meetings.jsonl"))


@router.get(
    "/feeds/articles.{form}",
    response_class=Response,
    responses={200: {"content": {media_type: {} for _, media_type in FEED_WRITERS.values()}}},
)
async def read_feed(
    request: Request, form: Annotated[Literal["rss", "atom", "json"], Path()], _principal: Reader, wanted: QueryFilter
) -> Response:
    """The latest articles that a filter finds, as rss, atom or json."""
    services = get_state(request).services
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    feed = await search.build_feed(services, wanted, self_link=services.settings.public_url + path)
    return feed_response(request, feed, form)
