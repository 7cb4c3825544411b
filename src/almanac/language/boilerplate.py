"""Text of a page that is no content: instructions addressed to machines, and the publisher's boilerplate.

Instructions are sentences for whoever writes a summary ("ignore previous instructions"). Boilerplate are bylines,
sign-up, cookie and share lines, navigation, photo credits, pointers to other stories and copyright lines. The patterns
are in `data/*.instructions.txt` and `data/*.boilerplate.txt`; a line of cues lists words of which each match that isn't
at the beginning has one. What stands in quotation marks is reported speech and counts only where the sentence is
nothing else, so that articles about such texts keep their sentences.
"""

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from almanac.language.scripts import CJK, HANGUL
from almanac.language.segmentation import TextSentence, split_sentences
from almanac.language.word_lists import read_lines

_QUOTATION = re.compile(r"„[^“”]*[“”]|“[^”]*”|\"[^\"]*\"|‚[^‘]*‘|‘[^’]*’(?!\w)|「[^」]*」|『[^』]*』|«[^»]*»|»[^«]*«")
_QUOTATION_MARKS = re.compile(r"[„“”\"「」『』«»‚‘]")
_BYLINE = re.compile(
    r"(?:[Bb]y|BY|[Vv]on|VON|[Pp]ar|PAR|[Pp]or|POR|[Dd]oor|DOOR)(?: [^\W\d_a-zß-öø-ÿ][\w.'’-]+){2,3}"
    r"(?: (?:and|und|et|y|e|en)(?: [^\W\d_a-zß-öø-ÿ][\w.'’-]+){2,3})?"
)
_SPACES = re.compile(r"\s+")
_WORD = re.compile(rf"[{CJK}]{{2}}|[^\W_{CJK}]+")
_CUES = "cues: "
_FEWEST_WORDS_AROUND_A_QUOTATION = 3
# A longer sentence is prose in which the reader of the page found no full stop; it isn't thrown away for a few words.
_LONGEST_NOTICE = 60


class _Group(NamedTuple):
    """Languages whose lists are searched together, in texts that have a character of their script."""

    script: re.Pattern[str]
    languages: tuple[str, ...]
    has_boilerplate: bool = True


_GROUPS = (
    _Group(re.compile(""), ("en", "ms")),
    _Group(re.compile("[A-Za-z]"), ("de", "fr", "es", "pt", "it", "nl")),
    _Group(re.compile(f"[{CJK}]"), ("zh", "ja")),
    _Group(re.compile(f"[{HANGUL}]"), ("ko",), has_boilerplate=False),
    _Group(re.compile("[\u0400-\u04ff]"), ("ru",), has_boilerplate=False),
    _Group(re.compile("[\u0600-\u06ff]"), ("ar",), has_boilerplate=False),
)


class Omission(StrEnum):
    """Why a sentence is left out."""

    INSTRUCTION = "instruction"
    BOILERPLATE = "boilerplate"


class _Patterns(NamedTuple):
    """A list as two patterns: lines that begin with `^` match at the beginning, others anywhere.

    Searching is slow, so it is done only in texts that have one of the cues, where there are cues.
    """

    opening: re.Pattern[str]
    anywhere: re.Pattern[str]
    cues: tuple[str, ...]

    def match(self, text: str) -> bool:
        if self.opening.match(text):
            return True
        folded = f" {text.casefold()}"
        return (not self.cues or any(cue in folded for cue in self.cues)) and bool(self.anywhere.search(text))


@lru_cache(maxsize=4096)
def is_instruction(sentence: str) -> bool:
    """Whether a sentence tells a machine what to write."""
    return _matches("instructions", _spoken(sentence))


@lru_cache(maxsize=4096)
def is_boilerplate(sentence: str) -> bool:
    """Whether a sentence is the publisher's and no part of the article."""
    text = _spoken(sentence)
    return len(_WORD.findall(text)) <= _LONGEST_NOTICE and _matches("boilerplate", text)


def is_byline(line: str) -> bool:
    """Whether a line is nothing but "by" and one or two names of persons."""
    return bool(_BYLINE.fullmatch(_SPACES.sub(" ", line).strip()))


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
    text = _SPACES.sub(" ", sentence if sentence.isascii() else _visible(sentence)).strip()
    if not _QUOTATION_MARKS.search(text):
        return text
    around = _QUOTATION.sub(" … ", text)
    is_quoted = len(_WORD.findall(around)) >= _FEWEST_WORDS_AROUND_A_QUOTATION
    return around if is_quoted else _QUOTATION_MARKS.sub("", text).strip()


def _visible(text: str) -> str:
    return "".join(mark for mark in unicodedata.normalize("NFKC", text) if unicodedata.category(mark) != "Cf")


def _matches(kind: str, text: str) -> bool:
    return any(
        _patterns(kind, group.languages).match(text)
        for group in _GROUPS
        if (group.has_boilerplate or kind != "boilerplate") and group.script.search(text)
    )


@cache
def _patterns(kind: str, languages: tuple[str, ...]) -> _Patterns:
    lines = [line for language in languages for line in read_lines(__package__, f"{language}.{kind}.txt")]
    opening = [line.removeprefix("^") for line in lines if line.startswith("^")]
    cues = [cue for line in lines if line.startswith(_CUES) for cue in line.removeprefix(_CUES).split("|")]
    anywhere = [line for line in lines if not line.startswith(("^", _CUES))]
    return _Patterns(_any_of(opening), _any_of(anywhere), tuple(cues))


def _any_of(lines: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{line})" for line in lines) or r"(?!)", re.IGNORECASE)
