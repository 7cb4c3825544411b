"""The query syntax that every list and every desk shares: words, "phrase", -not, OR, (groups), field:value, dates.

Reads text into a tree, or refuses it with a sentence saying where and what to do.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from almanac.errors import InputError
from almanac.language import search_terms
from almanac.search.days import DATE_FIELDS, read_days
from almanac.search.query import NAME, OPERATORS, QUOTES, All, Any, Dates, Field, Node, Not, Query, Text

BASE_FIELDS = ("title", "kind", "lang")
LONGEST = 2000
DEEPEST = 30

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
_UNCLOSED = "this quotation mark is never closed; close it or remove it."
_ENDS = frozenset({"OR", "close"})


class BadQuery(InputError):
    """A query that can't be read; `position` counts characters from 1."""

    code = "invalid_query"

    def __init__(self, sentence: str, position: int) -> None:
        super().__init__(f"At character {position} of the query: {sentence}", position=position)
        self.position = position


@dataclass(frozen=True, slots=True)
class _Token:
    """One piece of a query: its sort, its text, where it begins, and for a field its name."""

    sort: str
    text: str
    position: int
    name: str = ""


def parse(text: str, fields: Collection[str] = ()) -> Query:
    """Read a query. `fields` are the names that may be used besides those every document has."""
    if len(text) > LONGEST:
        raise BadQuery(f"a query may have {LONGEST:,} characters; leave something out.", LONGEST + 1)
    tokens = list(_tokens(_NO_TEXT.sub(" ", text)))
    if not tokens:
        return Query()
    root = _Parser(tokens, known_fields(fields)).whole()
    if root is None:
        raise BadQuery("there is no word to search for; add a word or a number.", tokens[0].position)
    return Query(root)


def known_fields(fields: Collection[str] = ()) -> tuple[str, ...]:
    """Every field that a query may name."""
    return (*BASE_FIELDS, *DATE_FIELDS, *sorted(set(fields) - set(BASE_FIELDS)))


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        sort, word, position = match.lastgroup or "", match[0], match.start() + 1
        if sort == "value":
            name = unicodedata.normalize("NFKC", match["name"]).lower()
            yield _Token("field", match["value"], position, name)
        elif sort == "word" and (operator := unicodedata.normalize("NFKC", word)) in OPERATORS:
            yield _Token("not" if operator == "NOT" else operator, word, position)
        else:
            yield _Token(sort, word, position)


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(r"\1", text[1:-1]) if text[:1] and text[0] in QUOTES else text


def _finds(node: Node) -> bool:
    """Whether it says what must occur, and not only what must not."""
    match node:
        case Not():
            return False
        case All(of):
            return any(_finds(part) for part in of)
    return True


def _all_of(parts: Sequence[Node]) -> Node | None:
    """One condition for all parts, each once; conjunctions inside it are taken apart, so that equal queries have equal
    trees, and a word that is pasted hundreds of times costs what it costs once."""
    flat = list(dict.fromkeys(inner for part in parts for inner in (part.of if isinstance(part, All) else (part,))))
    return All(tuple(flat)) if len(flat) > 1 else next(iter(flat), None)


def _any_of(branches: Sequence[Node]) -> Node | None:
    flat = list(
        dict.fromkeys(one for branch in branches for one in (branch.of if isinstance(branch, Any) else (branch,)))
    )
    return Any(tuple(flat)) if len(flat) > 1 else next(iter(flat), None)


class _Parser:
    """Reads tokens by recursive descent: alternatives of conjunctions of parts. None stands for text without a word."""

    def __init__(self, tokens: Sequence[_Token], fields: Sequence[str]) -> None:
        self._tokens = tokens
        self._fields = fields
        self._next = 0
        self._depth = 0

    def whole(self) -> Node | None:
        root = self._alternatives()
        if (rest := self._peek()) is not None:
            raise BadQuery("this parenthesis closes nothing; remove it.", rest.position)
        if root is not None and not _finds(root):
            raise BadQuery("it says only what must not occur; add a word that must.", self._tokens[0].position)
        return root

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _at(self, *sorts: str) -> _Token | None:
        """The next token if it is of one of these sorts."""
        token = self._peek()
        return token if token is not None and token.sort in sorts else None

    def _alternatives(self) -> Node | None:
        if operator := self._at("OR", "AND"):
            raise BadQuery(f"nothing comes before {operator.text}; add a word, or quote it.", operator.position)
        begins = [self._next]
        branches = [self._conjunction()]
        while operator := self._at("OR"):
            self._next += 1
            self._demand_operand(operator)
            begins.append(self._next)
            branches.append(self._conjunction())
        if len(branches) > 1:
            self._demand_finds(begins, branches)
        return _any_of([branch for branch in branches if branch is not None])

    def _demand_finds(self, begins: Sequence[int], branches: Sequence[Node | None]) -> None:
        for begin, branch in zip(begins, branches, strict=True):
            if branch is not None and not _finds(branch):
                position = self._tokens[begin].position
                raise BadQuery("each side of OR must say what must occur; add a word that must.", position)

    def _conjunction(self) -> Node | None:
        parts: list[Node] = []
        while (token := self._peek()) is not None and token.sort not in _ENDS:
            if token.sort == "AND":
                self._next += 1
                self._demand_operand(token)
            elif (part := self._part()) is not None:
                parts.append(part)
        return _all_of(parts)

    def _demand_operand(self, operator: _Token) -> None:
        following = self._peek()
        if following is None or following.sort in _ENDS or following.sort == "AND":
            raise BadQuery(f"nothing comes after {operator.text}; add a word, or quote it.", operator.position)

    def _part(self) -> Node | None:
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
                raise BadQuery(_UNCLOSED, token.position)
        return Text(token.text) if search_terms(token.text) else None

    def _negated(self, token: _Token) -> Node | None:
        self._demand_operand(token)
        self._go_deeper(token)
        inner = self._part()
        self._depth -= 1
        return None if inner is None else Not(inner)

    def _group(self, opening: _Token) -> Node | None:
        self._go_deeper(opening)
        if self._at("close"):
            raise BadQuery("there is nothing between these parentheses; remove them.", opening.position)
        node = self._alternatives() if self._peek() else None
        if not self._at("close"):
            raise BadQuery("this parenthesis is never closed; close it or remove it.", opening.position)
        self._next += 1
        self._depth -= 1
        return node

    def _go_deeper(self, token: _Token) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise BadQuery(f"more than {DEEPEST} groups are inside each other; write it more simply.", token.position)

    def _phrase(self, token: _Token) -> Node:
        text = _unquoted(token.text)
        if not search_terms(text):
            raise BadQuery("there is no word between these quotation marks; add one or remove them.", token.position)
        return Text(text, quoted=True)

    def _field(self, token: _Token) -> Node:
        name, value = token.name, _unquoted(token.text).strip()
        if name not in self._fields:
            known = ", ".join(self._fields)
            raise BadQuery(f"there is no field “{name}”; use one of {known}, or quote the words.", token.position)
        if not value and (quote := self._at("quote")):
            raise BadQuery(_UNCLOSED, quote.position)
        if not value or (name == "title" and not search_terms(value)):
            raise BadQuery(f"nothing follows {name}: — write {name}:value without a space.", token.position)
        if name not in DATE_FIELDS:
            return Field(name, value)
        try:
            return Dates(name, unicodedata.normalize("NFKC", value), *read_days(name, value))
        except ValueError as error:
            raise BadQuery(str(error), token.position) from error
