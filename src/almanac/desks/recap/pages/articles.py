"""The list of meetings: filters in any combination, facets with counts, both orders, an address to share."""

from collections.abc import Sequence
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.recap.model.filters import ArticleFilter, Facet, fold_value, parse_filter
from almanac.desks.recap.model.follows import follow_of
from almanac.desks.recap.model.views import ArticlePage, FacetValue
from almanac.desks.recap.pages.follows import find_followed
from almanac.desks.recap.pages.layout import Reader, render_page
from almanac.desks.recap.published.labels import FIELDS
from almanac.desks.recap.published.list_view import (
    explain_error,
    field_word,
    filter_chips,
    query_values,
    shown_value,
    with_values,
    without_value,
)
from almanac.desks.recap.service import search
from almanac.desks.recap.urls import PREFIX, WORKSPACE
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor

router = APIRouter(prefix=PREFIX)
COUNTED: tuple[Facet, ...] = ("category", "house", "meeting", "session", "person", "keyword", "imagekind")
FEEDS = (("atom", "Atom"), ("rss", "RSS"), ("json", "JSON Feed"))
_SHOWN = {"category": 10, "meeting": 8, "session": 6, "person": 8, "keyword": 10}


# A facet beside the list: its word, and its values as (word, count, address, whether it is in force).
FacetLinks = tuple[str, Sequence[tuple[str, int | None, str, bool]]]


@router.get("/articles")
async def show_articles(request: Request, principal: Reader, cursor: Cursor = None) -> Response:
    """Meetings that match all filters."""
    wanted, problem, results = ArticleFilter(), "", ArticlePage()
    try:
        wanted = parse_filter(query_values(request.query_params))
        results = await search.list_articles(
            get_state(request).services,
            wanted,
            facets=COUNTED,
            cursor=cursor,
            forgiving="exact" not in request.query_params,
        )
    except InputError as error:
        problem = explain_error(error)
    return await render_page(
        request,
        principal,
        "articles",
        "list",
        status_code=422 if problem else 200,
        wanted=wanted,
        results=results,
        problem=problem,
        chips=filter_chips(wanted, WORKSPACE),
        follow=(follow := follow_of(wanted)),
        followed=await find_followed(request, principal, follow),
        facet_links=_facet_links(wanted, results),
        save_url=save_url(wanted),
        feeds=feed_urls(wanted),
        bulk_url=export_url(wanted),
        has_filters=bool(wanted.parameters()),
        next_url=WORKSPACE.matching(wanted, ("cursor", results.next_cursor)) if results.next_cursor else "",
        first_url=WORKSPACE.matching(wanted) if cursor else "",
        exact_url=WORKSPACE.matching(wanted, ("exact", "1")),
    )


def save_url(wanted: ArticleFilter) -> str:
    """Where a filter is saved under a name, to be followed by feed or mail."""
    days = f"date:{wanted.since or ''}..{wanted.until or ''}" if wanted.since or wanted.until else ""
    facets = [(facet, value) for facet, values in wanted.chosen.items() for value in values]
    query = [("q", " ".join(part for part in (wanted.text, days) if part)), ("kind", "recap"), ("order", "-date")]
    return "/saved/new?" + urlencode([(name, value) for name, value in [*query, *facets] if value])


def feed_urls(wanted: ArticleFilter) -> list[tuple[str, str]]:
    """The filter as a feed in each form, for programs that bring a token."""
    query = urlencode([(name, value) for name, value in wanted.parameters() if name != "order"])
    return [(name, f"/api/v1/recap/feeds/articles.{form}" + (f"?{query}" if query else "")) for form, name in FEEDS]


def export_url(wanted: ArticleFilter) -> str:
    """Everything that the filter finds as one file, in the order of the list."""
    query = urlencode(wanted.parameters())
    return "/api/v1/recap/feeds/articles.jsonl" + (f"?{query}" if query else "")


def _facet_links(wanted: ArticleFilter, page: ArticlePage) -> list[FacetLinks]:
    return [
        (FIELDS[field_word(facet)], [_link(wanted, value) for value in values])
        for facet in COUNTED
        if (values := _most(wanted, facet, page.facets.get(facet, ())))
    ]


def _most(wanted: ArticleFilter, facet: Facet, values: Sequence[FacetValue]) -> list[FacetValue]:
    """The most frequent values, and those in force."""
    return [value for at, value in enumerate(values) if at < _SHOWN.get(facet, 6) or _is_chosen(wanted, value)]


def _is_chosen(wanted: ArticleFilter, value: FacetValue) -> bool:
    return fold_value(value.value) in map(fold_value, wanted.chosen.get(value.facet, ()))


def _link(wanted: ArticleFilter, value: FacetValue) -> tuple[str, int | None, str, bool]:
    is_on = _is_chosen(wanted, value)
    more = (*wanted.chosen.get(value.facet, ()), value.value)
    other = without_value(wanted, value.facet, value.value) if is_on else with_values(wanted, value.facet, more)
    return shown_value(value.facet, value.value), value.count, WORKSPACE.matching(other), is_on
