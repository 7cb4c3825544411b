"""Builds PostgreSQL's tsvector of a document and tsquery of a query.

A tsvector has positions up to 16,383, at most 255 for one lexeme, and a megabyte in all. Positions wrap round, so that
phrases are found anywhere in a long text; what is beyond the megabyte is left out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

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
    query_texts,
)
from almanac.search.terms import (
    DAY,
    KIND,
    PROMINENT,
    Lexemes,
    Phrase,
    PhrasePart,
    facet_lexeme,
    parse_phrase,
    similar_phrases,
    text_phrase,
)

_LAST_PLACE, _MOST_PLACES = 16_383, 255
_MOST_BYTES = 1_000_000
_SURELY_FITS = 3_000


def build_tsvector(lexemes: Lexemes) -> tuple[str, bool]:
    """The vector as PostgreSQL parses it, and whether the whole document fits."""
    marks = [quote_lexeme(lexeme) for lexeme in lexemes.marked]
    if lexemes.words <= _SURELY_FITS:
        return " ".join([*marks, *_entries(lexemes)]), True
    kept, whole = _take_fitting(lexemes, _MOST_BYTES - 4 * sum(map(len, marks)))
    return " ".join([*marks, *kept]), whole


def _entries(lexemes: Lexemes) -> Iterator[str]:
    title, body = lexemes.title, lexemes.body
    for lexeme, places in title.items():
        at = [f"{place}A" for place in _storable_positions(places)] + [
            str(place) for place in _storable_positions(body.get(lexeme, ()))
        ]
        yield f"{quote_lexeme(lexeme)}:{','.join(at)}"
    for lexeme, places in body.items():
        # Most words occur once: the loop of every document, so it is short.
        if lexeme in title:
            continue
        if len(places) == 1 and places[0] <= _LAST_PLACE and lexeme.isalnum():
            yield f"'{lexeme}':{places[0]}"
        else:
            yield f"{quote_lexeme(lexeme)}:{','.join(map(str, _storable_positions(places)))}"


def _storable_positions(places: Sequence[int]) -> Sequence[int]:
    """The positions that can be stored, wrapped round if needed; positions are sorted."""
    if not places or places[-1] <= _LAST_PLACE:
        return places[:_MOST_PLACES]
    return [(place - 1) % _LAST_PLACE + 1 for place in places[:_MOST_PLACES]]


def _take_fitting(lexemes: Lexemes, room: int) -> tuple[list[str], bool]:
    """Entries in order of first occurrence, as far as there is room."""
    kept: list[str] = []
    for entry in _entries(lexemes):
        room -= len(entry.encode(errors="replace"))
        if room < 0:
            return kept, False
        kept.append(entry)
    return kept, True


def quote_lexeme(lexeme: str) -> str:
    """A lexeme quoted for a vector or a query."""
    return f"'{lexeme}'" if lexeme.isalnum() else "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


# Ranking takes as long as the words are many times the places they have, for each document that holds some of them.
MAX_RANKING_PHRASES = 32
# Days inside alternatives are looked up as years, months and days, so a span that is open on a side needs an end.
FIRST_DAY, LAST_DAY = date(1800, 1, 1), date(2200, 1, 1)


@dataclass(frozen=True, slots=True)
class MatchExpressions:
    """The expressions of a search: everything, everything but the words, prominent words, and ranking.

    Each is empty where the query has nothing of the sort. `since` and `until` are the dates that must hold in any case.
    """

    everything: str
    restrictions: str
    prominent: str
    ranking: str
    since: datetime | None = None
    until: datetime | None = None


def build_expressions(
    query: SearchQuery,
    *,
    kinds: Sequence[str] = (),
    filters: Mapping[str, Sequence[str]] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> MatchExpressions:
    """Compile a query and its filters into tsquery expressions."""
    conditions, spans = _split_dates(query.root)
    chosen = [(name, values) for name, values in {KIND: kinds, **(filters or {})}.items() if values]
    filtered = [_any(_lexeme(facet_lexeme(name, value)) for value in values) for name, values in chosen]
    words = [node for node in conditions if _has_words(node)]
    return MatchExpressions(
        everything=_all([*(_compile(node) for node in conditions), *filtered]),
        restrictions=_all([*(_compile(node) for node in conditions if not _has_words(node)), *filtered]),
        prominent=_all(_compile(node, PROMINENT) for node in words),
        ranking=_ranking(words),
        since=max([moment for moment in (since, *(span.since for span in spans)) if moment], default=None),
        until=min([moment for moment in (until, *(span.until for span in spans)) if moment], default=None),
    )


def _split_dates(root: QueryNode | None) -> tuple[list[QueryNode], list[QueryDates]]:
    """The conditions of a query without the dates that must hold in any case, and those dates."""
    nodes = () if root is None else root.of if isinstance(root, QueryAll) else (root,)
    return [node for node in nodes if not isinstance(node, QueryDates)], [
        node for node in nodes if isinstance(node, QueryDates)
    ]


def has_only_dates(query: SearchQuery) -> bool:
    """Whether a query has nothing but dates that must hold in any case, or nothing at all."""
    return not _split_dates(query.root)[0]


def has_dates(query: SearchQuery) -> bool:
    """Whether a query has dates that must hold in any case."""
    return bool(_split_dates(query.root)[1])


def has_words(query: SearchQuery) -> bool:
    """Whether a query has words to rank documents by."""
    return query.root is not None and _has_words(query.root)


def _has_words(node: QueryNode) -> bool:
    match node:
        case QueryText() | SimilarText():
            return True
        case QueryField(name, _):
            return name == TITLE
        case QueryAll(of) | QueryAny(of):
            return any(_has_words(part) for part in of)
    return False


def _compile(node: QueryNode, mark: str = "") -> str:
    """The expression of one condition; with a mark, words are looked up as marked lexemes."""
    match node:
        case QueryText() | SimilarText():
            return compile_text(node, mark)
        case QueryField():
            return _field_expression(node)
        case QueryDates(since=since, until=until):
            return day_expression(_day(since) or FIRST_DAY, _day(until) or LAST_DAY) or _lexeme(DAY)
        case QueryNot(of):
            return f"!({_compile(of)})"
        case QueryAll(of):
            return _all(_compile(part, mark) for part in of)
        case QueryAny(of):
            return _any(_compile(part, mark) for part in of)


def compile_text(text: QueryText | SimilarText, mark: str = "") -> str:
    """The expression of one text; with a mark, its words in any order."""
    phrases = [text_phrase(text)] if isinstance(text, QueryText) else similar_phrases(text.text)
    expressions = [_all_lexemes(phrase, mark) if mark else _in_order(phrase) for phrase in phrases]
    return expressions[0] if len(expressions) == 1 else _any(expressions)


def _field_expression(field: QueryField) -> str:
    if field.name == TITLE:
        return _title_expression(parse_phrase(field.value, is_beginning=field.is_beginning))
    return _lexeme(facet_lexeme(field.name, field.value), "*" if field.is_beginning else "")


def _ranking(nodes: Sequence[QueryNode]) -> str:
    """The words to rank by; of very many only the first ones, any of which counts."""
    phrases = list(dict.fromkeys(text_phrase(text) for node in nodes for text in query_texts(node)))
    if len(phrases) <= MAX_RANKING_PHRASES:
        return _all(_ranking_expression(node) for node in nodes)
    return _any(_all_lexemes(phrase) for phrase in phrases[:MAX_RANKING_PHRASES])


def _ranking_expression(node: QueryNode) -> str:
    """The words of a condition that count for relevance."""
    match node:
        case QueryText():
            return _all_lexemes(text_phrase(node))
        case SimilarText(text):
            return _any(_part_expression(part) for part in parse_phrase(text))
        case QueryField(name, value, is_beginning) if name == TITLE:
            return _all_lexemes(parse_phrase(value, is_beginning=is_beginning))
        case QueryAll(of):
            return _all(_ranking_expression(part) for part in of)
        case QueryAny(of):
            return _any(_ranking_expression(part) for part in of)
    return ""


def _lexeme(text: str, flags: str = "") -> str:
    return quote_lexeme(text) + (f":{flags}" if flags else "")


def _all_lexemes(phrase: Phrase, mark: str = "") -> str:
    """Every lexeme of a phrase, in any order."""
    return _all(_part_expression(part, mark) for part in phrase)


def _part_expression(part: PhrasePart, mark: str = "", flags: str = "") -> str:
    """A word in any of its spellings."""
    spellings = [_lexeme(mark + lexeme, flags + ("*" if begins else "")) for lexeme, begins in part.spellings]
    return spellings[0] if len(spellings) == 1 else f"({' | '.join(spellings)})"


def _in_order(phrase: Phrase, flags: str = "") -> str:
    expression, last = "", 0
    for part in phrase:
        lexeme = _part_expression(part, flags=flags)
        expression = f"{expression} <{part.offset - last}> {lexeme}" if expression else lexeme
        last = part.offset
    return f"({expression})" if len(phrase) > 1 else expression


def _title_expression(phrase: Phrase) -> str:
    """The words in the title, in order; being prominent there, few other documents must be checked."""
    return _all([_all_lexemes(phrase, PROMINENT), _in_order(phrase, "A")])


def _all(expressions: Iterable[str]) -> str:
    return " & ".join(expression for expression in expressions if expression)


def _any(expressions: Iterable[str]) -> str:
    some = [f"({expression})" for expression in expressions if expression]
    return f"({' | '.join(some)})" if some else ""


def _day(moment: datetime | None) -> date | None:
    return moment.astimezone(UTC).date() if moment else None


def day_expression(since: date, until: date) -> str:
    """The expression for documents of these days, `until` excluded."""
    return _any(_lexeme(DAY + day) for day in _days(max(since, FIRST_DAY), min(until, LAST_DAY)))


def _days(day: date, end: date) -> Iterator[str]:
    """A range as whole years, whole months and single days."""
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
