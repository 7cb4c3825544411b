"""From the bytes of a page to its article: words without surroundings, title, date, language, country, tags.

Pure. A page that holds no article is refused with a sentence; nothing is made up in its place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from almanac.articles.boilerplate import find_hidden_instructions, strip_boilerplate
from almanac.articles.highlights import NO_HIGHLIGHTS, Highlights, pick_highlights
from almanac.articles.labels import find_country, find_tags
from almanac.articles.metadata import (
    find_canonical_url,
    find_published_date,
    find_refresh_url,
    is_paywalled,
    read_linked_data,
)
from almanac.articles.page_checks import ArticleCheck
from almanac.articles.similarity import minhash_signature
from almanac.documents.charset import decode_text
from almanac.documents.dates import find_date_in_url, find_dateline
from almanac.documents.html import parse_html, serialize_html, tree_blocks
from almanac.documents.model import TextBlock, Unreadable
from almanac.documents.web_page import read_web_page
from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.kit.text import shorten, storable
from almanac.language.detection import detect_language

FEWEST_WORDS = 25
TITLE_LIMIT, TEXT_LIMIT = 500, 60_000
_PAGES = frozenset({"", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"})
_SENTENCE_END = re.compile(r"[.!?。！？…।॥۔؟։።။។៕][\"”’)»」』）]*$")
_LONGEST_HEADING = 100
_WITHOUT_STOPS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_NO_WORDS = re.compile(r"[!-~]{300}")
_TOP_LINES = 12
_NOTHING = gettext("The page was fetched, but no article was found in it.")
_TITLE_TAIL = re.compile(r"\s+[|｜–—-]\s+[^|｜–—-]{2,40}$")


class NoArticleCause(StrEnum):
    """Of which kind it is: there is nothing to read, or it can't be read."""

    NO_ARTICLE = "no_article"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPage:
    """A page as it was read: its words without surroundings, and what it says about itself.

    `hidden_instructions` are sentences addressed to machines that a visitor doesn't see.
    """

    title: str
    text: str
    language: str
    published: date | None
    stated_url: str | None
    country: str | None
    tags: tuple[str, ...]
    signature: bytes | None = None
    choice: Highlights = NO_HIGHLIGHTS
    hidden_instructions: tuple[str, ...] = ()


class NoArticle(InputError, code="no_article"):
    """The page was read and holds no article; `cause` says of which kind the obstacle is.

    `leads_to` is the address that the page sends its visitors on to, where it does little else.
    """

    def __init__(
        self, sentence: str, cause: NoArticleCause = NoArticleCause.NO_ARTICLE, *, leads_to: str | None = None
    ) -> None:
        super().__init__(sentence)
        self.cause = cause
        self.leads_to = leads_to


class PageRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What the reader is asked: the bytes of a page or feed and what its host said about them."""

    url: str
    content: bytes
    content_type: str = ""
    charset: str | None = None
    wanted: Literal["page", "feed"] = "page"


def parse_page(request: PageRequest) -> ParsedPage:
    """The article of a page, or NoArticle."""
    if request.content_type not in _PAGES:
        raise NoArticle(
            gettext(
                "This isn't a web page but a file of type %(content_type)s.", content_type=request.content_type[:50]
            ),
            NoArticleCause.UNREADABLE,
        )
    try:
        markup = decode_text(request.content, request.charset)
    except Unreadable as error:
        raise NoArticle(gettext("This isn't a page that can be read as text."), NoArticleCause.UNREADABLE) from error
    tree = parse_html(markup)
    if tree is None:
        raise NoArticle(gettext("The page is empty."))
    data, onward = read_linked_data(tree), find_refresh_url(tree, request.url)
    hidden_instructions = find_hidden_instructions(tree)
    strip_boilerplate(tree, request.url)
    draft = read_web_page(serialize_html(tree), request.url)
    title = shorten(storable(draft.title), TITLE_LIMIT)
    below = _below_title(tree_blocks(tree), title)
    kept = _kept(draft.blocks, title)
    paragraphs = [text for text in kept if _is_prose(text)]
    wall = ArticleCheck(tree=tree, title=title, blocks=below, paragraphs=paragraphs, is_for_payers=is_paywalled(data))
    _require_article(wall, onward)
    text = _within_limit("\n\n".join(kept))
    return ParsedPage(
        title=title,
        text=text,
        language=detect_language(text),
        published=find_published_date(tree, data, title)
        or find_date_in_url(request.url)
        or find_dateline(_lines(below)),
        stated_url=find_canonical_url(tree),
        country=find_country(title, text, urlsplit(request.url).netloc),
        tags=find_tags(title, text),
        signature=minhash_signature(text),
        choice=pick_highlights(title, text),
        hidden_instructions=hidden_instructions,
    )


def _kept(blocks: Sequence[TextBlock], title: str) -> list[str]:
    """The words of the page without its title."""
    texts = (text for block in blocks if (text := storable(block.text).strip()) and not _NO_WORDS.search(text))
    return [text for text in texts if not _repeats_title(text, title)]


def _within_limit(text: str) -> str:
    """As much as is kept of an article, up to the end of a paragraph or a word: half a figure is another."""
    if len(text) <= TEXT_LIMIT:
        return text
    ends = (text.rfind(end, TEXT_LIMIT // 2, TEXT_LIMIT) for end in ("\n\n", "\n", " "))
    return text[: next((at for at in ends if at > 0), TEXT_LIMIT)]


def _is_prose(text: str) -> bool:
    """Whether it ends as sentences do. Those of Thai, Lao, Khmer and Burmese may end without a mark, as headings do;
    there, what has more letters than any heading is prose."""
    if _SENTENCE_END.search(text):
        return True
    return len(_WITHOUT_STOPS.findall(text)) > _LONGEST_HEADING


def _require_article(wall: ArticleCheck, onward: str | None) -> None:
    """NoArticle where something else stands in place of an article."""
    sentence = wall.sentence() or (_NOTHING if wall.prose < FEWEST_WORDS else None)
    if sentence is not None and onward is not None:
        raise NoArticle(gettext("The page only redirects to %(onward)s.", onward=shorten(onward, 200)), leads_to=onward)
    if sentence is not None:
        raise NoArticle(sentence)


def _repeats_title(text: str, title: str) -> bool:
    return bool(title) and text.casefold() in (title.casefold(), _TITLE_TAIL.sub("", title).casefold())


def _below_title(blocks: Sequence[TextBlock], title: str) -> Sequence[TextBlock]:
    """What follows the title, because the head of a paper says which day it is today; all where no title is shown."""
    at = next((at for at, block in enumerate(blocks) if block.level == 1 or _repeats_title(block.text, title)), -1)
    return blocks[at + 1 :]


def _lines(blocks: Sequence[TextBlock]) -> Iterator[str]:
    return (block.text for block in blocks[:_TOP_LINES] if not block.level)
