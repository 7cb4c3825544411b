"""From a query's tree to PostgreSQL's text search query: one expression for words, phrases, fields and nested days."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from almanac.search.query import TITLE, All, Any, Dates, Field, Node, Not, Query, Text, words_sought
from almanac.search.terms import DAY, KIND, PROMINENT, Phrase, facet_lexeme, phrase_of
from almanac.search.tsvector import quoted_lexeme

# Ranking takes as long as the words are many times the places they have, for each document that holds some of them.
MOST_RANKED_BY = 32
# Days inside alternatives are looked up as years, months and days, so a span that is open on a side needs an end.
FIRST_DAY, LAST_DAY = date(1800, 1, 1), date(2200, 1, 1)


@dataclass(frozen=True, slots=True)
class Matching:
    """What a search looks for: one expression for everything, one without the words, one for where they are prominent,
    and one to rank by.

    Each is empty when the query says nothing of that sort. `since` and `until` are the days that must hold in any case.
    """

    everything: str
    restrictions: str
    prominent: str
    ranking: str
    since: datetime | None = None
    until: datetime | None = None


def matching(
    query: Query,
    *,
    kinds: Sequence[str] = (),
    filters: Mapping[str, Sequence[str]] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Matching:
    """Put a query and its filters into the form in which the index looks them up."""
    conditions, spans = _apart(query.root)
    chosen = [(name, values) for name, values in {KIND: kinds, **(filters or {})}.items() if values]
    filtered = [_any(_lexeme(facet_lexeme(name, value)) for value in values) for name, values in chosen]
    words = [node for node in conditions if _has_words(node)]
    return Matching(
        everything=_all([*(_compiled(node) for node in conditions), *filtered]),
        restrictions=_all([*(_compiled(node) for node in conditions if not _has_words(node)), *filtered]),
        prominent=_all(_compiled(node, PROMINENT) for node in words),
        ranking=_ranking(words),
        since=max([moment for moment in (since, *(span.since for span in spans)) if moment], default=None),
        until=min([moment for moment in (until, *(span.until for span in spans)) if moment], default=None),
    )


def _apart(root: Node | None) -> tuple[list[Node], list[Dates]]:
    """The conditions of a query, without the days that must hold in any case, and those days."""
    nodes = () if root is None else root.of if isinstance(root, All) else (root,)
    return [node for node in nodes if not isinstance(node, Dates)], [node for node in nodes if isinstance(node, Dates)]


def only_days(query: Query) -> bool:
    """Whether a query asks for nothing but days that must hold in any case, or for nothing at all."""
    return not _apart(query.root)[0]


def has_days(query: Query) -> bool:
    """Whether a query asks for days that must hold in any case."""
    return bool(_apart(query.root)[1])


def has_words(query: Query) -> bool:
    """Whether a query asks for words, by which documents can be ranked."""
    return query.root is not None and _has_words(query.root)


def _has_words(node: Node) -> bool:
    match node:
        case Text():
            return True
        case Field(name, _):
            return name == TITLE
        case All(of) | Any(of):
            return any(_has_words(part) for part in of)
    return False


def _compiled(node: Node, mark: str = "") -> str:
    """The expression of one condition; with a mark, the words in it are looked up as marked lexemes."""
    match node:
        case Text(text):
            return _marked(phrase_of(text), mark) if mark else _in_order(phrase_of(text))
        case Field(name, value):
            return _titled(phrase_of(value)) if name == TITLE else _lexeme(facet_lexeme(name, value))
        case Dates(since=since, until=until):
            return within_days(_day(since) or FIRST_DAY, _day(until) or LAST_DAY) or _lexeme(DAY)
        case Not(of):
            return f"!({_compiled(of)})"
        case All(of):
            return _all(_compiled(part, mark) for part in of)
        case Any(of):
            return _any(_compiled(part, mark) for part in of)


def _ranking(nodes: Sequence[Node]) -> str:
    """The words by which documents are ranked; of very many only the first ones, and any of them counts."""
    phrases = list(dict.fromkeys(phrase_of(text) for node in nodes for text in words_sought(node)))
    if len(phrases) <= MOST_RANKED_BY:
        return _all(_ranked(node) for node in nodes)
    return _any(_marked(phrase) for phrase in phrases[:MOST_RANKED_BY])


def _ranked(node: Node) -> str:
    """The words of a condition that count for relevance."""
    match node:
        case Text(text):
            return _marked(phrase_of(text))
        case Field(name, value) if name == TITLE:
            return _marked(phrase_of(value))
        case All(of):
            return _all(_ranked(part) for part in of)
        case Any(of):
            return _any(_ranked(part) for part in of)
    return ""


def _lexeme(text: str, flags: str = "") -> str:
    return quoted_lexeme(text) + (f":{flags}" if flags else "")


def _marked(phrase: Phrase, mark: str = "") -> str:
    """Every lexeme of a phrase, in whatever order."""
    return _all(_lexeme(mark + piece.lexeme, "*" if piece.is_beginning else "") for piece in phrase)


def _in_order(phrase: Phrase, flags: str = "") -> str:
    expression, last = "", 0
    for piece in phrase:
        lexeme = _lexeme(piece.lexeme, flags + ("*" if piece.is_beginning else ""))
        expression = f"{expression} <{piece.offset - last}> {lexeme}" if expression else lexeme
        last = piece.offset
    return f"({expression})" if len(phrase) > 1 else expression


def _titled(phrase: Phrase) -> str:
    """The words in the title, in this order; as they are prominent there, few other documents need a closer look."""
    return _all([_marked(phrase, PROMINENT), _in_order(phrase, "A")])


def _all(expressions: Iterable[str]) -> str:
    return " & ".join(expression for expression in expressions if expression)


def _any(expressions: Iterable[str]) -> str:
    some = [f"({expression})" for expression in expressions if expression]
    return f"({' | '.join(some)})" if some else ""


def _day(moment: datetime | None) -> date | None:
    return moment.astimezone(UTC).date() if moment else None


def within_days(since: date, until: date) -> str:
    """The expression for documents of some days, the last of which is not one of them."""
    return _any(_lexeme(DAY + day) for day in _days(max(since, FIRST_DAY), min(until, LAST_DAY)))


def _days(day: date, end: date) -> Iterator[str]:
    """A span as whole years, whole months and single days."""
    while day < end:
        next_month = (day.replace(day=1) + timedelta(days=31)).replace(day=1)
        if (day.month, day.day) == (1, 1) and (next_year := day.replace(year=day.year + 1)) <= end:
            yield f"{day:%Y}"
            day = next_year
        elif day.day == 1 and next_month <= end:
            yield f"{day:%Y-%m}"
            day = next_month
        else:
            yield day.isoformat()
            day += timedelta(days=1)
