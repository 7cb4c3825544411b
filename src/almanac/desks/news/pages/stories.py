"""The reader: the latest stories, each once with all its sources, narrowed by words, tag, country, source and day."""

from collections.abc import Mapping
from datetime import date
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import URL
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.news import service
from almanac.desks.news.pages.layout import PREFIX, Reader, desk_page
from almanac.desks.news.pages.reading import beside_links, language_links, reading_of, remember
from almanac.desks.news.pages.story_view import card_of
from almanac.desks.news.service.articles import FoundStories, StoryFilter
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.kit.paging import Page

router = APIRouter(prefix=PREFIX)
FEEDS = (("rss", "RSS"), ("atom", "Atom"), ("json", "JSON Feed"))
NARROWED = (("tag", "Tag"), ("country", "Country"), ("source", "Source"))
_SHOWN, _WORDS_LIMIT = 12, 2000

FacetLinks = list[tuple[str, list[tuple[str, int | None, str, bool]]]]


@router.get("")
async def show_stories(request: Request, principal: Reader, cursor: Cursor = None) -> Response:
    """The stories that every filter of the address lets through."""
    reading, asked = reading_of(request), request.query_params
    which, found, problem = StoryFilter(), FoundStories(Page([], None)), ""
    try:
        which = filter_of(asked)
        found = await _found(request, principal, which, cursor)
    except InputError as error:
        problem = error.sentence
    response = await desk_page(
        request,
        "stories",
        "reader",
        status_code=422 if problem else 200,
        which=which,
        problem=problem,
        asked=asked,
        cards=[card_of(article, reading) for article in found.page.items],
        found=found,
        reading=reading,
        languages=language_links(request, reading),
        beside=beside_links(request, reading),
        chips=_chips(request.url, which),
        facets=_facets(request.url, which, found.facets),
        feeds=_feeds(which),
        save_url=_save_address(which),
        next_url=next_url(request.url, found.page.next_cursor),
        first_url=first_url(request.url, cursor),
    )
    remember(request, response, reading)
    return response


def filter_of(asked: Mapping[str, str]) -> StoryFilter:
    """The filter that an address stands for."""
    words = asked.get("q", "").strip()
    if len(words) > _WORDS_LIMIT:
        raise InputError(f"Search with {_WORDS_LIMIT:,} characters at most.")
    return StoryFilter(
        words=words,
        tag=asked.get("tag") or None,
        country=asked.get("country") or None,
        source=asked.get("source") or None,
        since=_day(asked.get("from", "")),
        until=_day(asked.get("to", "")),
    )


async def _found(request: Request, principal: Principal, which: StoryFilter, cursor: str | None) -> FoundStories:
    facets = [name for name, _ in NARROWED]
    return await service.find_articles(get_state(request).services, principal, which, facets=facets, cursor=cursor)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise InputError("Write days as year-month-day, such as 2026-03-02.") from error


def _chips(url: URL, which: StoryFilter) -> list[tuple[str, str]]:
    """The filters in force, each with the address without it."""
    named = (
        ("q", "Words", which.words),
        ("tag", "Tag", which.tag),
        ("country", "Country", which.country),
        ("source", "Source", which.source),
        ("from", "From", which.since),
        ("to", "To", which.until),
    )
    return [(f"{word}: {value}", with_query(url, cursor=None, **{name: None})) for name, word, value in named if value]


def _facets(url: URL, which: StoryFilter, counted: Mapping[str, list[tuple[str, int]]]) -> FacetLinks:
    links: FacetLinks = []
    for name, word in NARROWED:
        chosen = getattr(which, name)
        values = [
            (value, count, with_query(url, cursor=None, **{name: None if value == chosen else value}), value == chosen)
            for value, count in counted.get(name, [])[:_SHOWN]
        ]
        if values:
            links.append((word, [(value, count, href, on) for value, count, href, on in values]))
    return links


def _asked(which: StoryFilter) -> dict[str, str]:
    named = {"q": which.words, "tag": which.tag, "country": which.country, "source": which.source}
    return {name: value for name, value in named.items() if value}


def _feeds(which: StoryFilter) -> list[tuple[str, str]]:
    """The same stories as a feed in each form, for programs that bring a token."""
    query = urlencode(_asked(which))
    return [(name, f"/api/v1/news/feeds/{form}" + (f"?{query}" if query else "")) for form, name in FEEDS]


def _save_address(which: StoryFilter) -> str:
    """Where this search is saved under a name, to be followed by feed or mail."""
    days = f"date:{which.since or ''}..{which.until or ''}" if which.since or which.until else ""
    words = " ".join(part for part in (which.words, days) if part)
    return "/saved/new?" + urlencode({**_asked(which), "q": words, "kind": "news", "order": "-date"})
