"""API: whether an article is published, held or withdrawn, and what was corrected in it."""

from typing import Annotated, Literal

from fastapi import Path, Request
from starlette.responses import Response

from almanac.desks.recap.api.dependencies import Reader, Writer, new_router
from almanac.desks.recap.api.editorial_schemas import (
    ArticleCorrectionBody,
    ArticleCorrectionsBody,
    ArticleStatusBody,
    ArticleStatusInput,
    CorrectionInput,
)
from almanac.desks.recap.model.editorial import CorrectionWish
from almanac.desks.recap.service import correction_feed, corrections, editorial
from almanac.feeds.writers import FEED_WRITERS
from almanac.http.api_models import Id, Listed
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.http.responses import feed_response

router = new_router()


@router.get("/articles/{article_id}/status")
async def get_status(request: Request, response: Response, article_id: Id, _principal: Writer) -> ArticleStatusBody:
    """Whether an article is published, held or withdrawn, why, and since when; its ETag is needed to change it."""
    status = await editorial.get_status(get_state(request).services, article_id)
    return ArticleStatusBody.model_validate(with_etag(response, status))


@router.put("/articles/{article_id}/status", responses=documented_problems(409, 412, 428))
async def decide_status(
    request: Request,
    response: Response,
    article_id: Id,
    wish: ArticleStatusInput,
    principal: Writer,
    if_match: IfMatch = None,
) -> ArticleStatusBody:
    """Hold, withdraw or publish an article; without it, nobody but editors sees it."""
    services, revision = get_state(request).services, parse_if_match(if_match)
    status = await editorial.decide_state(services, principal, article_id, wish.state, wish.reason, revision=revision)
    return ArticleStatusBody.model_validate(with_etag(response, status))


@router.get("/held")
async def list_held(
    request: Request, _principal: Writer, cursor: Cursor = None, limit: Limit = 25
) -> Listed[ArticleStatusBody]:
    """Articles that wait for a person, with what doesn't reconcile in them."""
    page = await editorial.list_held(get_state(request).services, cursor=cursor, limit=limit)
    return Listed[ArticleStatusBody].model_validate(page)


@router.get("/articles/{article_id}/corrections")
async def list_article_corrections(request: Request, article_id: Id, _principal: Reader) -> ArticleCorrectionsBody:
    """What was corrected in an article, and which reports of readers were answered."""
    listed = await corrections.list_article_corrections(get_state(request).services, article_id)
    return ArticleCorrectionsBody.model_validate(listed)


@router.post(
    "/articles/{article_id}/corrections",
    status_code=201,
    responses=documented_problems(409),
    openapi_extra=REPEATABLE,
)
async def correct_article(
    request: Request, article_id: Id, wish: CorrectionInput, principal: Writer
) -> ArticleCorrectionBody:
    """Replace or remove a text, or add a note; readers see the note and what it said before."""
    asked = CorrectionWish(**{**wish.model_dump(), "orders": tuple(wish.orders)})
    services = get_state(request).services
    stored = await corrections.correct_article(services, principal, article_id, asked, seed=get_seed(request))
    return ArticleCorrectionBody.model_validate(stored)


@router.post(
    "/articles/{article_id}/corrections/{correction_id}/undo",
    responses=documented_problems(409),
    openapi_extra=REPEATABLE,
)
async def undo_correction(
    request: Request, article_id: Id, correction_id: Id, principal: Writer
) -> ArticleCorrectionBody:
    """Take a correction back."""
    services = get_state(request).services
    undone = await corrections.undo_correction(services, principal, article_id, correction_id)
    return ArticleCorrectionBody.model_validate(undone)


@router.get("/corrections")
async def list_corrections(
    request: Request, _principal: Reader, cursor: Cursor = None, limit: Limit = 25
) -> Listed[ArticleCorrectionBody]:
    """Corrections of all articles, the latest first."""
    page = await corrections.list_corrections(get_state(request).services, cursor=cursor, limit=limit)
    return Listed[ArticleCorrectionBody].model_validate(page)


@router.get(
    "/feeds/corrections.{form}",
    response_class=Response,
    responses={200: {"content": {media_type: {} for _, media_type in FEED_WRITERS.values()}}},
)
async def read_corrections_feed(
    request: Request, form: Annotated[Literal["rss", "atom", "json"], Path()], _principal: Reader
) -> Response:
    """The latest corrections and withdrawals, as rss, atom or json."""
    services = get_state(request).services
    base = services.settings.public_url
    feed = await correction_feed.build_corrections_feed(services, base=base, self_link=base + request.url.path)
    return feed_response(request, feed, form)
