"""Drafts: a paragraph for each item of an outline, from its pinned sources in their order, nothing told twice."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.language import detect
from almanac.llm.extractive.ranking import DRAFT, rank
from almanac.llm.extractive.reading import about, read_all
from almanac.llm.extractive.selection import Budget, choose, flowing_text, in_order
from almanac.llm.sources import Cited, Source

_MOST_SENTENCES = 200
_LEAST_WORDS = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedItem:
    """An item of an outline. It rests on the sources with these ids; without any, on all of them."""

    title: str
    description: str = ""
    notes: str = ""
    sources: tuple[str, ...] = ()


def draft(
    sources: Sequence[Source],
    items: Sequence[PlannedItem],
    *,
    words: int,
    used: Sequence[str] = (),
    language: str | None = None,
) -> list[tuple[Cited, ...]]:
    """The sentences for each item, in order; none where its sources have nothing that isn't told already."""
    taken = [about(text, detect(text)) for text in used]
    share = max(_LEAST_WORDS, words / max(1, len(items)))
    paragraphs: list[tuple[Cited, ...]] = []
    for item in items:
        pinned = [source for source in sources if not item.sources or source.id in item.sources]
        pinned.sort(key=lambda source: item.sources.index(source.id) if item.sources else 0)
        readings = read_all(pinned, language)
        asked = f"{item.title} {item.description} {item.notes}"
        wanted = about(asked, readings[0].language) if readings else frozenset[str]()
        chosen = choose(rank(readings, DRAFT, wanted), Budget(_MOST_SENTENCES, share), used=taken)
        taken += [line.about for line in chosen]
        paragraphs.append(flowing_text(in_order(chosen, [source.id for source in pinned])))
    return paragraphs
