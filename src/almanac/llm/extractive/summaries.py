"""Summaries, plain summaries, key points and bullets: selected sentences, trimmed where needed."""

import re
from collections.abc import Sequence

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
from almanac.llm.extractive.source_parser import SourceLine, count_words, parse_sources
from almanac.llm.sources import Cited, StepSource

_SAID = r"(?:said|says|added|noted|explained|told \w+|wrote|announced|reported|estimated|suggests?|warned|showed)"
_SAID_IN_MALAY = r"(?:katanya|kata beliau|ujarnya|tambahnya|tambah beliau|ujar beliau)"
_PRONOUN_SAID = re.compile(rf",\s+(?:(?:he|she|they|it|who)\s+{_SAID}|{_SAID_IN_MALAY})\b[^,.“”\"]*\.$")
_NAMED_SAID = re.compile(
    rf",\s+(?:[^,.“”\"]{{3,60}}\s)?{_SAID}\b[^“”\"]*\.$"
    r"|,\s+according to [^,.“”\"]+\.$|,\s+(?:kata|ujar|menurut)\s+[^,.“”\"]+\.$"
)
_CLAUSE = re.compile(
    r",\s+(?:which|while|although|though|as|after|with|including|amid|despite|compared with|up from|down from|whereas|"
    r"manakala|sementara|walaupun|selepas|termasuk|berbanding|sekali gus|susulan|[a-z]+ing)\b[^“”\"]*\.$"
)
_CJK_CLAUSE = re.compile(r"，[^，“”「」（）]*。$")
_CJK_SOURCE = re.compile(r"^[^、。，「」“”]{2,30}(?:によると|によれば|显示|表示|指出|透露|介绍|称|顯示)[、，：]")
_LEAST = 6.0


def trim_sentence(text: str, limit: float) -> str:
    """The text without attribution or trailing clauses until it is within the limit, as far as that is possible."""
    text = _cut(text, _PRONOUN_SAID)
    for pattern in (_CLAUSE, _NAMED_SAID, _CJK_CLAUSE, _CJK_CLAUSE):
        if count_words(text) <= limit:
            return text
        text = _cut(text, pattern)
    if (
        count_words(text) > limit
        and (source := _CJK_SOURCE.match(text))
        and count_words(text[source.end() :]) >= _LEAST
    ):
        return text[source.end() :]
    return text


def _cut(text: str, pattern: re.Pattern[str]) -> str:
    match = pattern.search(text)
    if match is None or count_words(text[: match.start()]) < _LEAST or "“" in text[: match.start()]:
        return text
    return text[: match.start()]


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
