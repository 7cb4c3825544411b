"""Parses the query syntax of every list and desk: words, "phrase", -not, OR, (groups), field:value, dates.

An invalid query raises InvalidQuery, saying where and what to do. Dates are in UTC.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches

from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.language.scripts import is_cjk
from almanac.language.terms import search_terms
from almanac.search.fields import ALIASES, DATE_FIELDS, known_fields
from almanac.search.query import (
    NAME,
    OPERATORS,
    QUOTES,
    QueryAll,
    QueryAny,
    QueryDates,
    QueryField,
    QueryNode,
    QueryNot,
    QueryText,
    SearchQuery,
)

_DAY = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?")
_DATE_HELP = gettext("write a year, month or day such as 2026, 2026-01 or 2026-01-31")

DateRange = tuple[datetime | None, datetime | None]


def parse_date_range(name: str, text: str) -> DateRange:
    """The first moment meant and the first moment after it. `after:` and `until:` include their day, `before:` doesn't.

    Raises ValueError saying what to write instead.
    """
    text = unicodedata.normalize("NFKC", text)
    if name == "after":
        return _parse_period(text)[0], None
    if name == "before":
        return None, _parse_period(text)[0]
    if name == "until":
        return None, _parse_period(text)[1]
    first, dots, last = text.partition("..")
    if not dots:
        return _parse_period(text)
    if not first and not last:
        raise ValueError(gettext("“%(text)s” has no date; %(help)s.", text=text, help=_DATE_HELP))
    since, until = _parse_period(first)[0] if first else None, _parse_period(last)[1] if last else None
    if since and until and since >= until:
        raise ValueError(gettext("the range %(text)s ends before it starts; swap the dates.", text=text))
    return since, until


def _parse_period(text: str) -> tuple[datetime, datetime]:
    parts = match.groups() if (match := _DAY.fullmatch(text)) else ("0", None, None)
    try:
        return _period_bounds(*(int(part) if part else None for part in parts))
    except (ValueError, OverflowError) as error:
        raise ValueError(gettext("“%(text)s” isn't a date; %(help)s.", text=text, help=_DATE_HELP)) from error


def _period_bounds(year: int | None, month: int | None, day: int | None) -> tuple[datetime, datetime]:
    assert year is not None
    first = datetime(year, month or 1, day or 1, tzinfo=UTC)
    if day:
        return first, first + timedelta(days=1)
    if month:
        return first, (first + timedelta(days=31)).replace(day=1)
    return first, first.replace(year=year + 1)


MAX_QUERY_LENGTH = 2000
MAX_DEPTH = 30
SHORTEST_BEGINNING = 2
ANY_ENDINGS = "*＊"

# A backslash has one reading only, or a row of them would be tried in more ways than there is time for. Where the last
# quotation mark is escaped, it is taken for the closing one.
_INSIDE = rf"(?:\\[\\{QUOTES}]|\\(?![\\{QUOTES}])|[^\\{QUOTES}])*"
_QUOTED = rf"(?:[{QUOTES}](?:{_INSIDE}|[^{QUOTES}]*)[{QUOTES}])"
_TOKEN = re.compile(
    rf"""(?P<open>[(（])|(?P<close>[)）])
    |(?P<not>[-－](?=[^\s\-－]))
    |(?P<name>{NAME})[:：](?!//)(?P<value>{_QUOTED}|[^\s()（）{QUOTES}]*)
    |(?P<phrase>{_QUOTED})
    |(?P<quote>[{QUOTES}])
    |(?P<word>[^\s()（）{QUOTES}]+)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(rf"\\([\\{QUOTES}])")
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
_UNCLOSED = gettext("this quotation mark is never closed; close it or remove it.")
_ENDS = frozenset({"OR", "close"})


class InvalidQuery(InputError, code="invalid_query"):
    """A query that can't be parsed; `position` counts characters from 1."""

    def __init__(self, sentence: str, position: int) -> None:
        super().__init__(
            gettext("At character %(position)s of the query: %(sentence)s", position=position, sentence=sentence),
            position=position,
        )
        self.position = position


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of a query: its kind (`sort`), text and position, and for a field its name."""

    sort: str
    text: str
    position: int
    name: str = ""


def parse_query(
    text: str,
    fields: Collection[str] = (),
    values: Mapping[str, Sequence[str]] | None = None,
    value_named: Callable[[str, str], str] = lambda _, name: name,
) -> SearchQuery:
    """Parse a query. `fields` are allowed names besides those that every document has; `values` are all that some of
    the fields can have, and `value_named` gives the value of a field that people see by a name.
    """
    if len(text) > MAX_QUERY_LENGTH:
        raise InvalidQuery(
            gettext(
                "a query may have %(limit)s characters; leave something out.",
                limit=f"{MAX_QUERY_LENGTH:,}",
            ),
            MAX_QUERY_LENGTH + 1,
        )
    tokens = list(_tokenize(_NO_TEXT.sub(" ", text)))
    if not tokens:
        return SearchQuery()
    root = _Parser(tokens, known_fields(fields), values or {}, value_named).whole()
    if root is None:
        raise InvalidQuery(gettext("there is no word to search for; add a word or a number."), tokens[0].position)
    return SearchQuery(root)


def _tokenize(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        sort, word, position = match.lastgroup or "", match[0], match.start() + 1
        if sort == "value":
            name = unicodedata.normalize("NFKC", match["name"]).lower()
            yield _Token("field", match["value"], position, name)
        elif sort == "word" and (operator := unicodedata.normalize("NFKC", word)) in OPERATORS:
            yield _Token("not" if operator == "NOT" else operator, word, position)
        else:
            yield _Token(sort, word, position)


def _unquote(text: str) -> str:
    return _ESCAPE.sub(r"\1", text[1:-1]) if text[:1] and text[0] in QUOTES else text


def _requires_something(node: QueryNode) -> bool:
    """Whether it has a condition besides negations."""
    match node:
        case QueryNot():
            return False
        case QueryAll(of):
            return any(_requires_something(part) for part in of)
    return True


def _join_all(parts: Sequence[QueryNode]) -> QueryNode | None:
    """One condition for all parts, each once; nested conjunctions are flattened, so that equal queries have equal
    trees.
    """
    flat = list(
        dict.fromkeys(inner for part in parts for inner in (part.of if isinstance(part, QueryAll) else (part,)))
    )
    return QueryAll(tuple(flat)) if len(flat) > 1 else next(iter(flat), None)


def _join_any(branches: Sequence[QueryNode]) -> QueryNode | None:
    flat = list(
        dict.fromkeys(
            inner for branch in branches for inner in (branch.of if isinstance(branch, QueryAny) else (branch,))
        )
    )
    return QueryAny(tuple(flat)) if len(flat) > 1 else next(iter(flat), None)


class _Parser:
    """Recursive descent: alternatives of conjunctions of parts. None stands for text without a word."""

    def __init__(
        self,
        tokens: Sequence[_Token],
        fields: Sequence[str],
        values: Mapping[str, Sequence[str]],
        value_named: Callable[[str, str], str],
    ) -> None:
        self._tokens = tokens
        self._fields = fields
        self._values = values
        self._value_named = value_named
        self._next = 0
        self._depth = 0

    def whole(self) -> QueryNode | None:
        root = self._alternatives()
        if (rest := self._peek()) is not None:
            raise InvalidQuery(gettext("this parenthesis closes nothing; remove it."), rest.position)
        if root is not None and not _requires_something(root):
            raise InvalidQuery(gettext("it only excludes words; add a word to search for."), self._tokens[0].position)
        return root

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _at(self, *sorts: str) -> _Token | None:
        """The next token if it is of one of these kinds, else None."""
        token = self._peek()
        return token if token is not None and token.sort in sorts else None

    def _alternatives(self) -> QueryNode | None:
        if operator := self._at("OR", "AND"):
            raise InvalidQuery(
                gettext("nothing comes before %(text)s; add a word, or quote it.", text=operator.text),
                operator.position,
            )
        begins = [self._next]
        branches = [self._conjunction()]
        while operator := self._at("OR"):
            self._next += 1
            self._demand_operand(operator)
            begins.append(self._next)
            branches.append(self._conjunction())
        if len(branches) > 1:
            self._demand_finds(begins, branches)
        return _join_any([branch for branch in branches if branch is not None])

    def _demand_finds(self, begins: Sequence[int], branches: Sequence[QueryNode | None]) -> None:
        for begin, branch in zip(begins, branches, strict=True):
            if branch is not None and not _requires_something(branch):
                position = self._tokens[begin].position
                raise InvalidQuery(gettext("each side of OR needs a word to search for; add one."), position)

    def _conjunction(self) -> QueryNode | None:
        parts: list[QueryNode] = []
        while (token := self._peek()) is not None and token.sort not in _ENDS:
            if token.sort == "AND":
                self._next += 1
                self._demand_operand(token)
            elif (part := self._part()) is not None:
                parts.append(part)
        return _join_all(parts)

    def _demand_operand(self, operator: _Token) -> None:
        following = self._peek()
        if following is None or following.sort in _ENDS or following.sort == "AND":
            raise InvalidQuery(
                gettext("nothing comes after %(text)s; add a word, or quote it.", text=operator.text), operator.position
            )

    def _part(self) -> QueryNode | None:
        token = self._tokens[self._next]
        self._next += 1
        match token.sort:
            case "not":
                return self._negated(token)
            case "open":
                return self._group(token)
            case "field":
                return self._field(token)
            case "phrase":
                return self._phrase(token)
            case "quote":
                raise InvalidQuery(_UNCLOSED, token.position)
        return self._word(token)

    def _word(self, token: _Token) -> QueryNode | None:
        text, is_beginning = self._split_ending(token.text, token)
        # An asterisk after a sign, such as in `why?*`, stands for nothing.
        text = text.rstrip(ANY_ENDINGS)
        return QueryText(text, is_beginning=is_beginning) if search_terms(text) else None

    def _split_ending(self, written: str, token: _Token) -> tuple[str, bool]:
        """A word without the asterisk that stands for any ending, and whether it has one."""
        text = written.rstrip(ANY_ENDINGS)
        if text == written or not (terms := search_terms(text)) or terms[-1].end != len(text):
            return written, False
        if is_cjk(text[-1]):
            return text, False
        if terms[-1].end - terms[-1].start < SHORTEST_BEGINNING:
            raise InvalidQuery(
                gettext(
                    "write at least %(shortest_beginning)s letters before *.", shortest_beginning=SHORTEST_BEGINNING
                ),
                token.position,
            )
        return text, True

    def _negated(self, token: _Token) -> QueryNode | None:
        self._demand_operand(token)
        self._go_deeper(token)
        inner = self._part()
        self._depth -= 1
        return None if inner is None else QueryNot(inner)

    def _group(self, opening: _Token) -> QueryNode | None:
        self._go_deeper(opening)
        if self._at("close"):
            raise InvalidQuery(gettext("there is nothing between these parentheses; remove them."), opening.position)
        node = self._alternatives() if self._peek() else None
        if not self._at("close"):
            raise InvalidQuery(gettext("this parenthesis is never closed; close it or remove it."), opening.position)
        self._next += 1
        self._depth -= 1
        return node

    def _go_deeper(self, token: _Token) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise InvalidQuery(
                gettext("it has more than %(limit)s nested groups; simplify it.", limit=MAX_DEPTH),
                token.position,
            )

    def _phrase(self, token: _Token) -> QueryNode:
        text = _unquote(token.text)
        if not search_terms(text):
            raise InvalidQuery(
                gettext("there is no word between these quotation marks; add one or remove them."), token.position
            )
        return QueryText(text, quoted=True)

    def _field_name(self, token: _Token) -> str:
        """The name that the index has for a field; raises InvalidQuery with the nearest one for a name it hasn't."""
        name = ALIASES.get(token.name, token.name)
        if name in self._fields:
            return name
        field_names = ", ".join(self._fields)
        near = get_close_matches(token.name, (*self._fields, *ALIASES), n=1, cutoff=0.7)
        if near:
            sentence = gettext(
                "there is no field “%(name)s”; did you mean “%(near)s”? Use one of %(names)s, or quote the words.",
                name=token.name,
                near=near[0],
                names=field_names,
            )
        else:
            sentence = gettext(
                "there is no field “%(name)s”; use one of %(names)s, or quote the words.",
                name=token.name,
                names=field_names,
            )
        raise InvalidQuery(sentence, token.position)

    def _demand_value(self, name: str, value: str, token: _Token, *, is_beginning: bool) -> None:
        """Raise InvalidQuery with the values that a field can have, if all are known and this isn't among them."""
        values, written = self._values.get(name), unicodedata.normalize("NFKC", value).casefold()
        if not values or written in values or (is_beginning and any(other.startswith(written) for other in values)):
            return
        raise InvalidQuery(
            gettext(
                "nothing has %(name)s:%(value)s; use one of %(values)s.",
                name=name,
                value=value,
                values=", ".join(values),
            ),
            token.position,
        )

    def _field(self, token: _Token) -> QueryNode:
        name, value = self._field_name(token), _unquote(token.text).strip()
        is_beginning = False
        if name not in DATE_FIELDS and token.text[:1] not in QUOTES:
            value, is_beginning = self._split_ending(value, token)
        if not value and (quote := self._at("quote")):
            raise InvalidQuery(_UNCLOSED, quote.position)
        if not value or (name == "title" and not search_terms(value)):
            raise InvalidQuery(
                gettext("nothing follows %(name)s: — write %(name)s:value without a space.", name=name), token.position
            )
        if name not in DATE_FIELDS:
            value = value if is_beginning else self._value_named(name, value)
            self._demand_value(name, value, token, is_beginning=is_beginning)
            return QueryField(name, value, is_beginning)
        try:
            return QueryDates(name, unicodedata.normalize("NFKC", value), *parse_date_range(name, value))
        except ValueError as error:
            raise InvalidQuery(str(error), token.position) from error
