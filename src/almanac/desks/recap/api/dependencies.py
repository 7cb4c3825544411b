"""What the desk's API routes share: who may come in, how a filter stands in an address, and cards of articles."""

from datetime import date
from typing import Annotated, get_args

from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.desks.recap.filters import ArticleFilter, ArticleOrder, Facet, filter_from
from almanac.desks.recap.table import ArticleCard
from almanac.desks.recap.views import ArticlePage, FacetValue, Listed
from almanac.http.api_models import API_PREFIX, Model, Text
from almanac.http.guards import require
from almanac.http.idempotency.route import IdempotentRoute

PREFIX = f"{API_PREFIX}/recap"
Reader = Annotated[Principal, require("desk.recap.read")]
Operator = Annotated[Principal, require("desk.recap.write")]
Name = Annotated[str, Path(min_length=1, max_length=200)]
Values = Annotated[list[Text], Query(max_length=20)]
Facets = Annotated[list[Facet], Query(max_length=len(get_args(Facet)), description="Count these facets.")]


def new_router() -> APIRouter:
    """A router of this desk; POSTs may carry an Idempotency-Key."""
    return APIRouter(prefix=PREFIX, tags=["recap"], route_class=IdempotentRoute)


def filter_in_address(
    category: Values = [],  # noqa: B006 - read only
    person: Values = [],  # noqa: B006 - read only
    keyword: Values = [],  # noqa: B006 - read only
    session: Values = [],  # noqa: B006 - read only
    house: Values = [],  # noqa: B006 - read only
    meeting: Values = [],  # noqa: B006 - read only
    imagekind: Values = [],  # noqa: B006 - read only
    issue: Annotated[Values, Query(description="The issueID of a record.")] = [],  # noqa: B006 - read only
    bill: Annotated[Values, Query(description="The key of a bill.")] = [],  # noqa: B006 - read only
    speaker: Annotated[Values, Query(description="The key of one person among namesakes.")] = [],  # noqa: B006 - read only
    q: Annotated[Text, Query(description="Words that must occur, in the syntax of search.")] = "",
    since: Annotated[date | None, Query(alias="from", description="First day of meetings.")] = None,
    until: Annotated[date | None, Query(description="Last day of meetings.")] = None,
    order: ArticleOrder = "newest",
) -> ArticleFilter:
    """Of several values for one facet any will do; several facets must all hold."""
    return filter_from(
        {
            "category": category,
            "person": person,
            "keyword": keyword,
            "session": session,
            "house": house,
            "meeting": meeting,
            "imagekind": imagekind,
            "issue": issue,
            "bill": bill,
            "speaker": speaker,
            "q": [q],
            "from": [since.isoformat() if since else ""],
            "until": [until.isoformat() if until else ""],
            "order": [order],
        }
    )


Wanted = Annotated[ArticleFilter, Depends(filter_in_address)]


class CardBody(Model):
    """An article as a list shows it."""

    id: str
    title: str
    date: str
    month: str | None
    image_kind: str | None
    session: int | None
    name_of_house: str | None
    name_of_meeting: str | None
    categories: list[str]
    description: str | None

    @classmethod
    def of(cls, card: ArticleCard) -> "CardBody":
        return cls.model_validate(card)


class SpanBody(Model):
    """A piece of text, marked where it matches."""

    text: str
    marked: bool


class ListedBody(CardBody):
    """An article that was found."""

    snippet: list[SpanBody] = Field(description="Where the words stand; empty without words.")

    @classmethod
    def of_listed(cls, listed: Listed) -> "ListedBody":
        spans = [SpanBody.model_validate(span) for span in listed.snippet]
        return cls(**CardBody.of(listed.card).model_dump(), snippet=spans)


class ValueBody(Model):
    """A value to filter by, and how many articles have it."""

    facet: Facet
    value: str
    count: int

    @classmethod
    def of(cls, value: FacetValue) -> "ValueBody":
        return cls.model_validate(value)


class ArticlesBody(Model):
    """One page of articles; facets and total only where facets were asked for."""

    items: list[ListedBody]
    next_cursor: str | None = Field(description="Send it as `cursor` for the next page; null where the list ends.")
    total: int | None
    total_is_exact: bool = Field(description="False where there are more.")
    facets_among: int | None = Field(description="Of how many of the newest facets are counted; null where of all.")
    facets: dict[Facet, list[ValueBody]]

    @classmethod
    def of(cls, page: ArticlePage) -> "ArticlesBody":
        return cls(
            items=[ListedBody.of_listed(listed) for listed in page.items],
            next_cursor=page.next_cursor,
            total=page.total,
            total_is_exact=page.total_is_exact,
            facets_among=page.facets_among,
            facets={facet: [ValueBody.of(one) for one in found] for facet, found in page.facets.items()},
        )
