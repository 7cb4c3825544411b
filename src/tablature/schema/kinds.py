"""How each Python type is stored: its wire type, encoder and decoder, and source that the codec inlines for speed."""

from __future__ import annotations

import types
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict
from uuid import UUID

from tablature.records import record
from tablature.schema.timestamps import Precision, date_from_iso, from_epoch, from_iso, to_epoch, to_iso
from tablature.wire import AttributeValue, float_from_wire, float_to_wire, from_wire, to_wire

Shape = Literal[
    "text", "integer", "number", "flag", "binary", "moment", "day", "uuid", "choice", "set", "list", "map", "any"
]
Stored = Literal["iso", "epoch"]
_TEXT_KEY = "(k if k.__class__ is str else exact_text(k))"
Inline = Callable[[str], str]
"""From the source text of a value to the source text of its translation."""


@record
class ValueKind:
    """How one Python type is stored. `wire` is the service's type tag, or "*" where the value decides.

    `members` are those of a dataclass, each with whether it may be missing.
    """

    name: str
    shape: Shape
    wire: str
    encode: Callable[[Any], AttributeValue]
    decode: Callable[[AttributeValue], Any]
    inline_encode: Inline | None = None
    inline_decode: Inline | None = None
    choices: tuple[Any, ...] = ()
    inner: tuple[ValueKind, ...] = ()
    members: Mapping[str, tuple[ValueKind, bool]] | None = None
    precision: Precision = "auto"
    choice_wire: Mapping[Any, AttributeValue] | None = None
    choice_of: Mapping[str, Any] | None = None

    @property
    def is_scalar(self) -> bool:
        return self.wire in ("S", "N", "B")


def _expect(value: object, kind: type, name: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"expected {name}, got {type(value).__name__}")
    return value


def exact_text(value: object) -> str:
    return str.__str__(_expect(value, str, "text"))


def exact_int(value: object) -> str:
    return int.__repr__(_expect(value, int, "a whole number"))


def leave_fast_path(value: object) -> AttributeValue:
    """Raise to leave the fast path. The slow path then finds the error, if there is one."""
    raise TypeError(f"{value!r} is of another type")


def encode_float(value: object) -> AttributeValue:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"expected a number, got {type(value).__name__}")
    return float_to_wire(float(value)) if isinstance(value, float) else {"N": str(value)}


def _decimal_encode(value: object) -> AttributeValue:
    number: Decimal = _expect(value, Decimal, "a Decimal")
    if not number.is_finite():
        raise ValueError("a Decimal must be finite to be stored")
    return {"N": str(number)}


def _int_decode(value: AttributeValue) -> int:
    number = Decimal(value["N"])
    if number != number.to_integral_value():
        raise ValueError(f"{value['N']} is not a whole number")
    return int(number)


TEXT = ValueKind(
    "str",
    "text",
    "S",
    lambda v: {"S": exact_text(v)},
    lambda v: exact_text(v["S"]),
    lambda v: f'{{"S": {v} if {v}.__class__ is str else exact_text({v})}}',
    lambda v: f'{v}["S"]',
)
INTEGER = ValueKind(
    "int",
    "integer",
    "N",
    lambda v: {"N": exact_int(v)},
    _int_decode,
    lambda v: f'{{"N": str({v}) if {v}.__class__ is int else exact_int({v})}}',
    lambda v: f'int({v}["N"])',
)
FLOAT = ValueKind(
    "float",
    "number",
    "N",
    encode_float,
    float_from_wire,
    lambda v: f'{{"N": repr({v})}} if {v}.__class__ is float and 1e-99 < {v} < 1e99 else encode_float({v})',
    lambda v: f'float({v}["N"])',
)
DECIMAL = ValueKind(
    "Decimal", "number", "N", _decimal_encode, lambda v: Decimal(v["N"]), inline_decode=lambda v: f'Decimal({v}["N"])'
)
FLAG = ValueKind(
    "bool",
    "flag",
    "BOOL",
    lambda v: {"BOOL": _expect(v, bool, "True or False")},
    lambda v: _expect(v["BOOL"], bool, "True or False"),
    lambda v: f'{{"BOOL": {v}}} if {v} is True or {v} is False else wrong({v})',
    lambda v: f'{v}["BOOL"]',
)
BINARY = ValueKind(
    "bytes", "binary", "B", lambda v: {"B": b64encode(_expect(v, bytes, "bytes")).decode()}, lambda v: b64decode(v["B"])
)
UUID_KIND = ValueKind("UUID", "uuid", "S", lambda v: {"S": str(_expect(v, UUID, "a UUID"))}, lambda v: UUID(v["S"]))
ANY = ValueKind("Any", "any", "*", to_wire, from_wire)


def _day_encode(value: object) -> AttributeValue:
    if isinstance(value, datetime):
        raise TypeError("expected a date, got a datetime")
    return {"S": _expect(value, date, "a date").isoformat()}


DAY = ValueKind(
    "date", "day", "S", _day_encode, lambda v: date_from_iso(v["S"]), inline_decode=lambda v: f'date_from_iso({v}["S"])'
)
_PLAIN: dict[Any, ValueKind] = {
    str: TEXT,
    int: INTEGER,
    float: FLOAT,
    Decimal: DECIMAL,
    bool: FLAG,
    bytes: BINARY,
    date: DAY,
    UUID: UUID_KIND,
    Any: ANY,
    object: ANY,
    dict: ANY,
    list: ANY,
}


def moment_kind(precision: Precision, stored: Stored) -> ValueKind:
    if stored == "epoch":
        return ValueKind(
            "datetime", "moment", "N", lambda v: {"N": to_epoch(v)}, lambda v: from_epoch(v["N"]), precision="seconds"
        )

    def inline(v: str) -> str:
        timespec = "" if precision == "auto" else f'timespec="{precision}"'
        in_utc = f'{v}.isoformat({timespec})[:-6] + "Z"'
        return f'{{"S": {in_utc} if {v}.__class__ is datetime and {v}.tzinfo is UTC else to_iso({v}, "{precision}")}}'

    return ValueKind(
        "datetime",
        "moment",
        "S",
        lambda v: {"S": to_iso(v, precision)},
        lambda v: from_iso(v["S"]),
        inline,
        lambda v: f'from_iso({v}["S"])',
        precision=precision,
    )


def kind_of(  # noqa: PLR0911 - one return per family of types reads best
    annotation: Any, precision: Precision = "auto", stored: Stored = "iso"
) -> ValueKind:
    """The kind for a type annotation; an unsupported one is a TypeError that names it."""
    annotation = _unwrap_annotation(annotation)
    if annotation is datetime:
        return moment_kind(precision, stored)
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return _choice_kind(args, {value: value for value in args}, str(annotation).replace("typing.", ""))
    if origin in (Union, types.UnionType) or is_typeddict(annotation) or isinstance(annotation, TypeVar):
        return ANY
    if isinstance(origin, type) and args:
        return _container_kind(origin, args, precision, stored)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _choice_kind(tuple(m.value for m in annotation), {m.value: m for m in annotation}, annotation.__name__)
    if isinstance(annotation, type) and hasattr(annotation, "__dataclass_fields__"):
        return _dataclass_kind(annotation)
    raise TypeError(f"{annotation!r} can't be stored; use a plain type, a container, an Enum or a dataclass")


def without_none(annotation: Any) -> tuple[Any, bool]:
    """The annotation without None, and whether None was allowed."""
    annotation = _unwrap_annotation(annotation)
    if get_origin(annotation) in (Union, types.UnionType):
        args = get_args(annotation)
        rest = tuple(arg for arg in args if arg is not type(None))
        if len(rest) < len(args):
            return (rest[0] if len(rest) == 1 else Union[rest]), True  # noqa: UP007 - built from a tuple at run time
    return annotation, annotation in (Any, object)


def _unwrap_annotation(annotation: Any) -> Any:
    while get_origin(annotation) is Annotated or hasattr(annotation, "__supertype__"):
        annotation = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation.__supertype__
    return annotation


def _choice_kind(stored: tuple[Any, ...], members: dict[Any, Any], name: str) -> ValueKind:
    if not stored or {type(value) for value in stored} not in ({str}, {int}):
        raise TypeError(f"{name} must have values that are all text or all whole numbers")
    tag, convert = ("S", str) if isinstance(stored[0], str) else ("N", int)
    wire_of: dict[Any, AttributeValue] = {member: {tag: str(value)} for value, member in members.items()}
    problem = f"expected one of {', '.join(map(repr, stored))}"

    def encode(value: object) -> AttributeValue:
        try:
            return wire_of[value]
        except (KeyError, TypeError):
            raise ValueError(f"{problem}, got {value!r}") from None

    def decode(value: AttributeValue) -> Any:
        try:
            return members[convert(value[tag])]
        except (KeyError, ValueError):
            raise ValueError(f"{problem}, got {value}") from None

    by_text = {str(value): member for value, member in members.items()}
    return ValueKind(
        name, "choice", tag, encode, decode, choices=tuple(members.values()), choice_wire=wire_of, choice_of=by_text
    )


def _container_kind(origin: type, args: tuple[Any, ...], precision: Precision, stored: Stored) -> ValueKind:
    if issubclass(origin, set | frozenset):
        return _set_kind(origin, kind_of(args[0], precision, stored))
    if issubclass(origin, Mapping):
        if _unwrap_annotation(args[0]) is not str:
            raise TypeError("a stored dict needs str keys")
        return _map_kind(*_element(args[1], precision, stored))
    if issubclass(origin, tuple) and len(args) == 2 and args[1] is ...:
        return _list_kind(tuple, *_element(args[0], precision, stored))
    if issubclass(list, origin) or issubclass(origin, Sequence):
        return _list_kind(list, *_element(args[0], precision, stored))
    raise TypeError(f"{origin.__name__} can't be stored; use list, tuple[X, ...], set or dict")


def _element(annotation: Any, precision: Precision, stored: Stored) -> tuple[ValueKind, bool]:
    inner, optional = without_none(annotation)
    return kind_of(inner, precision, stored), optional


def _nullable(
    kind: ValueKind, optional: bool
) -> tuple[Callable[[Any], AttributeValue], Callable[[AttributeValue], Any]]:
    if not optional or kind is ANY:
        return kind.encode, kind.decode
    return (
        lambda value: {"NULL": True} if value is None else kind.encode(value),
        lambda value: None if "NULL" in value else kind.decode(value),
    )


def _list_kind(make: type, kind: ValueKind, optional: bool) -> ValueKind:
    write, read = _nullable(kind, optional)

    def encode(value: object) -> AttributeValue:
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise TypeError(f"expected a list, got {type(value).__name__}")
        return {"L": [write(inner) for inner in value]}

    def decode(value: AttributeValue) -> Any:
        return make(read(inner) for inner in value["L"])

    name, (outer, inner) = f"{make.__name__}[{kind.name}]", (None, None) if optional else _inlined(kind)
    if make is not list or outer is None or inner is None:
        return ValueKind(name, "list", "L", encode, decode, inner=(kind,))
    return ValueKind(
        name,
        "list",
        "L",
        encode,
        decode,
        lambda v: f'{{"L": [{outer("x")} for x in {v}]}} if {v}.__class__ is list else wrong({v})',
        lambda v: f'[{inner("x")} for x in {v}["L"]]',
        inner=(kind,),
    )


def _inlined(kind: ValueKind) -> tuple[Inline | None, Inline | None]:
    return kind.inline_encode, kind.inline_decode


def _map_kind(kind: ValueKind, optional: bool) -> ValueKind:
    write, read = _nullable(kind, optional)

    def encode(value: object) -> AttributeValue:
        return {"M": {exact_text(k): write(v) for k, v in _expect(value, Mapping, "a dict").items()}}

    def decode(value: AttributeValue) -> Any:
        return {name: read(inner) for name, inner in value["M"].items()}

    name, (outer, inner) = f"dict[str, {kind.name}]", (None, None) if optional else _inlined(kind)
    if outer is None or inner is None:
        return ValueKind(name, "map", "M", encode, decode, inner=(kind,))
    return ValueKind(
        name,
        "map",
        "M",
        encode,
        decode,
        lambda v: f'{{"M": {{{_TEXT_KEY}: {outer("x")} for k, x in {v}.items()}}}}',
        lambda v: f'{{k: {inner("x")} for k, x in {v}["M"].items()}}',
        inner=(kind,),
    )


def _set_kind(origin: type, kind: ValueKind) -> ValueKind:
    if not kind.is_scalar:
        raise TypeError("a stored set needs elements that are text, numbers or bytes")
    tag, wire = kind.wire, kind.wire + "S"
    make = frozenset if issubclass(origin, frozenset) else set

    def encode(value: object) -> AttributeValue:
        if not isinstance(value, set | frozenset):
            raise TypeError(f"expected a set, got {type(value).__name__}")
        return {wire: sorted(kind.encode(inner)[tag] for inner in value)}

    def decode(value: AttributeValue) -> Any:
        return make(kind.decode({tag: inner}) for inner in value[wire])

    return ValueKind(f"set[{kind.name}]", "set", wire, encode, decode, inner=(kind,))


def dataclass_fields(cls: Any) -> tuple[str, ...]:
    """The field names of a dataclass, without importing `dataclasses`."""
    return tuple(name for name, field in cls.__dataclass_fields__.items() if "ClassVar" not in str(field.type))


def _dataclass_kind(cls: type) -> ValueKind:
    """Stored as a map; a None member is left out, an unknown one is ignored, a missing one that is needed raises."""
    hints = get_type_hints(cls, include_extras=True)
    members = {name: _element(hints[name], "auto", "iso") for name in dataclass_fields(cls)}

    def encode(value: object) -> AttributeValue:
        _expect(value, cls, f"a {cls.__name__}")
        content = {}
        for name, (kind, _) in members.items():
            inner = getattr(value, name)
            if inner is not None:
                content[name] = kind.encode(inner)
        return {"M": content}

    def decode(value: AttributeValue) -> Any:
        content, decoded = value["M"], {}
        for name, (kind, optional) in members.items():
            inner = content.get(name)
            if inner is not None and not (optional and "NULL" in inner):
                decoded[name] = kind.decode(inner)
            elif optional:
                decoded[name] = None
            else:
                raise ValueError(f"its member {name!r} is missing")
        return cls(**decoded)

    inner = tuple(kind for kind, _ in members.values())
    return ValueKind(cls.__name__, "map", "M", encode, decode, inner=inner, members=members)
