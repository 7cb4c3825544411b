"""Links from a page without a feed: those that look like articles of the same site."""

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from almanac.desks.news.model.canonical_urls import canonical_url
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import LinkSource
from almanac.desks.news.sources.base import DomainRateLimiter, SourceResult
from almanac.documents.charset import decode_text
from almanac.documents.html import parse_html
from almanac.documents.model import Unreadable
from almanac.errors import InputError
from almanac.fetch import Conditions, Fetched, Fetcher
from almanac.kit.messages import gettext
from almanac.kit.text import one_line

MAX_LINKS = 300
_FEWEST_TITLE_WORDS, _FEWEST_TITLE_CHARACTERS = 4, 8
_CJK = re.compile(r"[\u3400-\u9fff]")
_ARTICLE_PATH = re.compile(r"\d{4,}|[a-z0-9]+(?:-[a-z0-9]+){3,}|\.html?$", re.IGNORECASE)
_SECTION_PATH = re.compile(
    r"/(?:tag|tags|category|categories|author|authors|login|sign-?in|register|search|about|contact|privacy|terms|page)(?:/|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SiteFinder:
    """Reads a page, such as a site's news section, for links that look like articles."""

    fetcher: Fetcher
    limiter: DomainRateLimiter

    async def find(self, source: LinkSource, words: str) -> SourceResult:  # noqa: ARG002 - a page is not searched
        conditions = Conditions(etag=source.etag, last_modified=source.last_modified)
        async with self.limiter.slot(source.address):
            fetched = await self.fetcher.get(source.address, accept="text/html", conditions=conditions)
        if fetched.not_modified:
            return SourceResult(unchanged=True, conditions=fetched.conditions)
        title, links = await asyncio.to_thread(_parse, fetched)
        return SourceResult(links=links, title=title, conditions=fetched.conditions)


def _parse(fetched: Fetched) -> tuple[str, list[FoundLink]]:
    try:
        markup = decode_text(fetched.body, fetched.charset)
    except Unreadable as error:
        raise InputError(
            gettext("This address isn't a web page; give the address of a page that lists articles.")
        ) from error
    return find_article_links(markup, fetched.url)


def find_article_links(markup: str, url: str) -> tuple[str, list[FoundLink]]:
    """The title of a page and the links on it that look like articles of the same site, each once."""
    tree = parse_html(markup)
    if tree is None:
        return "", []
    links: dict[str, FoundLink] = {}
    for anchor in tree.iter("a"):
        title = one_line(anchor.text_content())
        address = _address(url, str(anchor.get("href") or ""))
        if address is None or not _looks_like_article(address, title, url):
            continue
        canonical = canonical_url(address)
        existing = links.get(canonical)
        if existing is None or len(existing.title) < len(title):
            links[canonical] = FoundLink(url=address, title=title[:500])
    heading = tree.find(".//title")
    return one_line(heading.text_content()) if heading is not None else "", list(links.values())[:MAX_LINKS]


def _address(base: str, href: str) -> str | None:
    try:
        address = urljoin(base, href.strip())
        canonical_url(address)
    except (ValueError, InputError):
        return None
    return address


def _looks_like_article(address: str, title: str, base: str) -> bool:
    here, there = urlsplit(canonical_url(base)), urlsplit(canonical_url(address))
    if here.netloc != there.netloc or there.path == here.path or _SECTION_PATH.search(there.path):
        return False
    words = len(title.split()) >= _FEWEST_TITLE_WORDS or len(_CJK.findall(title)) >= _FEWEST_TITLE_CHARACTERS
    return words and there.path.count("/") >= 1 and (bool(_ARTICLE_PATH.search(there.path)) or there.query != "")
