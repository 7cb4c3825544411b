"""Summaries, plain summaries, key points and bullets: the same choice of sentences for four purposes."""

import re
from collections.abc import Sequence

from almanac.llm.extractive.ranking import BULLETS, KEY_POINTS, PLAIN, SUMMARY, rank
from almanac.llm.extractive.reading import Line, read_all
from almanac.llm.extractive.selection import Budget, choose, flowing_text, in_order
from almanac.llm.extractive.trimming import trimmed
from almanac.llm.sources import Cited, Source

_PLAIN_AT_MOST = 45.0
_CLOSING_STOP = re.compile(r"(?<!\.[A-Za-z])(?<!Bhd)(?<!Ltd)(?<!Inc)(?<!etc)[.。]$")
_TOO_LONG_FOR_A_BULLET = 1.7


def summarise(
    sources: Sequence[Source], sentences: int, *, words: int | None = None, language: str | None = None
) -> tuple[Cited, ...]:
    """The sentences that tell most of the sources, as one text in their order."""
    readings = read_all(sources, language)
    chosen = choose(rank(readings, SUMMARY), Budget(sentences, words))
    return flowing_text(in_order(chosen, [source.id for source in sources]))


def summarise_plainly(sources: Sequence[Source], sentences: int, *, language: str | None = None) -> tuple[Cited, ...]:
    """The main things in the shortest and simplest sentences that tell them."""
    worth = rank(read_all(sources, language), PLAIN)
    short = {line: value for line, value in worth.items() if line.size <= _PLAIN_AT_MOST}
    chosen = choose(short or worth, Budget(sentences))
    return flowing_text(in_order(chosen, [source.id for source in sources]))


def key_points(sources: Sequence[Source], points: int, *, language: str | None = None) -> tuple[Cited, ...]:
    """Decisions and figures first; each point stands alone."""
    chosen = choose(rank(read_all(sources, language), KEY_POINTS), Budget(points), flowing=False)
    return tuple(line.cited(line.alone) for line in in_order(chosen, [source.id for source in sources]))


def bullets(sources: Sequence[Source], count: int, *, words: int, language: str | None = None) -> tuple[Cited, ...]:
    """Short points that stand alone, cut where a cut leaves a contiguous part of the sentence."""
    worth = rank(read_all(sources, language), BULLETS)
    short = {line: value for line, value in worth.items() if _fits(line, words)}
    chosen = choose(short or worth, Budget(count), flowing=False)
    ordered = in_order(chosen, [source.id for source in sources])
    return tuple(line.cited(_CLOSING_STOP.sub("", trimmed(line.alone or line.text, words))) for line in ordered)


def _fits(line: Line, words: int) -> bool:
    from_size = line.size if line.size <= words else _trimmed_size(line, words)
    return from_size <= _TOO_LONG_FOR_A_BULLET * words


def _trimmed_size(line: Line, words: int) -> float:
    kept = trimmed(line.text, words)
    return line.size * len(kept) / len(line.text)
