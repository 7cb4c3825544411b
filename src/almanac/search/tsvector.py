"""A document as PostgreSQL's text search vector, within what such a vector can hold.

It holds places up to 16,383, at most 255 for one lexeme, and a megabyte in all. Places wrap round, so that phrases are
found anywhere in a long text; what is beyond the megabyte is left out, and the caller is told.
"""

from collections.abc import Iterator, Sequence

from almanac.search.terms import Lexemes

_LAST_PLACE, _MOST_PLACES = 16_383, 255
_MOST_BYTES = 1_000_000
_SURELY_FITS = 3_000


def vector_of(lexemes: Lexemes) -> tuple[str, bool]:
    """The vector in the form in which PostgreSQL reads it, and whether all of the document went in."""
    marks = [quoted_lexeme(lexeme) for lexeme in lexemes.marked]
    if lexemes.words <= _SURELY_FITS:
        return " ".join([*marks, *_entries(lexemes)]), True
    kept, whole = _what_fits(lexemes, _MOST_BYTES - 4 * sum(map(len, marks)))
    return " ".join([*marks, *kept]), whole


def _entries(lexemes: Lexemes) -> Iterator[str]:
    title, body = lexemes.title, lexemes.body
    for lexeme, places in title.items():
        at = [f"{place}A" for place in _kept(places)] + [str(place) for place in _kept(body.get(lexeme, ()))]
        yield f"{quoted_lexeme(lexeme)}:{','.join(at)}"
    for lexeme, places in body.items():
        # Most words occur once: the loop of every document, so it is short.
        if lexeme in title:
            continue
        if len(places) == 1 and places[0] <= _LAST_PLACE and lexeme.isalnum():
            yield f"'{lexeme}':{places[0]}"
        else:
            yield f"{quoted_lexeme(lexeme)}:{','.join(map(str, _kept(places)))}"


def _kept(places: Sequence[int]) -> Sequence[int]:
    """The places that can be stored; they rise, so the last tells whether any must wrap round."""
    if not places or places[-1] <= _LAST_PLACE:
        return places[:_MOST_PLACES]
    return [(place - 1) % _LAST_PLACE + 1 for place in places[:_MOST_PLACES]]


def _what_fits(lexemes: Lexemes, room: int) -> tuple[list[str], bool]:
    """Entries in the order in which their words first occur, as far as there is room."""
    kept: list[str] = []
    for entry in _entries(lexemes):
        room -= len(entry.encode(errors="replace"))
        if room < 0:
            return kept, False
        kept.append(entry)
    return kept, True


def quoted_lexeme(lexeme: str) -> str:
    """A lexeme as PostgreSQL reads it in a vector and in a query."""
    return f"'{lexeme}'" if lexeme.isalnum() else "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"
