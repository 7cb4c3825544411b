"""Excerpts of a text that can be cited, and URLs that open an item with the quoted words marked."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from almanac.citations.model import PassageLocation
from almanac.language.scripts import is_cjk
from almanac.language.segmentation import split_sentences
from almanac.language.terms import search_terms

LONGEST_EXCERPT = 1500
QUOTE_ANCHOR = "quoted"
# A CJK character says about as much as three letters.
_CJK_WEIGHT = 3
_DIGEST_CHARACTERS = 12
_QUOTE = re.compile(r"(\d{1,8})-(\d{1,8})")


class Excerpt(NamedTuple):
    """Consecutive sentences: `text` is exactly the characters of the text from `start` to `end`."""

    text: str
    start: int
    end: int


def split_excerpts(text: str, language: str = "") -> list[Excerpt]:
    """The whole text as excerpts in order, always the same for the same text. A very long sentence stands alone."""
    excerpts: list[Excerpt] = []
    start, weight = -1, 0
    for sentence in split_sentences(text, language or None):
        sentence_weight = _weigh(sentence.text)
        if start >= 0 and weight + sentence_weight <= LONGEST_EXCERPT:
            excerpts[-1] = Excerpt(text[start : sentence.end], start, sentence.end)
            weight += sentence_weight
        else:
            start, weight = sentence.start, sentence_weight
            excerpts.append(Excerpt(sentence.text, sentence.start, sentence.end))
    return excerpts


def find_excerpts(text: str, phrases: Sequence[str], *, language: str = "", most: int = 3) -> list[Excerpt]:
    """The excerpts with the most occurrences of any of the phrases, in whatever form of their words."""
    wanted = [[term.text for term in search_terms(phrase)] for phrase in phrases]
    rated = [(_count_occurrences(excerpt.text, wanted), excerpt) for excerpt in split_excerpts(text, language)]
    matching = [(count, excerpt) for count, excerpt in rated if count]
    return [excerpt for _, excerpt in sorted(matching, key=lambda pair: (-pair[0], pair[1].start))[:most]]


def passage_id(desk: str, item: str, part: str, text: str) -> str:
    """The id of a passage; it stays the same as long as the passage's words do."""
    digest = hashlib.sha256(f"{item}\n{part}\n{text}".encode()).hexdigest()
    return ":".join(filter(None, (desk, item, part, digest[:_DIGEST_CHARACTERS])))


def text_version(text: str) -> str:
    """A digest that changes with any character of the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_CHARACTERS]


def quote_url(place: PassageLocation, start: int, end: int) -> str:
    """Where the item opens with these characters marked; a path with a fragment marks its passage itself."""
    return place.path if not place.path or "#" in place.path else f"{place.path}?quote={start}-{end}#{QUOTE_ANCHOR}"


def parse_quote(text: str) -> tuple[int, int] | None:
    """The (start, end) of the `quote` parameter of a URL; None if it is missing or malformed."""
    match = _QUOTE.fullmatch(text)
    start, end = map(int, match.groups()) if match else (0, 0)
    return (start, end) if start < end else None


def _weigh(text: str) -> int:
    return sum(_CJK_WEIGHT if is_cjk(character) else 1 for character in text)


def _count_occurrences(text: str, wanted: Sequence[Sequence[str]]) -> int:
    counts = Counter(term.text for term in search_terms(text))
    return sum(min(counts[term] for term in terms) for terms in wanted if terms)
