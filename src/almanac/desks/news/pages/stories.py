"""Stories: the list with filters by words, tag, country, source and day, and the page of one story."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.datastructures import URL
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.citations.passages import parse_quote
from almanac.citations.store import list_visible_citations
from almanac.desks.news.indexing import KIND
from almanac.desks.news.model.articles import NewsArticle
from almanac.desks.news.model.readable_story import build_readable_story
from almanac.desks.news.pages.layout import PREFIX, Reader, RowNumber, Writer, desk_page
from almanac.desks.news.pages.story_view import (
    beside_links,
    build_story_card,
    choose_languages,
    language_links,
    remember_languages,
    split_paragraphs,
)
from almanac.desks.news.service import articles
from almanac.desks.news.service.articles import FoundStories, StoryFilter
from almanac.desks.news.urls import reader_path
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.language_choice import reader_languages
from almanac.http.pages import redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.kit.messages import country_text, gettext, pgettext
from almanac.kit.paging import Page
from almanac.llm.model_config import EXTRACTIVE
from almanac.reader.service import get_progress

router = APIRouter(prefix=PREFIX)
FEEDS = (("rss", "RSS"), ("atom", "Atom"), ("json", "JSON Feed"))
FACETS = (("tag", gettext("Tag")), ("country", gettext("Country")), ("source", gettext("Source")))
_SHOWN, _WORDS_LIMIT = 12, 2000

FacetLinks = list[tuple[str, list[tuple[str, int | None, str, bool]]]]


@router.get("")
async def show_stories(request: Request, principal: Reader, cursor: Cursor = None) -> Response:
    """The stories that match the filters in the URL."""
    reading, asked = choose_languages(request), request.query_params
    which, stories, problem = StoryFilter(), FoundStories(Page([], None)), ""
    try:
        which = parse_story_filter(asked)
        stories = await _find_stories(request, principal, which, cursor)
    except InputError as error:
        problem = error.sentence
    response = await desk_page(
        request,
        "stories",
        "stories",
        status_code=422 if problem else 200,
        which=which,
        problem=problem,
        asked=asked,
        cards=[build_story_card(article, reading) for article in stories.page.items],
        found=stories,
        reading=reading,
        languages=language_links(request),
        beside=beside_links(request, reading),
        chips=_chips(request.url, which),
        facets=_facets(request.url, which, stories.facets),
        feeds=_feeds(which),
        save_url=_save_url(which),
        next_url=next_url(request.url, stories.page.next_cursor),
        first_url=first_url(request.url, cursor),
        exact_url=with_query(request.url, exact="1", cursor=None),
    )
    remember_languages(request, response, reading)
    return response


@router.get("/stories/{number}")
async def show_story(
    request: Request, number: RowNumber, principal: Reader, quote: Annotated[str, Query(max_length=20)] = ""
) -> Response:
    """A story in the reader's languages; `quote` marks a range of the article."""
    services = get_state(request).services
    article = await articles.get_article(services, number)
    reading = choose_languages(request)
    response = await desk_page(
        request,
        "stories",
        "story",
        card=build_story_card(article, reading),
        article=article,
        paragraphs=split_paragraphs(article, parse_quote(quote)),
        uses=await list_visible_citations(services.database, principal, KIND.name, str(number)),
        reading=reading,
        written=_written(article),
        progress=await get_progress(services.database, build_readable_story(article, reading.language)),
        reader_href=reader_path(number),
        languages=language_links(request),
        beside=beside_links(request, reading),
    )
    remember_languages(request, response, reading)
    return response


@router.post("/stories/{number}/rewrite")
async def ask_model_again(request: Request, number: RowNumber, principal: Writer) -> Response:
    """Ask the model again about a story that extraction wrote in its place."""
    await articles.ask_model_again(get_state(request).services, principal, number)
    return redirect_with_message(
        request, f"{PREFIX}/stories/{number}", gettext("The model will be asked again in a moment.")
    )


def _written(article: NewsArticle) -> str:
    """Who wrote the points, and whether they were checked; empty where unknown."""
    match article.metadata.get("writer"):
        case None | "":
            return ""
        case "demo":
            return gettext("Invented for the demo.")
        case writer if writer == EXTRACTIVE:
            return gettext("The points are sentences of the article, some of them shortened. No model wrote them.")
        case writer if article.points:
            return gettext(
                "Written by %(writer)s. Rules compared each point with the sentence that its number leads to: figures, "
                "dates, names, quotations and words. They can miss a changed meaning.",
                writer=writer,
            )
        case writer:
            # Points of other programs have no positions in the article and weren't checked.
            return gettext("Written by %(writer)s. Nothing was checked against the article.", writer=writer)


def parse_story_filter(asked: Mapping[str, str]) -> StoryFilter:
    """The filter in the query string. InputError for a bad day or a query that is too long."""
    words = asked.get("q", "").strip()
    if len(words) > _WORDS_LIMIT:
        raise InputError(gettext("A search may have %(limit)s characters at most.", limit=f"{_WORDS_LIMIT:,}"))
    return StoryFilter(
        words=words,
        tag=asked.get("tag") or None,
        country=asked.get("country") or None,
        source=asked.get("source") or None,
        since=_day(asked.get("from", "")),
        until=_day(asked.get("to", "")),
    )


async def _find_stories(request: Request, principal: Principal, which: StoryFilter, cursor: str | None) -> FoundStories:
    return await articles.find_articles(
        get_state(request).services,
        principal,
        which,
        facets=[name for name, _ in FACETS],
        cursor=cursor,
        forgiving="exact" not in request.query_params,
        languages=reader_languages(request),
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise InputError(gettext("That isn't a date; use 2026-03-02.")) from error


def _chips(url: URL, which: StoryFilter) -> list[tuple[str, str]]:
    """The active filters, each with the URL without it."""
    named = (
        ("q", gettext("Words"), which.words),
        ("tag", gettext("Tag"), which.tag),
        ("country", gettext("Country"), country_text(which.country) if which.country else ""),
        ("source", gettext("Source"), which.source),
        ("from", pgettext("day", "From"), which.since),
        ("to", pgettext("day", "To"), which.until),
    )
    return [
        (gettext("%(name)s: %(value)s", name=word, value=value), with_query(url, cursor=None, **{name: None}))
        for name, word, value in named
        if value
    ]


def _facets(url: URL, which: StoryFilter, counted: Mapping[str, list[tuple[str, int]]]) -> FacetLinks:
    links: FacetLinks = []
    for name, word in FACETS:
        chosen = getattr(which, name)
        values = [
            (value, count, with_query(url, cursor=None, **{name: None if value == chosen else value}), value == chosen)
            for value, count in counted.get(name, [])[:_SHOWN]
        ]
        if values:
            links.append((word, [(facet_text(name, value), count, href, on) for value, count, href, on in values]))
    return links


def facet_text(name: str, value: str) -> str:
    """A value of a facet as people read it: countries by name, everything else as it is."""
    return country_text(value) if name == "country" else value


def _asked(which: StoryFilter) -> dict[str, str]:
    named = {"q": which.words, "tag": which.tag, "country": which.country, "source": which.source}
    return {name: value for name, value in named.items() if value}


def _feeds(which: StoryFilter) -> list[tuple[str, str]]:
    """The same stories as a feed in each format, for programs with an API token."""
    query = urlencode(_asked(which))
    return [(name, f"/api/v1/news/feeds/{form}" + (f"?{query}" if query else "")) for form, name in FEEDS]


def _save_url(which: StoryFilter) -> str:
    """The page that saves this search, to follow it by feed or mail."""
    days = f"date:{which.since or ''}..{which.until or ''}" if which.since or which.until else ""
    words = " ".join(part for part in (which.words, days) if part)
    return "/saved/new?" + urlencode({**_asked(which), "q": words, "kind": "news", "order": "-date"})
