"""Links from a search endpoint that answers like SearXNG: `/search?q=…&format=json`."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlencode, urlsplit, urlunsplit

import msgspec

from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import Source
from almanac.desks.news.sources.port import Findings
from almanac.documents.dates import find_ymd_date
from almanac.errors import Conflict, InputError
from almanac.fetch import Fetcher
from almanac.kit.text import one_line

MOST_RESULTS = 200
_NOT_SET = "No search endpoint is set; set ALMANAC_NEWS_SEARCH_URL, or give the source an address."


class _Result(msgspec.Struct):
    url: str = ""
    title: str | None = None
    publishedDate: str | None = None  # noqa: N815 - the endpoint's own name


class _Answer(msgspec.Struct):
    """What an endpoint found; results are read one by one, since some kinds of them have no address."""

    results: list[msgspec.Raw] = msgspec.field(default_factory=list)

    def links(self) -> Iterator[FoundLink]:
        for result in self.results:
            try:
                found = msgspec.json.decode(result, type=_Result)
            except msgspec.MsgspecError:
                continue
            if _is_web(found.url):
                yield _found(found)


@dataclass(frozen=True, slots=True)
class SearchFinder:
    """Searches with the words of a task; an address that the source has wins over the setting."""

    fetcher: Fetcher
    endpoint: str | None

    async def find(self, source: Source, words: str) -> Findings:
        endpoint = source.address or self.endpoint
        if not endpoint:
            raise Conflict(_NOT_SET)
        fetched = await self.fetcher.get(search_address(endpoint, words), accept="application/json")
        return Findings(links=links_in(fetched.body))


def links_in(content: bytes) -> list[FoundLink]:
    """The links that an answer names, each result that has one."""
    try:
        answer = msgspec.json.decode(content, type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError("The search endpoint does not answer in JSON; allow the format json there.") from error
    return list(islice(answer.links(), MOST_RESULTS))


def search_address(endpoint: str, words: str) -> str:
    """The address of a search for some words; an endpoint without a path gets the usual one."""
    parts = urlsplit(endpoint)
    path = parts.path if parts.path.strip("/") else "/search"
    asked = urlencode({"q": words, "format": "json", "categories": "news"})
    return urlunsplit((parts.scheme, parts.netloc, path, f"{parts.query}&{asked}" if parts.query else asked, ""))


def _is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))


def _found(result: _Result) -> FoundLink:
    title = one_line(result.title or "")[:500]
    return FoundLink(url=result.url, title=title, published=find_ymd_date(result.publishedDate or ""))
