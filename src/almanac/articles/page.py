"""From the bytes of a page to its article: words without surroundings, title, date, language, country, tags.

Pure. A page that holds no article is refused with a sentence; nothing is made up in its place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

import msgspec

from almanac.articles.choosing import NOTHING, Choice, choose
from almanac.articles.countries import country_of
from almanac.articles.dates import day_in_address, day_in_lines
from almanac.articles.similarity import signature
from almanac.articles.tags import tags_of
from almanac.errors import InputError
from almanac.kit.text import one_line, shorten
from almanac.knowledge.reading.charset import decode_text
from almanac.knowledge.reading.cutting import weigh
from almanac.knowledge.reading.markup import blocks_of_tree, parse_markup
from almanac.knowledge.reading.result import Block, Unreadable
from almanac.knowledge.reading.web_page import read_web_page
from almanac.language import detect

FEWEST_WORDS = 25
TITLE_LIMIT, TEXT_LIMIT = 500, 60_000
_PAGES = frozenset({"", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"})
_SENTENCE_END = re.compile(r"[.!?。！？…][\"”’)»」』）]*$")
_WALL = re.compile(
    r"enable (?:javascript|cookies)|verify (?:that )?you are (?:a )?human|are you a robot|captcha|access (?:is )?denied"
    r"|request (?:was )?blocked|page (?:not|cannot be) found|error 404|404 not found|请开启|验证码|页面不存在"
    r"|halaman tidak (?:dijumpai|ditemui)",
    re.IGNORECASE,
)
_WALL_WORDS = 120
_TOP_LINES = 12
_TITLE_TAIL = re.compile(r"\s+[|｜–—-]\s+[^|｜–—-]{2,40}$")


class Obstacle(StrEnum):
    """Of which kind it is: there is nothing to read, or it can't be read."""

    NO_ARTICLE = "no_article"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """A page as it was read: its words without surroundings, and what it says about itself."""

    title: str
    text: str
    language: str
    published: date | None
    stated_url: str | None
    country: str | None
    tags: tuple[str, ...]
    signature: bytes | None = None
    choice: Choice = NOTHING


class NoArticle(InputError):
    """The page was read and holds no article; `cause` says of which kind the obstacle is."""

    code = "no_article"

    def __init__(self, sentence: str, cause: Obstacle = Obstacle.NO_ARTICLE) -> None:
        super().__init__(sentence)
        self.cause = cause


class Errand(msgspec.Struct, frozen=True, kw_only=True):
    """What the reader is asked: the bytes of a page and what its host said about them."""

    url: str
    content: bytes
    content_type: str = ""
    charset: str | None = None


def read_page(errand: Errand) -> ReadPage:
    """The article of a page, or NoArticle."""
    if errand.content_type not in _PAGES:
        raise NoArticle(f"This is no page but a file of type {errand.content_type[:50]}.", Obstacle.UNREADABLE)
    try:
        markup = decode_text(errand.content, errand.charset)
    except Unreadable as error:
        raise NoArticle("This is no page that can be read as text.", Obstacle.UNREADABLE) from error
    tree = parse_markup(markup)
    if tree is None:
        raise NoArticle("The page is empty.")
    draft = read_web_page(markup, errand.url)
    title = shorten(_storable(draft.title), TITLE_LIMIT)
    text = _article(draft.blocks, title)
    return ReadPage(
        title=title,
        text=text,
        language=detect(text),
        published=draft.published or _shown_date(errand.url, blocks_of_tree(tree)),
        stated_url=_stated_url(tree),
        country=country_of(title, text, urlsplit(errand.url).netloc),
        tags=tags_of(title, text),
        signature=signature(text),
        choice=choose(title, text),
    )


def _article(blocks: Sequence[Block], title: str) -> str:
    kept = [one for block in blocks if (one := _storable(block.text)) and not _repeats_title(one, title)]
    prose = sum(weigh(one) for one in kept if _SENTENCE_END.search(one))
    text = "\n\n".join(kept)
    if prose < FEWEST_WORDS:
        raise NoArticle("The page was fetched but holds no article that could be read.")
    if prose < _WALL_WORDS and _WALL.search(text):
        raise NoArticle("The site answers with a notice in place of the article.")
    return text[:TEXT_LIMIT]


def _repeats_title(text: str, title: str) -> bool:
    return bool(title) and text.casefold() in (title.casefold(), _TITLE_TAIL.sub("", title).casefold())


def _shown_date(url: str, blocks: Sequence[Block]) -> date | None:
    return day_in_address(url) or day_in_lines(block.text for block in blocks[:_TOP_LINES])


def _stated_url(tree: Any) -> str | None:
    for link in tree.iter("link"):
        if "canonical" in str(link.get("rel", "")).lower().split() and (address := one_line(link.get("href") or "")):
            return address
    return None


def _storable(text: str) -> str:
    """Without what no database keeps: halves of characters and the character of code zero."""
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", "").strip()
