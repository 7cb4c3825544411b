"""Text of a page that is no content: instructions addressed to machines, and the publisher's boilerplate.

Instructions are sentences for whoever writes a summary ("ignore previous instructions"). Boilerplate are bylines,
sign-up, cookie and share lines, navigation, photo credits, pointers to other stories and copyright lines. The patterns
are in `data/*.instructions.txt` and `data/*.boilerplate.txt`. What stands in quotation marks is reported speech and
counts only where the sentence is nothing else, so that articles about such texts keep their sentences.
"""

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from almanac.language.scripts import CJK
from almanac.language.segmentation import TextSentence, split_sentences
from almanac.language.word_lists import read_lines

_LATIN, _WIDE = ("en", "ms"), ("zh", "ja")
_QUOTATION = re.compile(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’(?!\w)|「[^」]*」|『[^』]*』|«[^»]*»")
_QUOTATION_MARKS = re.compile(r"[“”\"「」『』«»]")
_SPACES = re.compile(r"\s+")
_WORD = re.compile(rf"[{CJK}]{{2}}|[^\W_{CJK}]+")
_FEWEST_WORDS_AROUND_A_QUOTATION = 3
# A longer sentence is prose in which the reader of the page found no full stop; it isn't thrown away for a few words.
_LONGEST_NOTICE = 60


class Omission(StrEnum):
    """Why a sentence is left out."""

    INSTRUCTION = "instruction"
    BOILERPLATE = "boilerplate"


class _Patterns(NamedTuple):
    """A list as two patterns: lines that begin with `^` match at the beginning, others anywhere."""

    opening: re.Pattern[str]
    anywhere: re.Pattern[str]

    def match(self, text: str) -> bool:
        return bool(self.opening.match(text) or self.anywhere.search(text))


@lru_cache(maxsize=4096)
def is_instruction(sentence: str) -> bool:
    """Whether a sentence tells a machine what to write."""
    return _matches("instructions", _spoken(sentence))


@lru_cache(maxsize=4096)
def is_boilerplate(sentence: str) -> bool:
    """Whether a sentence is the publisher's and no part of the article."""
    text = _spoken(sentence)
    return len(_WORD.findall(text)) <= _LONGEST_NOTICE and _matches("boilerplate", text)


def find_omissions(sentences: Sequence[TextSentence]) -> dict[int, Omission]:
    """The numbers of the sentences of a text to leave out, from 0, each with the reason.

    Commands that follow an instruction in its paragraph belong to it.
    """
    omissions: dict[int, Omission] = {}
    instructed_paragraph = -1
    for number, sentence in enumerate(sentences):
        continues = sentence.paragraph == instructed_paragraph and _matches("commands", _spoken(sentence.text))
        if continues or is_instruction(sentence.text):
            omissions[number] = Omission.INSTRUCTION
            instructed_paragraph = sentence.paragraph
        elif is_boilerplate(sentence.text):
            omissions[number] = Omission.BOILERPLATE
    return omissions


def find_instructions(text: str) -> tuple[str, ...]:
    """The sentences of a text that tell a machine what to write."""
    split = split_sentences(text)
    omissions = find_omissions(split)
    return tuple(split[number].text for number, why in omissions.items() if why is Omission.INSTRUCTION)


def _spoken(sentence: str) -> str:
    """The sentence without invisible characters and quotations; a sentence that is all quotation without its marks."""
    visible = sentence
    if not sentence.isascii():
        visible = "".join(
            mark for mark in unicodedata.normalize("NFKC", sentence) if unicodedata.category(mark) != "Cf"
        )
    text = _SPACES.sub(" ", visible).strip()
    around = _QUOTATION.sub(" … ", text)
    is_quoted = len(_WORD.findall(around)) >= _FEWEST_WORDS_AROUND_A_QUOTATION
    return around if is_quoted else _QUOTATION_MARKS.sub("", text).strip()


def _matches(kind: str, text: str) -> bool:
    return _patterns(kind, _LATIN).match(text) or (not text.isascii() and _patterns(kind, _WIDE).match(text))


@cache
def _patterns(kind: str, languages: tuple[str, ...]) -> _Patterns:
    lines = [line for language in languages for line in read_lines(__package__, f"{language}.{kind}.txt")]
    opening = [line.removeprefix("^") for line in lines if line.startswith("^")]
    anywhere = [line for line in lines if not line.startswith("^")]
    return _Patterns(_any_of(opening), _any_of(anywhere))


def _any_of(lines: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{line})" for line in lines) or r"(?!)", re.IGNORECASE)
