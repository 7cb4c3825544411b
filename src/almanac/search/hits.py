"""From what an index found to what is shown: hits with their snippets, and facets with alike values as one."""

from collections.abc import Iterable

from almanac.search.model import Document, FacetCount, Hit
from almanac.search.snippets import Marker, marked, snippet
from almanac.search.terms import KIND, LANGUAGE, facet_lexeme

MOST_VALUES = 100
_SCALE = 1_000_000


def hit_of(found: Document, score: int, marker: Marker) -> Hit:
    """What is shown of a document; scores are stored as whole numbers so that they can be paged by."""
    return Hit(
        kind=found.kind,
        id=found.id,
        title=found.title,
        path=found.path,
        language=found.language,
        date=found.date,
        facets=found.facets,
        fields=found.fields,
        score=score / _SCALE,
        marked_title=marked(found.title, marker),
        snippet=snippet(found.body, marker),
    )


def facets_apart(joined: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Facets by name, without those that every document has."""
    facets: dict[str, tuple[str, ...]] = {}
    for name, _, value in (facet.partition("=") for facet in joined):
        if name not in (KIND, LANGUAGE):
            facets[name] = (*facets.get(name, ()), value)
    return facets


def grouped(names: Iterable[str], counted: Iterable[tuple[str, str, int]]) -> dict[str, list[FacetCount]]:
    """Counts by facet, most frequent first. Values that differ only in case or width count as the commonest of them."""
    words: dict[str, dict[str, str]] = {name: {} for name in names}
    counts: dict[str, dict[str, int]] = {name: {} for name in words}
    for name, value, count in sorted(counted, key=lambda row: (-row[2], row[1])):
        if name in words:
            alike = facet_lexeme(name, value)
            words[name].setdefault(alike, value)
            counts[name][alike] = counts[name].get(alike, 0) + count
    return {
        name: [
            FacetCount(words[name][alike], count)
            for alike, count in sorted(counts[name].items(), key=lambda item: (-item[1], item[0]))[:MOST_VALUES]
        ]
        for name in words
    }
