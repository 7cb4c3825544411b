"""Decides whether one document matches a query, without an index and with the same result."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from almanac.search.model import SearchDocument
from almanac.search.query import (
    TITLE,
    QueryAll,
    QueryAny,
    QueryDates,
    QueryField,
    QueryNode,
    QueryNot,
    QueryText,
    SearchQuery,
    SimilarText,
)
from almanac.search.terms import (
    Lexemes,
    Phrase,
    PhrasePart,
    extract_lexemes,
    facet_lexeme,
    parse_phrase,
    similar_phrases,
    text_phrase,
)


def matches_document(query: SearchQuery, document: SearchDocument) -> bool:
    """Whether a search for the query would find the document; an empty query finds everything."""
    return query.root is None or matches_node(query.root, extract_lexemes(document), document.date)


def has_facet_value(lexemes: Lexemes, name: str, values: Sequence[str]) -> bool:
    return any(facet_lexeme(name, value) in lexemes.marked for value in values)


def is_within(date: datetime | None, since: datetime | None, until: datetime | None) -> bool:
    if since is None and until is None:
        return True
    return date is not None and (since is None or date >= since) and (until is None or date < until)


def matches_node(node: QueryNode, lexemes: Lexemes, date: datetime | None) -> bool:
    match node:
        case QueryText() | SimilarText():
            phrases = [text_phrase(node)] if isinstance(node, QueryText) else similar_phrases(node.text)
            return any(_occurs(phrase, lexemes) for phrase in phrases)
        case QueryField():
            return _has_field(node, lexemes)
        case QueryDates(since=since, until=until):
            return is_within(date, since, until)
        case QueryNot(of):
            return not matches_node(of, lexemes, date)
        case QueryAll(of):
            return all(matches_node(part, lexemes, date) for part in of)
        case QueryAny(of):
            return any(matches_node(part, lexemes, date) for part in of)


def _has_field(field: QueryField, lexemes: Lexemes) -> bool:
    if field.name == TITLE:
        return _phrase_occurs(parse_phrase(field.value, is_beginning=field.is_beginning), lexemes.title)
    if field.is_beginning:
        return any(lexeme.startswith(facet_lexeme(field.name, field.value)) for lexeme in lexemes.marked)
    return has_facet_value(lexemes, field.name, [field.value])


def _occurs(phrase: Phrase, lexemes: Lexemes) -> bool:
    return _phrase_occurs(phrase, lexemes.title) or _phrase_occurs(phrase, lexemes.body)


def _phrase_occurs(phrase: Phrase, places: Mapping[str, list[int]]) -> bool:
    """Whether the lexemes of a phrase occur at their distances anywhere."""
    beginnings = [{place - part.offset for place in part_positions(part, places)} for part in phrase]
    return bool(set.intersection(*beginnings))


def part_positions(part: PhrasePart, places: Mapping[str, list[int]]) -> Iterator[int]:
    """Where a word occurs in any of its spellings."""
    for spelling in part.spellings:
        if not spelling.is_beginning:
            yield from places.get(spelling.lexeme, ())
            continue
        for lexeme, at in places.items():
            if lexeme.startswith(spelling.lexeme):
                yield from at
