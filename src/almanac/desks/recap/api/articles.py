"""API: articles by any filter, one with its texts, its versions and what changed between them."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from fastapi import Query, Request

from almanac.desks.recap import service
from almanac.desks.recap.api.dependencies import ArticlesBody, CardBody, Facets, Reader, ValueBody, Wanted, new_router
from almanac.desks.recap.filters import Facet
from almanac.desks.recap.views import BareArticle, FullArticle, Part
from almanac.http.api_models import Id, Model, Text
from almanac.http.paging import Cursor, Limit
from almanac.http.surface import surface_of

router = new_router()


class SpeechBody(Model):
    """A speech in the words of the official record."""

    order: int
    id: str
    speaker: str
    yomi: str | None
    group: str | None
    position: str | None
    role: str | None
    text: str
    url: str | None


class ArticleBody(Model):
    """An article with its texts; `asset` is what `asset.json` holds, `speeches` the record it rests on.

    Where another program wrote it, `asset` is as that program keeps it and `problem` says what can't be read here.
    """

    article: CardBody
    issue_id: str
    version: int
    latest: int
    updated_at: datetime | None
    official_url: str | None
    asset: dict[str, Any]
    speeches: list[SpeechBody]
    problem: str | None = None

    @classmethod
    def of(cls, full: FullArticle) -> "ArticleBody":
        return cls(
            article=CardBody.of(full.card),
            issue_id=full.issue_id,
            version=full.version,
            latest=full.latest,
            updated_at=full.updated_at,
            official_url=full.meeting.url,
            asset=msgspec.to_builtins(full.recap),
            speeches=[SpeechBody.model_validate(speech) for speech in full.meeting.speeches],
        )

    @classmethod
    def of_bare(cls, bare: BareArticle) -> "ArticleBody":
        filed = {"participants": list(bare.people), "keywords": list(bare.keywords), "terms": list(bare.terms)}
        return cls(
            article=CardBody.of(bare.card),
            issue_id=bare.issue_id,
            version=1,
            latest=1,
            updated_at=bare.updated_at,
            official_url=None,
            asset={**filed, **bare.asset},
            speeches=[],
            problem=bare.problem,
        )


class VersionBody(Model):
    """One version of an article."""

    number: int
    title: str
    made_at: datetime
    model: str
    prompt_version: str
    record_digest: str
    reason: str


class DifferenceBody(Model):
    """A line that is only in the older or only in the newer version."""

    part: Part
    kind: Literal["added", "removed"]
    text: str


class HeadlinesBody(Model):
    """The desk at a glance."""

    latest: list[CardBody]
    keywords: list[ValueBody]
    people: list[ValueBody]


@router.get("/articles")
async def list_articles(
    request: Request,
    _principal: Reader,
    wanted: Wanted,
    facet: Facets = [],  # noqa: B006 - read only
    cursor: Cursor = None,
    limit: Limit = 20,
) -> ArticlesBody:
    """Articles by any combination of filters, by day."""
    services = surface_of(request).services
    return ArticlesBody.of(await service.list_articles(services, wanted, facets=facet, cursor=cursor, limit=limit))


@router.get("/articles/{article_id}")
async def get_article(
    request: Request, article_id: Id, _principal: Reader, version: Annotated[int | None, Query(ge=1, le=10**6)] = None
) -> ArticleBody:
    """An article with its texts and its official record; an older version where one is asked for."""
    found = await service.show_article(surface_of(request).services, article_id, version)
    return ArticleBody.of_bare(found) if isinstance(found, BareArticle) else ArticleBody.of(found)


@router.get("/articles/{article_id}/versions")
async def list_versions(request: Request, article_id: Id, _principal: Reader) -> list[VersionBody]:
    """Every version of an article, the latest first."""
    found = await service.list_versions(surface_of(request).services, article_id)
    return [VersionBody.model_validate(one) for one in found]


@router.get("/articles/{article_id}/diff")
async def compare_versions(
    request: Request,
    article_id: Id,
    _principal: Reader,
    older: Annotated[int, Query(ge=1, le=10**6)],
    newer: Annotated[int, Query(ge=1, le=10**6)],
) -> list[DifferenceBody]:
    """What a regeneration changed."""
    found = await service.compare_versions(surface_of(request).services, article_id, older, newer)
    return [DifferenceBody.model_validate(one) for one in found]


@router.get("/headlines")
async def headlines(request: Request, _principal: Reader) -> HeadlinesBody:
    """The latest articles, and what and who was most in them lately."""
    return HeadlinesBody.model_validate(await service.headlines(surface_of(request).services))


@router.get("/suggest")
async def suggest(
    request: Request,
    _principal: Reader,
    q: Annotated[Text, Query(description="How the value begins.")] = "",
    facet: Annotated[Facet | None, Query(description="Only values of this facet.")] = None,
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
) -> list[ValueBody]:
    """Values to filter by that begin with a text, whatever its case and width."""
    found = await service.suggest(surface_of(request).services, q, facet=facet, limit=limit)
    return [ValueBody.of(one) for one in found]
