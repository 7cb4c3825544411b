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
)
from almanac.search.terms import Lexemes, Phrase, PhrasePart, extract_lexemes, facet_lexeme, parse_phrase


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
        case QueryText(text):
            phrase = parse_phrase(text)
            return _phrase_occurs(phrase, lexemes.title) or _phrase_occurs(phrase, lexemes.body)
        case QueryField(name, value):
            return (
                _phrase_occurs(parse_phrase(value), lexemes.title)
                if name == TITLE
                else has_facet_value(lexemes, name, [value])
            )
        case QueryDates(since=since, until=until):
            return is_within(date, since, until)
        case QueryNot(of):
            return not matches_node(of, lexemes, date)
        case QueryAll(of):
            return all(matches_node(part, lexemes, date) for part in of)
        case QueryAny(of):
            return any(matches_node(part, lexemes, date) for part in of)


def _phrase_occurs(phrase: Phrase, places: Mapping[str, list[int]]) -> bool:
    """Whether the lexemes of a phrase occur at their distances anywhere."""
    beginnings = [{place - piece.offset for place in _part_positions(piece, places)} for piece in phrase]
    return bool(set.intersection(*beginnings))


def _part_positions(piece: PhrasePart, places: Mapping[str, list[int]]) -> Iterator[int]:
    if not piece.is_beginning:
        yield from places.get(piece.lexeme, ())
        return
    for lexeme, at in places.items():
        if lexeme.startswith(piece.lexeme):
            yield from at
