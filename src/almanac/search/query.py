"""The tree of a parsed query; printing it gives text that parses to the same tree."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from almanac.language.terms import search_terms

QUOTES = '"“”„＂'
TITLE = "title"
ANY_ENDING = "*"
_STARS = ("*", "＊")
OPERATORS = frozenset({"AND", "OR", "NOT"})
NAME = r"[A-Za-zＡ-Ｚａ-ｚ][A-Za-zＡ-Ｚａ-ｚ0-9０-９_-]*"
_PLAIN = rf"[^\s()（）{QUOTES}]"
_WORD = re.compile(rf"(?![-－][^-－])(?!{NAME}[:：](?!//)){_PLAIN}+")
_VALUE = re.compile(rf"(?!//){_PLAIN}+")
_ESCAPED = re.compile(rf"[\\{QUOTES}]")


@dataclass(frozen=True, slots=True)
class QueryText:
    """Words that must occur; quoted ones as a phrase, a beginning as any word that begins so."""

    text: str
    quoted: bool = False
    is_beginning: bool = False

    def __str__(self) -> str:
        if self.is_beginning:
            return f"{self.text}{ANY_ENDING}"
        plain = not self.quoted and _WORD.fullmatch(self.text) and self.text not in OPERATORS
        return self.text if plain and not self.text.endswith(_STARS) else quote_text(self.text)


@dataclass(frozen=True, slots=True)
class SimilarText:
    """A run of Chinese or Japanese characters, of which one may be wrong, missing, too many or swapped.

    Only made from a query that has few matches; nobody can write it.
    """

    text: str

    def __str__(self) -> str:
        return f"~{quote_text(self.text)}"


@dataclass(frozen=True, slots=True)
class QueryField:
    """A field that must have a value, or one that begins so; `title` must contain the words."""

    name: str
    value: str
    is_beginning: bool = False

    def __str__(self) -> str:
        if self.is_beginning:
            return f"{self.name}:{self.value}{ANY_ENDING}"
        plain = _VALUE.fullmatch(self.value) and not self.value.endswith(_STARS)
        return f"{self.name}:{self.value if plain else quote_text(self.value)}"


@dataclass(frozen=True, slots=True)
class QueryDates:
    """A range of dates as written, with its first moment and the first moment after it."""

    name: str
    value: str
    since: datetime | None
    until: datetime | None

    def __str__(self) -> str:
        return f"{self.name}:{self.value}"


@dataclass(frozen=True, slots=True)
class QueryNot:
    """A condition that must not hold."""

    of: "QueryNode"

    def __str__(self) -> str:
        inner = f"({self.of})" if isinstance(self.of, QueryAll | QueryAny) else str(self.of)
        return f"NOT {inner}" if inner.startswith(("-", "－")) else f"-{inner}"


@dataclass(frozen=True, slots=True)
class QueryAll:
    """Conditions that must all hold, in the order written."""

    of: tuple["QueryNode", ...]

    def __str__(self) -> str:
        return " ".join(f"({node})" if isinstance(node, QueryAny) else str(node) for node in self.of)


@dataclass(frozen=True, slots=True)
class QueryAny:
    """Alternatives, of which one must hold."""

    of: tuple["QueryNode", ...]

    def __str__(self) -> str:
        return " OR ".join(str(node) for node in self.of)


QueryNode: TypeAlias = QueryText | SimilarText | QueryField | QueryDates | QueryNot | QueryAll | QueryAny


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A query; without a root it matches everything."""

    root: QueryNode | None = None

    def __str__(self) -> str:
        return "" if self.root is None else str(self.root)


def query_texts(node: QueryNode | None) -> Iterator[QueryText]:
    """The texts that a query asks for, in the title or anywhere; none that it excludes."""
    match node:
        case QueryText():
            yield node
        case SimilarText(text):
            yield QueryText(text)
        case QueryField(name, value, is_beginning) if name == TITLE:
            yield QueryText(value, is_beginning=is_beginning)
        case QueryAll(of) | QueryAny(of):
            for part in of:
                yield from query_texts(part)


def any_words_query(phrases: Iterable[str]) -> str:
    """A query for any of the phrases, each by all its words in any order; empty without any word.

    Words are quoted so that nothing is read as syntax.
    """
    wanted = ([word for word in phrase.split() if search_terms(word)] for phrase in phrases)
    return " OR ".join(" ".join(map(quote_text, words)) for words in wanted if words)


def quote_text(text: str) -> str:
    """The text in quotation marks, with those inside it escaped."""
    return '"' + _ESCAPED.sub(lambda match: "\\" + match[0], text) + '"'
