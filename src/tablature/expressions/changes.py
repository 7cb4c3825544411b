"""Field changes as values: each renders to a clause of an update expression, and can be applied to a value."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tablature.errors import InputError
from tablature.expressions.builder import ExpressionBuilder, Path
from tablature.records import record, record_field
from tablature.wire import AttributeValue

Apply = Callable[[Any], Any]


@record
class FieldChange:
    """One change of a field. `apply` computes the new value from the old one; for an assignment the old one doesn't
    matter."""

    field: str
    path: Path
    section: str
    text: str
    value: AttributeValue | None = None
    apply: Apply = lambda old: old
    is_assignment: bool = False

    def render(self, into: ExpressionBuilder) -> str:
        place = into.path(self.path)
        return self.text.format(place=place, value="" if self.value is None else into.value(self.value))

    def attributes(self) -> frozenset[str]:
        return frozenset({str(self.path[0])})

    @property
    def is_nested(self) -> bool:
        return len(self.path) > 1


def set_to(name: str, path: Path, value: AttributeValue, plain: object) -> FieldChange:
    return FieldChange(name, path, "SET", "{place} = {value}", value, lambda _: plain, is_assignment=True)


def set_default(name: str, path: Path, value: AttributeValue, plain: object) -> FieldChange:
    return FieldChange(
        name,
        path,
        "SET",
        "{place} = if_not_exists({place}, {value})",
        value,
        lambda old: plain if old is None else old,
    )


def add(name: str, path: Path, value: AttributeValue, plain: Any) -> FieldChange:
    """Add to a number (none counts as zero), or elements to a set."""

    def apply(old: Any) -> Any:
        if old is None:
            return plain
        return old | plain if isinstance(plain, set | frozenset) else old + plain

    return FieldChange(name, path, "ADD", "{place} {value}", value, apply)


def discard(name: str, path: Path, value: AttributeValue, plain: Any) -> FieldChange:
    return FieldChange(name, path, "DELETE", "{place} {value}", value, lambda old: None if old is None else old - plain)


def append(name: str, path: Path, value: AttributeValue, plain: list[Any]) -> FieldChange:
    """Append to a list that exists."""
    text = "{place} = list_append({place}, {value})"
    return FieldChange(name, path, "SET", text, value, lambda old: [*(old or ()), *plain])


def remove(name: str, path: Path) -> FieldChange:
    return FieldChange(name, path, "REMOVE", "{place}", None, lambda _: None, is_assignment=True)


_NAME = re.compile(r"#?[A-Za-z_][\w-]*")
_WORDS = {"set", "remove", "add", "delete", "if_not_exists", "list_append"}


@record
class RawUpdate:
    """An update expression written by hand. It may not touch anything from which keys or copies are derived."""

    expression: str
    values: dict[str, AttributeValue] = record_field(default_factory=dict)
    names: dict[str, str] = record_field(default_factory=dict)

    def attributes(self) -> frozenset[str]:
        """Every attribute name in the expression, read or written."""
        text = re.sub(r":\w+", " ", self.expression)
        names = {self.names.get(word, word) for word in _NAME.findall(text)}
        return frozenset(name for name in names if name.lower() not in _WORDS)

    def sections(self) -> dict[str, list[str]]:
        pieces = re.split(r"(?i)\b(SET|REMOVE|ADD|DELETE)\b(?=\s)", self.expression)
        if pieces[0].strip() or len(pieces) < 3:
            raise InputError("A raw update starts with SET, REMOVE, ADD or DELETE.")
        sections: dict[str, list[str]] = {}
        for word, clause in zip(pieces[1::2], pieces[2::2], strict=True):
            sections.setdefault(word.upper(), []).append(clause.strip())
        return sections


def render_update(changes: list[FieldChange], raw: RawUpdate | None, into: ExpressionBuilder) -> str:
    """The whole update expression, its sections in the service's order."""
    sections: dict[str, list[str]] = {"SET": [], "REMOVE": [], "ADD": [], "DELETE": []}
    for change in changes:
        sections[change.section].append(change.render(into))
    if raw is not None:
        into.merge(raw.names, raw.values)
        for word, clauses in raw.sections().items():
            sections[word] += clauses
    return " ".join(f"{word} {', '.join(clauses)}" for word, clauses in sections.items() if clauses)
