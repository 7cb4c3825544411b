"""Links from a web search: an endpoint that answers like SearXNG, or a language model with a search tool."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlencode, urlsplit, urlunsplit

import msgspec

from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import LinkSource
from almanac.desks.news.sources.base import SourceResult
from almanac.documents.dates import find_ymd_date
from almanac.errors import Conflict, InputError
from almanac.fetch import Fetcher
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.llm.web_search import WebSearch

MAX_RESULTS, TITLE_LIMIT = 200, 500
_NOT_SET = gettext("No search endpoint is set; set ALMANAC_NEWS_SEARCH_URL, or give the source an address.")


class _SearchResult(msgspec.Struct):
    url: str = ""
    title: str | None = None
    publishedDate: str | None = None  # noqa: N815 - the endpoint's own name


class _SearchResponse(msgspec.Struct):
    """Results are decoded one by one, because some kinds of result have no address."""

    results: list[msgspec.Raw] = msgspec.field(default_factory=list)

    def links(self) -> Iterator[FoundLink]:
        for raw in self.results:
            try:
                result = msgspec.json.decode(raw, type=_SearchResult)
            except msgspec.MsgspecError:
                continue
            if _is_web(result.url):
                title = one_line(result.title or "")[:TITLE_LIMIT]
                published = find_ymd_date(result.publishedDate or "")
                yield FoundLink(url=result.url, title=title, published=published)


@dataclass(frozen=True, slots=True)
class SearchFinder:
    """Searches for the words of a task. The address of the source wins over the setting."""

    fetcher: Fetcher
    endpoint: str | None

    async def find(self, source: LinkSource, words: str) -> SourceResult:
        endpoint = source.address or self.endpoint
        if not endpoint:
            raise Conflict(_NOT_SET)
        fetched = await self.fetcher.get(search_url(endpoint, words), accept="application/json")
        return SourceResult(links=parse_results(fetched.body))


@dataclass(frozen=True, slots=True)
class ModelFinder:
    """Asks the model set for the step `web_search`. Only pages that its search tool returned count."""

    search: WebSearch

    async def find(self, source: LinkSource, words: str) -> SourceResult:
        pages = await self.search.search(words, desk="news", subject=source.title or "query task")
        links = [
            FoundLink(url=page.url, title=one_line(page.title)[:TITLE_LIMIT]) for page in pages if _is_web(page.url)
        ]
        return SourceResult(links=links[:MAX_RESULTS])


def parse_results(content: bytes) -> list[FoundLink]:
    """The links in a JSON response. InputError where it isn't JSON."""
    try:
        response = msgspec.json.decode(content, type=_SearchResponse)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(gettext("The search endpoint doesn't answer in JSON; enable its JSON format.")) from error
    return list(islice(response.links(), MAX_RESULTS))


def search_url(endpoint: str, words: str) -> str:
    """The URL of a search; an endpoint without a path gets `/search`."""
    parts = urlsplit(endpoint)
    path = parts.path if parts.path.strip("/") else "/search"
    query = urlencode({"q": words, "format": "json", "categories": "news"})
    return urlunsplit((parts.scheme, parts.netloc, path, f"{parts.query}&{query}" if parts.query else query, ""))


def _is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))
