"""What a query is once it is understood: a tree of conditions that prints as text which reads back to the same tree."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from almanac.language.terms import search_terms

QUOTES = '"“”„＂'
TITLE = "title"
OPERATORS = frozenset({"AND", "OR", "NOT"})
NAME = r"[A-Za-zＡ-Ｚａ-ｚ][A-Za-zＡ-Ｚａ-ｚ0-9０-９_-]*"
_PLAIN = rf"[^\s()（）{QUOTES}]"
_WORD = re.compile(rf"(?![-－][^-－])(?!{NAME}[:：](?!//)){_PLAIN}+")
_VALUE = re.compile(rf"(?!//){_PLAIN}+")
_ESCAPED = re.compile(rf"[\\{QUOTES}]")


@dataclass(frozen=True, slots=True)
class TextNode:
    """Words that must occur; what is quoted is one phrase."""

    text: str
    quoted: bool = False

    def __str__(self) -> str:
        plain = not self.quoted and _WORD.fullmatch(self.text) and self.text not in OPERATORS
        return self.text if plain else quote_text(self.text)


@dataclass(frozen=True, slots=True)
class FieldNode:
    """A field that must have a value; the field `title` must hold the words."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"{self.name}:{self.value if _VALUE.fullmatch(self.value) else quote_text(self.value)}"


@dataclass(frozen=True, slots=True)
class DateRangeNode:
    """A span of days as it was written, with its first moment and the first moment after it."""

    name: str
    value: str
    since: datetime | None
    until: datetime | None

    def __str__(self) -> str:
        return f"{self.name}:{self.value}"


@dataclass(frozen=True, slots=True)
class NotNode:
    """What must not hold."""

    of: "QueryNode"

    def __str__(self) -> str:
        inner = f"({self.of})" if isinstance(self.of, AllNode | AnyNode) else str(self.of)
        return f"NOT {inner}" if inner.startswith(("-", "－")) else f"-{inner}"


@dataclass(frozen=True, slots=True)
class AllNode:
    """Everything that must hold, in the order written."""

    of: tuple["QueryNode", ...]

    def __str__(self) -> str:
        return " ".join(f"({node})" if isinstance(node, AnyNode) else str(node) for node in self.of)


@dataclass(frozen=True, slots=True)
class AnyNode:
    """Alternatives, of which one must hold."""

    of: tuple["QueryNode", ...]

    def __str__(self) -> str:
        return " OR ".join(str(node) for node in self.of)


QueryNode: TypeAlias = TextNode | FieldNode | DateRangeNode | NotNode | AllNode | AnyNode


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A whole query; without a root it matches everything."""

    root: QueryNode | None = None

    def __str__(self) -> str:
        return "" if self.root is None else str(self.root)


def query_texts(node: QueryNode | None) -> Iterator[str]:
    """The texts that a query asks for, in the title or anywhere; none that it excludes."""
    match node:
        case TextNode(text):
            yield text
        case FieldNode(name, value) if name == TITLE:
            yield value
        case AllNode(of) | AnyNode(of):
            for part in of:
                yield from query_texts(part)


def any_phrase_query(phrases: Iterable[str]) -> str:
    """A query for what holds one of the phrases, in which nothing of them is read as syntax; empty without any word."""
    return " OR ".join(quote_text(phrase) for phrase in map(str.strip, phrases) if search_terms(phrase))


def quote_text(text: str) -> str:
    """The text between quotation marks, with those inside it escaped."""
    return '"' + _ESCAPED.sub(lambda found: "\\" + found[0], text) + '"'
