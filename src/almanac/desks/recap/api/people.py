"""API: people with what they were when, and what they said on one bill."""

from datetime import date
from typing import Annotated

from fastapi import Query, Request

from almanac.desks.recap import service
from almanac.desks.recap.api.dependencies import ArticlesBody, CardBody, Name, Reader, new_router
from almanac.http.api_models import Model, Text
from almanac.http.paging import Cursor, Limit
from almanac.http.surface import surface_of

router = new_router()
Key = Annotated[Text | None, Query(description="The key of one person among namesakes.")]


class IdentityBody(Model):
    """One person among namesakes."""

    key: str
    name: str
    yomi: str
    articles: int


class OfficeBody(Model):
    """What a person was on one day."""

    day: date
    group: str
    position: str
    role: str
    article_id: str


class PersonBody(Model):
    """A person, who else has the name, what they were when, and their articles."""

    identity: IdentityBody
    namesakes: list[IdentityBody]
    offices: list[OfficeBody]
    articles: ArticlesBody


class QuotationBody(Model):
    """What a person said in one speech, in the words of the record."""

    card: CardBody
    order: int
    sentences: list[str]
    path: str
    official_url: str


@router.get("/people/{name}")
async def person(
    request: Request, name: Name, _principal: Reader, key: Key = None, cursor: Cursor = None, limit: Limit = 20
) -> PersonBody:
    """A person by name, and by key where several have it."""
    found = await service.person(surface_of(request).services, name, key=key, cursor=cursor, limit=limit)
    return PersonBody(
        identity=IdentityBody.model_validate(found.identity),
        namesakes=[IdentityBody.model_validate(one) for one in found.namesakes],
        offices=[OfficeBody.model_validate(one) for one in found.offices],
        articles=ArticlesBody.of(found.articles),
    )


@router.get("/people/{name}/quotations")
async def quotations(
    request: Request,
    name: Name,
    _principal: Reader,
    bill: Annotated[Text, Query(min_length=1, description="The key of the bill.")],
    key: Key = None,
) -> list[QuotationBody]:
    """What a person said on a bill over time: quotations only."""
    found = await service.quotations(surface_of(request).services, name, bill, key=key)
    return [QuotationBody.model_validate(one) for one in found]
