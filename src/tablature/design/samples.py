"""Sample values and sample items, made from the declarations alone and the same on every run."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID

from tablature.schema.fields import UNSET, FieldSchema
from tablature.schema.kinds import Kind, kind_of, without_none
from tablature.schema.model import EntitySchema, FanoutPath, PatternSchema
from tablature.wire import Item

from .regexes import example_of
from .wording import words

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
    return {name: sample_of(_best_described(entity, field)) for name, field in entity.fields.items()}


def _best_described(entity: EntitySchema, field: FieldSchema) -> FieldSchema:
    """The field, or one of the same name and type in the table that says more about its form: they are one thing."""
    if field.options.pattern is not None:
        return field
    namesakes = [e.fields[field.name] for e in entity.table.entities.values() if field.name in e.fields]
    alike = (f for f in namesakes if f.options.pattern is not None and f.kind.name == field.kind.name)
    return next(alike, field)


def sample_of(field: FieldSchema) -> Any:
    """A value that fits the field's type and, as far as can be told, its limits."""
    options = field.options
    if options.default is not UNSET and options.default is not None:
        return options.default
    if options.pattern is not None and (found := example_of(options.pattern)) is not None:
        return found
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


def _plain(kind: Kind, name: str) -> Any:
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
    found = words(name)
    return "-".join([*found[:-1], "1"] if len(found) > 1 and found[-1] == "id" else found) or name


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
    """One element of a collection; anything else is its own element."""
    if isinstance(value, set | frozenset | Sequence) and not isinstance(value, str | bytes):
        return next(iter(value))
    return value


def sample_inputs(pattern: PatternSchema) -> dict[str, Any]:
    """Values for the inputs without which the pattern can't be asked."""
    values = sample_values(pattern.entity)
    if isinstance(pattern.path, FanoutPath):
        values["each"] = first_element(values[pattern.path.each])
    return {name: values[name] for name in pattern.needed}
