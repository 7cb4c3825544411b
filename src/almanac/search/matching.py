"""Whether one document matches a query, by plain comparison: the same answer that an index gives, without one."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from almanac.search.model import Document
from almanac.search.query import TITLE, All, Any, Dates, Field, Node, Not, Query, Text
from almanac.search.terms import Lexemes, Phrase, Piece, facet_lexeme, lexemes_of, phrase_of


def matches(query: Query, document: Document) -> bool:
    """Whether a search for the query would find the document; an empty query finds everything."""
    return query.root is None or holds(query.root, lexemes_of(document), document.date)


def has_any(lexemes: Lexemes, name: str, values: Sequence[str]) -> bool:
    return any(facet_lexeme(name, value) in lexemes.marked for value in values)


def within(date: datetime | None, since: datetime | None, until: datetime | None) -> bool:
    if since is None and until is None:
        return True
    return date is not None and (since is None or date >= since) and (until is None or date < until)


def holds(node: Node, lexemes: Lexemes, date: datetime | None) -> bool:
    match node:
        case Text(text):
            phrase = phrase_of(text)
            return _occurs(phrase, lexemes.title) or _occurs(phrase, lexemes.body)
        case Field(name, value):
            return _occurs(phrase_of(value), lexemes.title) if name == TITLE else has_any(lexemes, name, [value])
        case Dates(since=since, until=until):
            return within(date, since, until)
        case Not(of):
            return not holds(of, lexemes, date)
        case All(of):
            return all(holds(part, lexemes, date) for part in of)
        case Any(of):
            return any(holds(part, lexemes, date) for part in of)


def _occurs(phrase: Phrase, places: Mapping[str, list[int]]) -> bool:
    """Whether the lexemes of a phrase stand at their distances anywhere."""
    beginnings = [{place - piece.offset for place in _at(piece, places)} for piece in phrase]
    return bool(set.intersection(*beginnings))


def _at(piece: Piece, places: Mapping[str, list[int]]) -> Iterator[int]:
    if not piece.is_beginning:
        yield from places.get(piece.lexeme, ())
        return
    for lexeme, at in places.items():
        if lexeme.startswith(piece.lexeme):
            yield from at
