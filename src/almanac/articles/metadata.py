"""What a page says about itself for programs: its day, its own address, where it leads on to, who may read it.

A statement counts only where it is one: of two that contradict each other neither is taken.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any
from urllib.parse import urldefrag, urljoin

import msgspec

from almanac.documents.dates import find_date
from almanac.documents.html import HtmlTree
from almanac.kit.text import one_line

_DAYS_OF_PUBLICATION = frozenset(
    "article:published_time og:published_time og:article:published_time article:published article.published "
    "datepublished date dc.date dc.date.issued dc.date.created dcterms.date dcterms.created dcterms.issued pubdate "
    "publishdate publish-date publish_date publication_date publication-date sailthru.date parsely-pub-date "
    "citation_publication_date citation_date article:create_at pub_date".split()
)
_ARTICLES = ("Article", "Posting", "Report")
_DEEPEST = 4
_ASIDE = ("aside", "nav", "footer")
_LEAD, _FEWEST_CHARACTERS = 2, 100
_REFRESH = re.compile(r"""\s*+[\d.]*+\s*+[;,]?+\s*+(?:url\s*+=\s*+)?+(?:'([^']*)|"([^"]*)|(\S+))""", re.IGNORECASE)


def read_linked_data(tree: HtmlTree) -> list[dict[str, Any]]:
    """What the page's linked data say of articles; data that can't be read say nothing."""
    articles: list[dict[str, Any]] = []
    for script in tree.iter("script"):
        if str(script.get("type") or "").strip().lower() == "application/ld+json":
            try:
                articles += _articles(msgspec.json.decode(script.text_content()))
            except (msgspec.MsgspecError, UnicodeError, RecursionError):
                continue
    return articles


def _articles(data: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if depth > _DEEPEST:
        return
    if isinstance(data, list):
        for item in data:
            yield from _articles(item, depth + 1)
    elif isinstance(data, dict):
        kinds = data.get("@type")
        if any(str(kind).endswith(_ARTICLES) for kind in (kinds if isinstance(kinds, list) else [kinds])):
            yield data
        for member in ("@graph", "mainEntity"):
            yield from _articles(data.get(member), depth + 1)


def find_published_date(tree: HtmlTree, data: list[dict[str, Any]], title: str) -> date | None:
    """The day of publication in the page's head, in its data, or in a time that is marked at the article's top."""
    return _day_in_head(tree) or _day_in_data(data, title) or _marked_day(tree)


def _day_in_head(tree: HtmlTree) -> date | None:
    for meta in tree.iter("meta"):
        name = str(meta.get("property") or meta.get("name") or meta.get("itemprop") or "").lower()
        if name in _DAYS_OF_PUBLICATION and (day := find_date(meta.get("content") or "")):
            return day
    return None


def _day_in_data(data: list[dict[str, Any]], title: str) -> date | None:
    """The day that all data agree on, or else that of the article whose headline this is."""
    dated = [
        (article.get("headline"), day)
        for article in data
        if (day := find_date(str(article.get("datePublished") or "")))
    ]
    own = [(headline, day) for headline, day in dated if headline and str(headline).casefold() in title.casefold()]
    for days in ({day for _, day in dated}, {day for _, day in own}):
        if len(days) == 1:
            return days.pop()
    return None


def _marked_day(tree: HtmlTree) -> date | None:
    """The first marked time below the title and before the story is under way; others are those of other stories."""
    has_begun, paragraphs = False, 0
    for element in tree.iter("h1", "p", "time"):
        has_begun = has_begun or element.tag == "h1"
        if element.tag == "p":
            paragraphs += len(element.text_content()) > _FEWEST_CHARACTERS
        elif element.tag == "time" and next(element.iterancestors(*_ASIDE), None) is None:
            belongs = has_begun or next(element.iterancestors("article", "main"), None) is not None
            if belongs and (day := find_date(element.get("datetime") or element.text_content())):
                return day
        if paragraphs > _LEAD:
            return None
    return None


def find_canonical_url(tree: HtmlTree) -> str | None:
    """What the page calls itself in its head; nothing where it names several addresses."""
    head = tree.find("head")
    links = head.iter("link") if head is not None else ()
    named = {
        address
        for link in links
        if "canonical" in str(link.get("rel", "")).lower().split() and (address := one_line(link.get("href") or ""))
    }
    return named.pop() if len(named) == 1 else None


def find_refresh_url(tree: HtmlTree, url: str) -> str | None:
    """Where the page sends its visitors by itself, as a redirect does; nothing where that is the page again."""
    for meta in tree.iter("meta"):
        if str(meta.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        if (match := _REFRESH.match(meta.get("content") or "")) and (
            target := _elsewhere("".join(match.groups("")), url)
        ):
            return target
    return None


def _elsewhere(target: str, url: str) -> str | None:
    try:
        address = urldefrag(urljoin(url, target.strip())).url
    except ValueError:
        return None
    return address if address.startswith(("http://", "https://")) and address != urldefrag(url).url else None


def is_paywalled(data: list[dict[str, Any]]) -> bool:
    """Whether the page says that not everybody may read all of it."""
    return any(str(article.get("isAccessibleForFree")).lower() == "false" for article in data)
