"""Cuts a text into stretches of whole sentences that can be cited, always the same for the same text."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from almanac.language import search_terms, sentences
from almanac.language.scripts import is_cjk

LONGEST = 1500
_CJK_WEIGHT = 3
_ID_CHARACTERS = 12


class Stretch(NamedTuple):
    """Some sentences that follow each other: `text` is exactly what stands from `start` to `end`."""

    text: str
    start: int
    end: int


def stretches(text: str, language: str = "") -> list[Stretch]:
    """The whole text in order; a sentence that is too long stands alone."""
    found: list[Stretch] = []
    begun, weight = -1, 0
    for sentence in sentences(text, language or None):
        heavier = _weigh(sentence.text)
        if begun >= 0 and weight + heavier <= LONGEST:
            found[-1] = Stretch(text[begun : sentence.end], begun, sentence.end)
            weight += heavier
        else:
            begun, weight = sentence.start, heavier
            found.append(Stretch(sentence.text, sentence.start, sentence.end))
    return found


def stretches_about(text: str, phrases: Sequence[str], *, language: str = "", most: int = 3) -> list[Stretch]:
    """The stretches that hold any of the phrases, whatever the form of their words; those that hold most first."""
    wanted = [[term.text for term in search_terms(phrase)] for phrase in phrases]
    rated = [(_occurrences(stretch.text, wanted), stretch) for stretch in stretches(text, language)]
    best = sorted((one for one in rated if one[0]), key=lambda one: (-one[0], one[1].start))
    return [stretch for _, stretch in best[:most]]


def passage_id(desk: str, item: str, part: str, text: str) -> str:
    """The same as long as the words of the passage are the same."""
    digest = hashlib.sha256(f"{item}\n{part}\n{text}".encode()).hexdigest()
    return ":".join(filter(None, (desk, item, part, digest[:_ID_CHARACTERS])))


def version_of(text: str) -> str:
    """Another one as soon as a character of the text is another one."""
    return hashlib.sha256(text.encode()).hexdigest()[:_ID_CHARACTERS]


def _weigh(text: str) -> int:
    return sum(_CJK_WEIGHT if is_cjk(character) else 1 for character in text)


def _occurrences(text: str, wanted: Sequence[Sequence[str]]) -> int:
    counts = Counter(term.text for term in search_terms(text))
    return sum(min(counts[term] for term in terms) for terms in wanted if terms)
