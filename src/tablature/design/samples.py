"""Sample values and items made from the declarations alone, the same on every run."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID

from tablature.schema.fields import UNSET, FieldSchema
from tablature.schema.kinds import ValueKind, kind_of, without_none
from tablature.schema.model import EntitySchema, FanoutPath, PatternSchema
from tablature.wire import Item


def split_words(name: str) -> list[str]:
    """The words of a name in snake or camel case, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


_CLASSES = {"d": "1", "w": "a", "s": " ", "S": "a", "D": "a", "W": "-"}
_REPEATS = 4


def regex_example(pattern: str) -> str | None:
    """A short text that matches the expression; None if it uses an unsupported feature."""
    try:
        text = _RegexSampler(pattern).alternatives()
        return text if re.fullmatch(pattern, text) else None
    except (IndexError, ValueError, re.error):
        return None


@dataclass
class _RegexSampler:
    """Parses an expression from left to right. Each method returns an example of what it parsed."""

    source: str
    at: int = 0

    def _peek(self) -> str:
        return self.source[self.at] if self.at < len(self.source) else ""

    def _next(self) -> str:
        self.at += 1
        return self.source[self.at - 1]

    def alternatives(self) -> str:
        first = self._sequence()
        while self._peek() == "|":
            self._next()
            self._sequence()
        return first

    def _sequence(self) -> str:
        text = ""
        while self._peek() not in ("", "|", ")"):
            text += self._counted(self._atom())
        return text

    def _atom(self) -> str:
        char = self._next()
        if char == "(":
            return self._group()
        if char == "[":
            return self._class()
        if char == "\\":
            escaped = self._next()
            return _CLASSES.get(escaped, escaped)
        return {".": "a", "^": "", "$": ""}.get(char, char)

    def _group(self) -> str:
        if self._peek() == "?":
            self._next()
            if self._next() != ":":
                raise ValueError("unsupported group syntax")
        text = self.alternatives()
        self._next()
        return text

    def _class(self) -> str:
        """The first character of a class; for a negated one, a character that it doesn't contain."""
        end = self.source.index("]", self.at + 1)
        members, self.at = self.source[self.at : end], end + 1
        if members.startswith("^"):
            return next(char for char in "a1-" if re.fullmatch(f"[{members}]", char))
        return _CLASSES.get(members[1], members[1]) if members[0] == "\\" else members[0]

    def _counted(self, text: str) -> str:
        if self._peek() == "?":
            self._next()
            return ""
        if self._peek() in ("*", "+"):
            self._next()
            return text * _REPEATS
        count = re.compile(r"\{(\d+)(?:,\d*)?\}").match(self.source, self.at)
        if count is None:
            return text
        self.at = count.end()
        return text * int(count[1])


_MOMENT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_PLAIN: dict[str, Any] = {
    "flag": True,
    "binary": b"...",
    "moment": _MOMENT,
    "day": date(2026, 3, 2),
    "uuid": UUID("018f6f0e-0000-7000-8000-000000000001"),
    "any": "...",
}


def sample_values(entity: EntitySchema) -> dict[str, Any]:
    """A value for every field, as a new item might have it."""
    return {name: sample_value(_best_described(entity, field)) for name, field in entity.fields.items()}


def _best_described(entity: EntitySchema, field: FieldSchema) -> FieldSchema:
    """The field, or one of the same name and type in the table that declares a pattern."""
    if field.options.pattern is not None:
        return field
    namesakes = [e.fields[field.name] for e in entity.table.entities.values() if field.name in e.fields]
    alike = (f for f in namesakes if f.options.pattern is not None and f.kind.name == field.kind.name)
    return next(alike, field)


def sample_value(field: FieldSchema) -> Any:
    """A value that fits the field's type and limits."""
    options = field.options
    if options.default is not UNSET and options.default is not None:
        return options.default
    if options.pattern is not None and (example := regex_example(options.pattern)) is not None:
        return example
    if options.role == "version":
        return 1
    value = _value(field.annotation, field.name)
    if isinstance(value, str) and options.longest is not None:
        return value[: options.longest]
    if field.kind.shape in ("integer", "number"):
        return _within(field, value)
    return value


def _within(field: FieldSchema, value: Any) -> Any:
    low, high = field.options.minimum, field.options.maximum
    if low is not None and value < low:
        return type(value)(low)
    return type(value)(high) if high is not None and value > high else value


def _value(annotation: Any, name: str) -> Any:
    inner, _ = without_none(annotation)
    if isinstance(inner, type) and is_dataclass(inner):
        hints = get_type_hints(inner, include_extras=True)
        return inner(**{field.name: _value(hints[field.name], field.name) for field in fields(inner)})
    origin, args = get_origin(inner), get_args(inner)
    kind = kind_of(inner)
    if kind.shape == "set":
        return {_value(args[0], _singular(name))}
    if kind.shape == "list":
        return (tuple if origin is tuple else list)([_value(args[0], _singular(name))])
    if kind.shape == "map" and isinstance(origin, type) and issubclass(origin, Mapping):
        return {_singular(name): _value(args[1], name)}
    return _plain(kind, name)


def _plain(kind: ValueKind, name: str) -> Any:
    if kind.choices:
        return kind.choices[0]
    if kind.shape == "integer":
        return 1
    if kind.shape == "number":
        return Decimal("1.50") if kind.name == "Decimal" else 1.5
    if kind.shape == "text":
        return _text(name)
    return _PLAIN[kind.shape]


def _text(name: str) -> str:
    """`user_id` becomes `user-1`: short, readable, and free of the usual delimiters."""
    words = split_words(name)
    return "-".join([*words[:-1], "1"] if len(words) > 1 and words[-1] == "id" else words) or name


def _singular(name: str) -> str:
    return name.removesuffix("s")


def sample_item(entity: EntitySchema) -> Item:
    """An item as it would be stored, with the keys of every index that a new item is in."""
    values = sample_values(entity)
    item: Item = dict(entity.cls.__codec__.keys(values))  # type: ignore[attr-defined]  # every entity class has a codec
    for field in entity.fields.values():
        if not field.options.in_key and values[field.name] is not None:
            item[field.attribute] = field.kind.encode(values[field.name])
    return item


def sample_copy(entity: EntitySchema, fanout: FanoutPath) -> Item:
    """One fan-out copy of the sample item."""
    values = sample_values(entity)
    item: Item = {}
    for part in fanout.parts:
        key = part.value({**values, "each": first_element(values[fanout.each])})
        item |= {} if key is None else {part.attribute: key}
    item |= {name: {"S": text} for name, text in fanout.constants.items()}
    return item | {
        entity.fields[name].attribute: entity.fields[name].kind.encode(values[name]) for name in fanout.fields
    }


def first_element(value: Any) -> Any:
    """One element of a collection, or the value itself if it isn't a collection."""
    if isinstance(value, set | frozenset | Sequence) and not isinstance(value, str | bytes):
        return next(iter(value))
    return value


def sample_inputs(pattern: PatternSchema) -> dict[str, Any]:
    """Values for the inputs that the pattern needs."""
    values = sample_values(pattern.entity)
    if isinstance(pattern.path, FanoutPath):
        values["each"] = first_element(values[pattern.path.each])
    return {name: values[name] for name in pattern.needed}
