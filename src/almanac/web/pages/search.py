"""Global search: documents of every desk with one query syntax, grouped by kind, and pages of the product."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.auth import signed_in
from almanac.http.language_choice import choose_language, reader_languages, title_languages
from almanac.http.pages import render_page
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.kit.locale_formats import name_language
from almanac.kit.messages import gettext
from almanac.search import FacetCount, SearchHit, SearchIndex, SearchOrder, SearchResults, SearchSurvey, SearchViewer
from almanac.search.query_parser import MAX_QUERY_LENGTH
from almanac.web.page_finder import find_pages

pages = APIRouter()
ORDERS = (
    ("relevance", gettext("Most relevant")),
    ("-date", gettext("Newest first")),
    ("date", gettext("Oldest first")),
)

_HITS_PER_GROUP = 4

Facet = tuple[str, str, str, bool]


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """The best matches of one kind, their number, and the URL of all."""

    kind: str
    title: str
    found: FacetCount
    href: str
    hits: Sequence[SearchHit]

    @property
    def count(self) -> str:
        return _count(self.found)

    @property
    def is_whole(self) -> bool:
        return self.found.count == len(self.hits)


@dataclass(frozen=True, slots=True)
class _SearchAsked:
    """What the URL asks for."""

    words: str
    kind: str
    lang: str
    order: SearchOrder
    exact: bool
    cursor: str | None

    @property
    def is_chosen(self) -> bool:
        """Whether one list is asked for instead of the best of every kind."""
        return bool(self.kind or self.lang or self.cursor) or self.order != "relevance"


@dataclass(frozen=True, slots=True)
class SearchMatches:
    """What is listed, the counts of everything that matches, and the best of every kind."""

    results: SearchResults = field(default_factory=SearchResults)
    all_results: SearchResults = field(default_factory=SearchResults)
    groups: Sequence[ResultGroup] = ()


@pages.get("/search")
async def search(
    request: Request,
    principal: Annotated[Principal, signed_in()],
    q: Annotated[str, Query(max_length=MAX_QUERY_LENGTH)] = "",
    kind: Annotated[str, Query(max_length=100)] = "",
    lang: Annotated[str, Query(max_length=20)] = "",
    order: SearchOrder = "relevance",
    exact: bool = False,
    cursor: Cursor = None,
) -> Response:
    """Show everything that matches and that the person may open."""
    state, words, problem = get_state(request), q.strip(), ""
    matches = SearchMatches()
    if words:
        asked = _SearchAsked(words, kind, lang, order, exact, cursor)
        try:
            matches = await _search(request, principal, asked)
        except InputError as error:
            problem = error.sentence
    language, places = choose_language(request), []
    if words and not cursor:
        places = await find_pages(state.services, state.desks, principal, words, language=language)
    index, results, all_results = state.services.search, matches.results, matches.all_results
    return await render_page(
        request,
        "search.html",
        q=q,
        results=results,
        groups=matches.groups,
        places=places,
        problem=problem,
        corrections=results.corrections,
        exact=exact,
        exact_url=with_query(request.url, exact="1", cursor=None),
        order=order,
        orders=ORDERS,
        kinds=index.kinds,
        facets=_facets(request, index, all_results, kind),
        chips=_chips(request, lang),
        save_url=with_query(request.url.replace(path="/saved/new"), cursor=None),
        languages=_languages(request, all_results, lang),
        facets_among=all_results.facets_among,
        kind=kind,
        lang=lang,
        next_url=next_url(request.url, results.next_cursor),
        first_url=first_url(request.url, cursor),
    )


async def _search(request: Request, principal: Principal, asked: _SearchAsked) -> SearchMatches:
    index, viewer = get_state(request).services.search, SearchViewer.for_principal(principal)
    languages = reader_languages(request)
    survey = await index.survey(
        asked.words,
        viewer=viewer,
        facets=["lang"],
        each=0 if asked.is_chosen else _HITS_PER_GROUP,
        forgiving=not asked.exact,
        languages=languages,
    )
    if not asked.is_chosen:
        return SearchMatches(_titled(request, survey.results), survey.results, _groups(request, index, survey))
    results = await index.find(
        asked.words,
        viewer=viewer,
        kinds=[asked.kind] if asked.kind else [],
        filters={"lang": [asked.lang] if asked.lang else []},
        order=asked.order,
        cursor=asked.cursor,
        forgiving=not asked.exact,
        languages=languages,
    )
    return SearchMatches(_titled(request, results), survey.results)


def _titled(request: Request, results: SearchResults) -> SearchResults:
    """Results with titles in the language that the reader sees them in at their desk."""
    languages = title_languages(request)
    return replace(results, hits=[hit.titled_in(languages) for hit in results.hits])


def _groups(request: Request, index: SearchIndex, survey: SearchSurvey) -> list[ResultGroup]:
    """The kinds of matches, starting with that of the best document; none if there is only one kind."""
    counts = {facet.value: facet for facet in survey.results.facets.get("kind", ())}
    languages = title_languages(request)
    groups = [
        ResultGroup(
            kind,
            _plural(index, kind),
            counts[kind],
            _kind_url(request, kind),
            [hit.titled_in(languages) for hit in hits],
        )
        for kind, hits in survey.best.items()
        if hits
    ]
    return sorted(groups, key=lambda group: -group.hits[0].score)


def _plural(index: SearchIndex, kind: str) -> str:
    searchable = index.kinds.get(kind)
    return searchable.plural if searchable else kind


def _kind_url(request: Request, kind: str) -> str:
    return with_query(request.url, kind=kind, cursor=None)


def _facets(request: Request, index: SearchIndex, results: SearchResults, chosen: str) -> list[Facet]:
    """The kinds of matches with their counts; none if there is nothing to choose between."""
    counts = results.facets.get("kind", ())
    if len(counts) < 2 and not chosen:
        return []
    total = _count(FacetCount("", results.total, results.or_more))
    kinds: list[Facet] = [(gettext("All"), total, with_query(request.url, kind=None, cursor=None), not chosen)]
    for facet in counts:
        href = _kind_url(request, facet.value)
        kinds.append((_plural(index, facet.value), _count(facet), href, chosen == facet.value))
    return kinds


def _count(facet: FacetCount) -> str:
    return f"{facet.count:,}{'+' if facet.or_more else ''}"


def _languages(request: Request, results: SearchResults, chosen: str) -> list[Facet]:
    """The languages of the matches with their counts, unless one is selected."""
    counts = results.facets.get("lang", ())
    if len(counts) < 2 or chosen:
        return []
    links = [with_query(request.url, lang=facet.value, cursor=None) for facet in counts]
    return [
        (_language(request, facet.value), _count(facet), link, False) for facet, link in zip(counts, links, strict=True)
    ]


def _chips(request: Request, lang: str) -> list[tuple[str, str]]:
    if not lang:
        return []
    return [
        (gettext("Language: %(lang)s", lang=_language(request, lang)), with_query(request.url, lang=None, cursor=None))
    ]


def _language(request: Request, code: str) -> str:
    return name_language(code, choose_language(request))
