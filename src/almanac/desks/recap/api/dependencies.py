"""What the API routes share: who may call them, the router, and the article filter in a query string."""

from datetime import date
from typing import Annotated, get_args

from fastapi import APIRouter, Depends, Path, Query

from almanac.accounts.model import Principal
from almanac.desks.recap.model.filters import ArticleFilter, ArticleOrder, Facet, parse_filter
from almanac.desks.recap.permissions import READ, WRITE
from almanac.http.api_models import API_PREFIX, Text
from almanac.http.auth import require
from almanac.http.idempotency.route import IdempotentRoute

PREFIX = f"{API_PREFIX}/recap"
Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
Name = Annotated[str, Path(min_length=1, max_length=200)]
Values = Annotated[list[Text], Query(max_length=20)]
Facets = Annotated[list[Facet], Query(max_length=len(get_args(Facet)), description="Count these facets.")]


def new_router() -> APIRouter:
    """A router of this desk; POST requests may carry an Idempotency-Key."""
    return APIRouter(prefix=PREFIX, tags=["recap"], route_class=IdempotentRoute)


def query_filter(
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
    """The article filter of a request. Values of one facet are alternatives; different facets must all match."""
    return parse_filter(
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


QueryFilter = Annotated[ArticleFilter, Depends(query_filter)]
