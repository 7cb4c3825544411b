"""One meeting as an article: three levels to read it at, the minutes with the original words, where it comes from."""

from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.citations.passages import parse_quote
from almanac.citations.store import list_visible_citations
from almanac.desks.recap.indexing import KIND
from almanac.desks.recap.model.editorial import ArticleStatusView
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.model.minutes import MinutesFilter
from almanac.desks.recap.model.views import ForeignArticle, FullArticle, VersionDifference
from almanac.desks.recap.pages.layout import ArticleId, Reader, render_page
from almanac.desks.recap.permissions import WRITE
from almanac.desks.recap.published.article_view import build_article_values, locate_speech
from almanac.desks.recap.published.foreign_view import build_foreign_values, locate_foreign_speech
from almanac.desks.recap.service import articles, editorial
from almanac.desks.recap.service.group_votes import load_group_votes
from almanac.desks.recap.service.readable_recap import build_readable_recap
from almanac.desks.recap.urls import PREFIX, WORKSPACE, recap_url
from almanac.errors import Gone, NotFound
from almanac.http.app_state import get_state
from almanac.http.pages import redirect
from almanac.http.reader import reader_url
from almanac.reader.service import get_progress
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/articles")
Short = Annotated[str, Query(max_length=200)]
Number = Annotated[int | None, Query(ge=0, le=1_000_000)]
Version = Annotated[int, Query(ge=1, le=1_000_000)]
_SIGNS = {"added": "+", "removed": "-"}

Lines = list[tuple[str, str]]


@router.get("/{article_id}")
async def show_article(
    request: Request,
    article_id: ArticleId,
    principal: Reader,
    level: Short = "points",
    within: Short = "",
    speaker: Short = "",
    group: Short = "",
    reaction: Short = "",
    full: Short = "",
    part: Annotated[int, Query(ge=1, le=10_000)] = 1,
    speech: Number = None,
    version: Number = None,
    quote: Short = "",
) -> Response:
    """The article at a level, with the speeches that the reader asks for."""
    services = get_state(request).services
    article, status = await _open_for(services, principal, article_id, version)
    status_code = 410 if status and status.state == "withdrawn" else 200
    if isinstance(article, ForeignArticle):
        values = build_foreign_values(article, level=level, part=part, to=WORKSPACE)
        return await render_page(
            request, principal, "articles", "foreign_article", status_code=status_code, status=status, **values
        )
    wanted = MinutesFilter(within, speaker, group, reaction, bool(full), part, speech, parse_quote(quote))
    values = build_article_values(article, wanted, level=level, version=version, to=WORKSPACE)
    readable = build_readable_recap(article, level)
    return await render_page(
        request,
        principal,
        "articles",
        "article",
        status_code=status_code,
        status=status,
        remake_url=recap_url("tasks", task_pk(article.meeting), "remake"),
        group_votes=await load_group_votes(services, article),
        uses=await list_visible_citations(services.database, principal, KIND.name, article_id),
        progress=await get_progress(services.database, readable),
        reader_href=reader_url(WORKSPACE.reader(article_id), readable.part)
        if article.version == article.latest
        else "",
        **values,
    )


async def _open_for(
    services: Services, principal: Principal, article_id: str, version: int | None
) -> tuple[FullArticle | ForeignArticle, ArticleStatusView | None]:
    """The article, and for editors also one that is held or withdrawn, with the reason."""
    try:
        return await articles.read_article(services, article_id, version), None
    except (Gone, NotFound):
        if not principal.may(WRITE) or version is not None:
            raise
        status = await editorial.get_status(services, article_id)
        return await editorial.open_unpublished(services, article_id), status


@router.get("/{article_id}/speeches/{order}")
async def redirect_to_speech(
    request: Request, article_id: ArticleId, order: int, _principal: Reader, quote: Short = "", version: Number = None
) -> Response:
    """The permanent address of a speech leads to its place in the minutes, and to the words that it quotes."""
    article = await articles.read_article(get_state(request).services, article_id, version)
    if isinstance(article, ForeignArticle):
        return redirect(request, locate_foreign_speech(article, order, WORKSPACE))
    return redirect(request, locate_speech(article, order, quote=quote, version=version, to=WORKSPACE))


@router.get("/{article_id}/versions")
async def show_versions(request: Request, article_id: ArticleId, principal: Reader) -> Response:
    """Every version, the latest first."""
    services = get_state(request).services
    article = await articles.open_article(services, article_id)
    versions = await articles.list_versions(services, article_id)
    return await render_page(
        request, principal, "articles", "versions", article=article, card=article.card, versions=versions
    )


@router.get("/{article_id}/compare")
async def show_differences(
    request: Request, article_id: ArticleId, principal: Reader, older: Version = 1, newer: Version = 2
) -> Response:
    """What one version says otherwise than another."""
    services = get_state(request).services
    article = await articles.open_article(services, article_id)
    differences = await articles.compare_versions(services, article_id, older, newer)
    return await render_page(
        request,
        principal,
        "articles",
        "compare",
        article=article,
        card=article.card,
        older=older,
        newer=newer,
        parts=_by_part(differences),
    )


def _by_part(differences: list[VersionDifference]) -> list[tuple[str, Lines]]:
    return [
        (part, [(_SIGNS[difference.kind], difference.text) for difference in group])
        for part, group in groupby(differences, key=lambda difference: difference.part)
    ]
