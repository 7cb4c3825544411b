"""What was retrieved as figures: how much from which source, on which topic, and how old."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from almanac.desks.newsletter.model.chunks import Chunk

MOST_BARS = 8
_AGES = ((2, "Up to 2 days"), (7, "3 to 7 days"), (14, "8 to 14 days"), (45, "15 to 45 days"), (120, "46 to 120 days"))


@dataclass(frozen=True, slots=True)
class Bars:
    """A small chart: each name with its figure."""

    title: str
    figures: list[tuple[str, int]]


def coverage_bars(chunks: Sequence[Chunk], today: dt.date) -> list[Bars]:
    """Passages by source, topic and age."""
    if not chunks:
        return []
    return [
        Bars("By source", _largest(chunk.source for chunk in chunks)),
        Bars("By topic", _largest(chunk.topic for chunk in chunks)),
        Bars("By age", _ages(chunks, today)),
    ]


def _largest(names: Iterable[str]) -> list[tuple[str, int]]:
    """The most frequent names; the rest as one, unless it is only one."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    if len(ranked) <= MOST_BARS + 1:
        return ranked
    rest = sum(count for _, count in ranked[MOST_BARS:])
    return [*ranked[:MOST_BARS], (f"{len(ranked) - MOST_BARS} others", rest)]


def _ages(chunks: Sequence[Chunk], today: dt.date) -> list[tuple[str, int]]:
    counts: dict[str, int] = {words: 0 for _, words in _AGES} | {"Older": 0, "Without a date": 0}
    for chunk in chunks:
        counts[_age_words(chunk.date, today)] += 1
    return [(words, count) for words, count in counts.items() if count]


def _age_words(date: dt.date | None, today: dt.date) -> str:
    if date is None:
        return "Without a date"
    days = (today - date).days
    return next((words for most, words in _AGES if days <= most), "Older")
