"""What was published about a meeting before, and what each new version changed; open to every reader."""

from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.recap import service
from almanac.desks.recap.pages.layout import PREFIX, ArticleId, Reader, show
from almanac.desks.recap.views import Difference
from almanac.http.surface import surface_of

router = APIRouter(prefix=PREFIX + "/articles/{article_id}")
Version = Annotated[int, Query(ge=1, le=1_000_000)]
_SIGNS = {"added": "+", "removed": "-"}

Lines = list[tuple[str, str]]


@router.get("/versions")
async def show_versions(request: Request, article_id: ArticleId, principal: Reader) -> Response:
    """Every version, the latest first."""
    services = surface_of(request).services
    article = await service.open_article(services, article_id)
    versions = await service.list_versions(services, article_id)
    return await show(request, principal, "articles", "versions", article=article, card=article.card, versions=versions)


@router.get("/compare")
async def compare(
    request: Request, article_id: ArticleId, principal: Reader, older: Version = 1, newer: Version = 2
) -> Response:
    """What one version says otherwise than another."""
    services = surface_of(request).services
    article = await service.open_article(services, article_id)
    found = await service.compare_versions(services, article_id, older, newer)
    return await show(
        request,
        principal,
        "articles",
        "compare",
        article=article,
        card=article.card,
        older=older,
        newer=newer,
        parts=_by_part(found),
    )


def _by_part(differences: list[Difference]) -> list[tuple[str, Lines]]:
    return [
        (part, [(_SIGNS[one.kind], one.text) for one in group])
        for part, group in groupby(differences, key=lambda one: one.part)
    ]
