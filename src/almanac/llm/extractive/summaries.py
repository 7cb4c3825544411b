"""Summaries, plain summaries, key points and bullets: selected sentences, trimmed where needed."""

import re
from collections.abc import Sequence

from almanac.llm.extractive.cues import BINDING
from almanac.llm.extractive.measures import count_words
from almanac.llm.extractive.selection import (
    BULLETS,
    KEY_POINTS,
    PLAIN,
    SUMMARY,
    LengthBudget,
    flowing_text,
    rank_lines,
    select_lines,
    sort_by_source,
)
from almanac.llm.extractive.source_parser import SourceLine, parse_sources
from almanac.llm.sources import Cited, StepSource

# Clauses that only add to a sentence. What limits it, or says who claims it, is never taken off.
_CLAUSE = re.compile(
    r",\s+(?:which|including|compared with|up from|down from|whereas|while|manakala|sementara|termasuk|berbanding)\b"
    r"[^“”\"]*\.$"
)
# After the clause the sentence goes on, so that it can't be cut there.
_GOES_ON = re.compile(
    r",\s+(?:that|which|who|when|where|after|before|but|and|will|has|have|is|are|was|were|yang|dan|tetapi)\b"
)
_LEAST = 6.0


def trim_sentence(text: str, limit: float) -> str:
    """The text within the limit, as far as taking off a clause that only adds to it makes that possible."""
    if count_words(text) <= limit:
        return text
    clause = _CLAUSE.search(text)
    if clause is None or BINDING.search(clause[0]) or _GOES_ON.search(clause[0], 1) or '"' in text or "“" in text:
        return text
    kept = text[: clause.start()]
    return kept if count_words(kept) >= _LEAST else text


_PLAIN_AT_MOST = 45.0
_CLOSING_STOP = re.compile(r"(?<!\.[A-Za-z])(?<!Bhd)(?<!Ltd)(?<!Inc)(?<!etc)[.。]$")
_TOO_LONG_FOR_A_BULLET = 1.7


def extract_summary(
    sources: Sequence[StepSource], sentences: int, *, words: int | None = None, language: str | None = None
) -> tuple[Cited, ...]:
    """The most important sentences as one text, in source order."""
    readings = parse_sources(sources, language)
    chosen = select_lines(rank_lines(readings, SUMMARY), LengthBudget(sentences, words))
    return flowing_text(sort_by_source(chosen, [source.id for source in sources]))


def extract_plain_summary(
    sources: Sequence[StepSource], sentences: int, *, language: str | None = None
) -> tuple[Cited, ...]:
    """The most important points in short and simple sentences."""
    worth = rank_lines(parse_sources(sources, language), PLAIN)
    short = {line: value for line, value in worth.items() if line.size <= _PLAIN_AT_MOST}
    chosen = select_lines(short or worth, LengthBudget(sentences))
    return flowing_text(sort_by_source(chosen, [source.id for source in sources]))


def extract_key_points(sources: Sequence[StepSource], points: int, *, language: str | None = None) -> tuple[Cited, ...]:
    """Standalone sentences, decisions and figures first."""
    chosen = select_lines(rank_lines(parse_sources(sources, language), KEY_POINTS), LengthBudget(points), flowing=False)
    return tuple(line.cite(line.standalone) for line in sort_by_source(chosen, [source.id for source in sources]))


def extract_bullets(
    sources: Sequence[StepSource], count: int, *, words: int, language: str | None = None
) -> tuple[Cited, ...]:
    """Short standalone points, trimmed where the rest stays contiguous."""
    worth = rank_lines(parse_sources(sources, language), BULLETS)
    short = {line: value for line, value in worth.items() if _fits(line, words)}
    chosen = select_lines(short or worth, LengthBudget(count), flowing=False)
    ordered = sort_by_source(chosen, [source.id for source in sources])
    return tuple(
        line.cite(_CLOSING_STOP.sub("", trim_sentence(line.standalone or line.text, words))) for line in ordered
    )


def _fits(line: SourceLine, words: int) -> bool:
    from_size = line.size if line.size <= words else _trimmed_size(line, words)
    return from_size <= _TOO_LONG_FOR_A_BULLET * words


def _trimmed_size(line: SourceLine, words: int) -> float:
    kept = trim_sentence(line.text, words)
    return line.size * len(kept) / len(line.text)
