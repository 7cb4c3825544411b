"""Parses a source into usable, cleaned sentences with their topic words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from almanac.language.detection import detect_language
from almanac.language.scripts import CJK
from almanac.language.segmentation import split_sentences
from almanac.language.terms import content_words, stem
from almanac.llm.extractive.cues import (
    SentenceCues,
    is_boilerplate,
    is_question,
    read_cues,
    standalone_part,
    without_dateline,
)
from almanac.llm.sources import Cited, Reference, StepSource

_BREAK_IN_CJK = re.compile(rf"(?<=[{CJK}、。，])\s*[\r\n]\s*(?=[{CJK}「『（])")
_SPACES = re.compile(r"\s+")
_CJK = re.compile(f"[{CJK}]")
_LATIN_WORD = re.compile(rf"[^\s{CJK}]*[^\W_{CJK}][^\s{CJK}]*")
_FULL_STOP = re.compile(r"[.!。！．…][\"'”’»)\]）」』】]*$")
_PAIRS = ("“”", "「」", "『』", "（）", "()", "《》", "【】")
_SPEAKER = re.compile(r"(?:君|さん|氏|委員長?|議長|大臣)[)）]?$|:$")
_MALAY_ENDINGS = re.compile(r"(?:nya|lah|kah|kan)$")
_CJK_CHARACTERS_PER_WORD = 1.7
_FEWEST_WORDS, _MOST_WORDS = 4.5, 65


@dataclass(frozen=True, slots=True, eq=False)
class SourceLine:
    """A usable sentence of a source.

    `standalone` is the part that can be read without the sentence before; None where there is none.
    """

    source: str
    index: int
    paragraph: int
    order: int
    text: str
    standalone: str | None
    topic_words: frozenset[str]
    size: float
    is_complete: bool
    cues: SentenceCues

    def cite(self, text: str | None = None) -> Cited:
        """The sentence, or the given part of it, with its reference."""
        return Cited(text=text or self.text, references=(Reference(source=self.source, sentence=self.index),))


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A source with its usable sentences; `heading` is a first line that serves as title, with its index."""

    source: StepSource
    language: str
    lines: tuple[SourceLine, ...]
    title_words: frozenset[str]
    heading: tuple[int, str] | None


def count_words(text: str) -> float:
    """The length of a text in words; Chinese and Japanese characters count as fractions of one."""
    cjk = len(_CJK.findall(text))
    return cjk / _CJK_CHARACTERS_PER_WORD + len(_LATIN_WORD.findall(text))


def is_mostly_cjk(text: str) -> bool:
    """Whether most of the text is Chinese or Japanese."""
    return 2 * len(_CJK.findall(text)) > len(text.replace(" ", "")) - len(_CJK.findall(text))


def join_lines(text: str) -> str:
    """The text on one line: without a space between Chinese or Japanese characters, else with one."""
    return _SPACES.sub(" ", _BREAK_IN_CJK.sub("", text)).strip()


def topic_words(text: str, language: str) -> frozenset[str]:
    """The stems of a text's content words."""
    words = content_words(text, language)
    if language == "ms":
        return frozenset(_MALAY_ENDINGS.sub("", word) if len(word) > 6 else word for word in words)
    return frozenset(map(stem, words))


def parse_sources(sources: Sequence[StepSource], language: str | None) -> list[ParsedSource]:
    """The parsed sources in the wanted language; where there are none, those in the most frequent language."""
    readings = [parse_source(source) for source in sources]
    wanted = [reading for reading in readings if reading.language == _primary_language(language)]
    if wanted or not readings:
        return wanted
    largest: dict[str, int] = {}
    for reading in readings:
        largest[reading.language] = largest.get(reading.language, 0) + len(reading.source.text)
    main = max(largest, key=lambda name: largest[name])
    return [reading for reading in readings if reading.language == main]


@lru_cache(maxsize=32)
def parse_source(source: StepSource) -> ParsedSource:
    """Parse one source. Cached, because several steps use the same article in a row."""
    language = _primary_language(source.language) or detect_language(source.text or source.title)
    split = split_sentences(source.text)
    title = join_lines(source.title)
    opening = _find_heading([join_lines(sentence.text) for sentence in split[:3]], title)
    usable = [
        (index, sentence.paragraph, text)
        for index, sentence in enumerate(split)
        if (text := without_dateline(join_lines(sentence.text))) != title
        and not (opening and index == opening[0])
        and _is_usable(text)
    ]
    ended = [line for line in usable if _FULL_STOP.search(line[2])]
    lines = tuple(_build_line(source.id, language, order, *line) for order, line in enumerate(ended or usable))
    heading = title or (opening[1] if opening else "")
    return ParsedSource(source, language, lines, topic_words(heading, language), opening)


def _primary_language(language: str | None) -> str:
    """`en` of `en-GB`; empty for None."""
    return (language or "").replace("_", "-").partition("-")[0].casefold()


def _build_line(source: str, language: str, order: int, index: int, paragraph: int, text: str) -> SourceLine:
    return SourceLine(
        source=source,
        index=index,
        paragraph=paragraph,
        order=order,
        text=text,
        standalone=standalone_part(text),
        topic_words=topic_words(text, language),
        size=count_words(text),
        is_complete=bool(_FULL_STOP.search(text)),
        cues=read_cues(text),
    )


def _find_heading(first: list[str], title: str) -> tuple[int, str] | None:
    """The first line as heading, where the source has no title; None if it doesn't look like one."""
    if title or len(first) < 2 or _FULL_STOP.search(first[0]) or _SPEAKER.search(first[0]):
        return None
    if is_boilerplate(first[0]) or is_question(first[0]) or _is_shouted(first[0]):
        return None
    return (0, first[0]) if 2 <= count_words(first[0]) <= 30 else None


def _is_usable(text: str) -> bool:
    if (
        not _FEWEST_WORDS <= count_words(text) <= _MOST_WORDS
        or text[0].islower()
        or text.endswith((":", "：", ",", "，", "、"))
    ):
        return False
    return _is_balanced(text) and not _is_shouted(text) and not is_question(text) and not is_boilerplate(text)


def _is_shouted(text: str) -> bool:
    return text.isupper() and text.isascii()


def _is_balanced(text: str) -> bool:
    if text.count('"') % 2:
        return False
    return all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)
