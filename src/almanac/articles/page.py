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

from almanac.articles.choosing import NOTHING, Choice, choose
from almanac.articles.countries import country_of
from almanac.articles.dates import day_in_address, day_in_lines
from almanac.articles.similarity import signature
from almanac.articles.stated import data_of, is_for_payers, onward_address, stated_address, stated_day
from almanac.articles.surroundings import strip_surroundings
from almanac.articles.tags import tags_of
from almanac.articles.walls import Wall
from almanac.errors import InputError
from almanac.kit.text import shorten
from almanac.language import detect
from almanac.reading.charset import decode_text
from almanac.reading.markup import blocks_of_tree, markup_of, parse_markup
from almanac.reading.result import Block, Unreadable
from almanac.reading.web_page import read_web_page

FEWEST_WORDS = 25
TITLE_LIMIT, TEXT_LIMIT = 500, 60_000
_PAGES = frozenset({"", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"})
_SENTENCE_END = re.compile(r"[.!?。！？…।॥۔؟։።။។៕][\"”’)»」』）]*$")
_LONGEST_HEADING = 100
_WITHOUT_STOPS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_NO_WORDS = re.compile(r"[!-~]{300}")
_TOP_LINES = 12
_NOTHING = "The page was fetched but holds no article that could be read."
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
    """The page was read and holds no article; `cause` says of which kind the obstacle is.

    `leads_to` is the address that the page sends its visitors on to, where it does little else.
    """

    code = "no_article"

    def __init__(self, sentence: str, cause: Obstacle = Obstacle.NO_ARTICLE, *, leads_to: str | None = None) -> None:
        super().__init__(sentence)
        self.cause = cause
        self.leads_to = leads_to


class Errand(msgspec.Struct, frozen=True, kw_only=True):
    """What the reader is asked: the bytes of a page or feed and what its host said about them."""

    url: str
    content: bytes
    content_type: str = ""
    charset: str | None = None
    wanted: Literal["page", "feed"] = "page"


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
    data, onward = data_of(tree), onward_address(tree, errand.url)
    strip_surroundings(tree, errand.url)
    draft = read_web_page(markup_of(tree), errand.url)
    title = shorten(_storable(draft.title), TITLE_LIMIT)
    below = _below_title(blocks_of_tree(tree), title)
    kept = _kept(draft.blocks, title)
    paragraphs = [one for one in kept if _is_prose(one)]
    wall = Wall(tree=tree, title=title, blocks=below, paragraphs=paragraphs, is_for_payers=is_for_payers(data))
    _require_article(wall, onward)
    text = _within_limit("\n\n".join(kept))
    return ReadPage(
        title=title,
        text=text,
        language=detect(text),
        published=stated_day(tree, data, title) or day_in_address(errand.url) or day_in_lines(_lines(below)),
        stated_url=stated_address(tree),
        country=country_of(title, text, urlsplit(errand.url).netloc),
        tags=tags_of(title, text),
        signature=signature(text),
        choice=choose(title, text),
    )


def _kept(blocks: Sequence[Block], title: str) -> list[str]:
    """The words of the page without its title."""
    texts = (one for block in blocks if (one := _storable(block.text)) and not _NO_WORDS.search(one))
    return [one for one in texts if not _repeats_title(one, title)]


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


def _require_article(wall: Wall, onward: str | None) -> None:
    """NoArticle where something else stands in place of an article."""
    sentence = wall.sentence() or (_NOTHING if wall.prose < FEWEST_WORDS else None)
    if sentence is not None and onward is not None:
        raise NoArticle(f"The page only leads on to {shorten(onward, 200)}.", leads_to=onward)
    if sentence is not None:
        raise NoArticle(sentence)


def _repeats_title(text: str, title: str) -> bool:
    return bool(title) and text.casefold() in (title.casefold(), _TITLE_TAIL.sub("", title).casefold())


def _below_title(blocks: Sequence[Block], title: str) -> Sequence[Block]:
    """What follows the title, because the head of a paper says which day it is today; all where no title is shown."""
    at = next((at for at, block in enumerate(blocks) if block.level == 1 or _repeats_title(block.text, title)), -1)
    return blocks[at + 1 :]


def _lines(blocks: Sequence[Block]) -> Iterator[str]:
    return (block.text for block in blocks[:_TOP_LINES] if not block.level)


def _storable(text: str) -> str:
    """Without what no database keeps: halves of characters and the character of code zero."""
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", "").strip()
