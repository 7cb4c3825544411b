"""API: search over the documents of every desk."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import AwareDatetime, Field

from almanac.accounts.model import Principal
from almanac.errors import InputError
from almanac.http.api_models import API_PREFIX, ApiModel, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import signed_in
from almanac.http.language_choice import reader_languages
from almanac.http.paging import Cursor, Limit
from almanac.kit.messages import gettext
from almanac.search import SearchOrder, SearchViewer
from almanac.search.fields import ALIASES

router = APIRouter(prefix=f"{API_PREFIX}/search", tags=["search"])

Names = Annotated[list[Text], Query(max_length=20)]


class SpanBody(ApiModel):
    """A piece of text; `marked` if it matches."""

    text: str
    marked: bool


class SearchHitBody(ApiModel):
    """A matching document."""

    kind: str
    id: str
    title: str
    path: str = Field(description="Its path on this site.")
    language: str
    date: datetime | None
    facets: dict[str, list[str]]
    fields: dict[str, str]
    score: float
    marked_title: list[SpanBody]
    snippet: list[SpanBody]


class FacetBody(ApiModel):
    """A facet value, and how many of the matching documents have it."""

    value: str
    count: int
    or_more: bool = Field(description="Whether counting stopped at this number.")


class CorrectionBody(ApiModel):
    """A word and those that were also searched for; none where one character of it may differ."""

    word: str
    alternatives: list[str]


class SearchResultsBody(Listed[SearchHitBody]):
    """A page of matches; total and facets cover all matches, up to ten thousand."""

    total: int
    or_more: bool = Field(description="Whether there are more matches than the total.")
    facets_among: int | None = Field(
        description="How many of the newest documents the other facets count; null for all."
    )
    facets: dict[str, list[FacetBody]]
    corrections: list[CorrectionBody] = Field(
        description="Words of the query with few matches, and what was also searched for; its matches come last."
    )


@router.get("")
async def search(
    request: Request,
    principal: Annotated[Principal, signed_in()],
    q: Annotated[Text, Query(description="The query; an empty one finds everything.")] = "",
    kind: Annotated[Names, Query(description="Only these kinds of documents.")] = [],  # noqa: B006 - read only
    filter: Annotated[Names, Query(description="`name:value`; several values of one name are alternatives.")] = [],  # noqa: A002, B006 - the word a caller expects; read only
    facet: Annotated[Names, Query(description="Count these facets.")] = [],  # noqa: B006 - read only
    sort: SearchOrder = "relevance",
    since: AwareDatetime | None = None,
    until: AwareDatetime | None = None,
    exact: Annotated[
        bool, Query(description="Don't search for similar words where those of the query are rare.")
    ] = False,
    cursor: Cursor = None,
    limit: Limit = 20,
) -> SearchResultsBody:
    """Search the documents that the caller may see, best match first or by date."""
    index = get_state(request).services.search
    results = await index.find(
        q,
        viewer=SearchViewer.for_principal(principal),
        kinds=kind,
        filters=_parse_filters(filter, {name for kind in index.kinds.values() for name in kind.facets}),
        facets=facet,
        order=sort,
        since=since,
        until=until,
        cursor=cursor,
        limit=limit,
        forgiving=not exact,
        languages=reader_languages(request),
    )
    return SearchResultsBody(
        items=[SearchHitBody.model_validate(hit) for hit in results.hits],
        next_cursor=results.next_cursor,
        total=results.total,
        or_more=results.or_more,
        facets_among=results.facets_among,
        corrections=[CorrectionBody.model_validate(correction) for correction in results.corrections],
        facets={name: [FacetBody.model_validate(count) for count in counts] for name, counts in results.facets.items()},
    )


def _parse_filters(written: list[str], facets: Collection[str]) -> dict[str, list[str]]:
    filters: dict[str, list[str]] = {}
    allowed = ("kind", "lang", *sorted(facets))
    for pair in written:
        name, colon, value = pair.partition(":")
        if not (name and colon and value):
            raise InputError(
                gettext("The filter “%(pair)s” can't be read; use name:value, such as tag:rice.", pair=pair)
            )
        if (field := ALIASES.get(name, name)) not in allowed:
            raise InputError(
                gettext(
                    "There is no field “%(name)s” to filter by; use one of %(fields)s.",
                    name=name,
                    fields=", ".join(allowed),
                )
            )
        filters.setdefault(field, []).append(value)
    return filters
