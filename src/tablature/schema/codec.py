"""Generates and compiles each entity's constructor, encoder, decoder, size and key functions, once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from zlib import crc32

from tablature.errors import InputError, StoredItemError
from tablature.records import record
from tablature.schema.kinds import Inline, encode_float, exact_int, exact_text, leave_fast_path
from tablature.schema.templates import KeyTemplate, TemplateSlot
from tablature.schema.timestamps import date_from_iso, from_iso, to_iso
from tablature.wire import Item, size_of, size_of_item

from .fields import UNSET, FieldSchema
from .model import EntitySchema, IndexPath

STORED = "__stored__"
VERSION_ATTRIBUTE = "_v"
_FAILURES = "(TypeError, ValueError, KeyError, AttributeError)"
_BASE: dict[str, Any] = {
    "exact_text": exact_text,
    "exact_int": exact_int,
    "to_iso": to_iso,
    "from_iso": from_iso,
    "date_from_iso": date_from_iso,
    "Decimal": Decimal,
    "UNSET": UNSET,
    "UTC": UTC,
    "datetime": datetime,
    "encode_float": encode_float,
    "wrong": leave_fast_path,
}


@record
class Codec:
    """The compiled functions of one entity."""

    init: Callable[..., None]
    encode: Callable[[Any], Item]
    decode: Callable[[Item], Any]
    size: Callable[[Item], int]
    keys: Callable[[Mapping[str, Any]], Item]
    primary: Callable[[Mapping[str, Any]], Item]
    shards: Mapping[str, Callable[[Any], str]]
    source: str


def compile_codec(schema: EntitySchema) -> Codec:
    """Generate and compile the functions of an entity. If a fast one fails, the slow one names the field."""
    names: dict[str, Any] = dict(_BASE)
    source = "\n\n".join(
        (
            _init_source(schema, names),
            _encode_source(schema, names),
            _decode_source(schema, names),
            _size_source(schema),
            _keys_source(schema, names),
            _primary_source(schema, names),
        )
    )
    names.update(
        cls=schema.cls,
        new=schema.cls.__new__,
        size_of=size_of,
        size_of_item=size_of_item,
        encode_slowly=_slow_encoder(schema),
        decode_slowly=_slow_decoder(schema),
        check_keys=_key_checker(schema),
        check_primary=_primary_checker(schema),
    )
    shards = {index.name: names[f"shard_{index.name}"] for index in schema.indexes if index.shards > 1}
    exec(compile(source, f"<codec of {schema.name}>", "exec"), names)  # noqa: S102 - the source is made from declarations
    return Codec(
        names["init"], names["encode"], names["decode"], names["size"], names["keys"], names["primary"], shards, source
    )


def _init_source(schema: EntitySchema, names: dict[str, Any]) -> str:
    parameters, body = [], []
    for at, field in enumerate(schema.fields.values()):
        options, value = field.options, field.name
        if field.is_required:
            parameters.append(field.name)
        elif options.factory is not None or _starts_empty(field):
            names[f"factory{at}"] = options.factory or set
            parameters.append(f"{field.name}=UNSET")
            value = f"factory{at}() if {field.name} is UNSET else {field.name}"
        else:
            fallback = 0 if field.role == "version" else None
            names[f"default{at}"] = fallback if options.default is UNSET else options.default
            parameters.append(f"{field.name}=default{at}")
        body.append(f"    d[{field.name!r}] = {value}")
    return "\n".join([f"def init(self, *, {', '.join(parameters)}):", "    d = self.__dict__", *body])


def _encode_source(schema: EntitySchema, names: dict[str, Any]) -> str:
    lines = ["def encode(self):", "    d = self.__dict__", "    item = {}", "    try:"]
    for at, field in enumerate(schema.fields.values()):
        lines.append(f"        v = d[{field.name!r}]")
        if field.options.in_key:
            if field.has_limits:
                names[f"check{at}"] = field.check
                lines.append(f"        check{at}(v)")
            continue
        stored = _encoder(field, at, names)
        indent = "        "
        if field.kind.shape == "set":
            lines.append(f"{indent}if v:")
            indent += "    "
        elif _may_be_none(field):
            lines.append(f"{indent}if v is not None:")
            indent += "    "
        if field.has_limits:
            names[f"check{at}"] = field.check
            lines.append(f"{indent}check{at}(v)")
        lines.append(f"{indent}item[{field.attribute!r}] = {stored}")
    lines += [f"    except {_FAILURES}:", "        item = encode_slowly(self)"]
    if schema.schema_version > 1:
        lines.append(f'    item[{VERSION_ATTRIBUTE!r}] = {{"N": "{schema.schema_version}"}}')
    return "\n".join([*lines, "    return item"])


def _encoder(field: FieldSchema, at: int, names: dict[str, Any]) -> str:
    """Source code that encodes the value `v`."""
    kind = field.kind
    if kind.inline_encode is not None:
        return kind.inline_encode("v")
    if kind.choice_wire is not None:
        names[f"choices{at}"] = kind.choice_wire
        return f"choices{at}[v]"
    names[f"encode{at}"] = kind.encode
    return f"encode{at}(v)"


def _decoder(field: FieldSchema, at: int, names: dict[str, Any]) -> Inline:
    """Source code that decodes a stored value, given the source of the stored value."""
    kind = field.kind
    if kind.inline_decode is not None:
        return kind.inline_decode
    if kind.choice_of is not None:
        names[f"members{at}"] = kind.choice_of
        return lambda v: f"members{at}[{v}[{kind.wire!r}]]"
    names[f"decode{at}"] = kind.decode
    return lambda v: f"decode{at}({v})"


def _starts_empty(field: FieldSchema) -> bool:
    return field.kind.shape == "set" and field.options.default is UNSET and not field.optional


def _may_be_none(field: FieldSchema) -> bool:
    return field.optional or field.role in ("auto_now", "auto_now_add", "expires")


def _decode_source(schema: EntitySchema, names: dict[str, Any]) -> str:
    lines = ["def decode(item):", "    self = new(cls)", "    d = self.__dict__", "    try:"]
    if any(field.options.in_key for field in schema.fields.values()):
        names["read_key"] = _key_reader(schema)
        lines.append("        d.update(read_key(item))")
    for at, field in enumerate(schema.fields.values()):
        if field.options.in_key:
            continue
        place, read = f"item[{field.attribute!r}]", _decoder(field, at, names)
        if _may_lack(field):
            names[f"absent{at}"] = _absent_source(field)
            lines.append(f"        v = item.get({field.attribute!r})")
            empty = f"absent{at}()" if callable(names[f"absent{at}"]) else f"absent{at}"
            missing = "v is None or 'NULL' in v" if field.optional else "v is None"
            lines.append(f"        d[{field.name!r}] = {empty} if {missing} else {read('v')}")
        else:
            lines.append(f"        d[{field.name!r}] = {read(place)}")
    lines += ["    except (TypeError, ValueError, KeyError, ArithmeticError):", "        decode_slowly(self, item)"]
    return "\n".join([*lines, f"    d[{STORED!r}] = item", "    return self"])


def _key_reader(schema: EntitySchema) -> Callable[[Item], dict[str, Any]]:
    """A function that reads the fields stored only in the primary key."""
    wanted = {field.name for field in schema.fields.values() if field.options.in_key}
    parts = [part for part in schema.primary.parts if not wanted.isdisjoint(part.fields)]

    def read_key(item: Item) -> dict[str, Any]:
        key_values: dict[str, Any] = {}
        for part in parts:
            text = next(iter(item[part.attribute].values()))
            values = part.template.parse(text)
            if values is None:
                problem = f"its key {text!r} is not of the form {part.template.source!r}"
                raise StoredItemError(schema.name, part.attribute, problem, item)
            key_values.update(values)
        return {name: key_values[name] for name in wanted}

    return read_key


def absent_value(field: FieldSchema) -> Any:
    """The field's value in an item stored without the attribute."""
    absent = _absent_source(field)
    return absent() if callable(absent) else absent


def _absent_source(field: FieldSchema) -> Any:
    """Source code of the value for a missing attribute."""
    absent = field.options.absent
    if absent is not UNSET:
        return (lambda: copy(absent)) if isinstance(absent, list | dict | set) else absent
    if field.kind.shape == "set" and not field.optional:
        return set
    return 0 if field.role == "version" else None


def _slow_decoder(schema: EntitySchema) -> Callable[[Any, Item], None]:
    """Works field by field with full checks: succeeds if the fast path was too strict, else names the bad field."""

    def decode_slowly(self: Any, item: Item) -> None:
        for field in schema.fields.values():
            if field.options.in_key:
                continue
            value = item.get(field.attribute)
            if value is None or ("NULL" in value and _may_lack(field)):
                self.__dict__[field.name] = _when_missing(schema, field, item)
                continue
            try:
                self.__dict__[field.name] = field.kind.decode(value)
            except (TypeError, ValueError, KeyError, ArithmeticError) as problem:
                raise stored_value_error(schema, field, item, problem) from problem

    return decode_slowly


def stored_value_error(schema: EntitySchema, field: FieldSchema, item: Item, problem: Exception) -> StoredItemError:
    """The error for a stored value of the wrong type."""
    stored_type = next(iter(item[field.attribute]))
    return StoredItemError(
        schema.name, field.name, f"expected {field.kind.name}, found {stored_type} ({problem})", item
    )


def _when_missing(schema: EntitySchema, field: FieldSchema, item: Item) -> Any:
    if not _may_lack(field):
        raise StoredItemError(schema.name, field.name, "it is missing", item)
    return absent_value(field)


def _may_lack(field: FieldSchema) -> bool:
    """Whether the attribute may be missing or null in a stored item."""
    return field.optional or field.kind.shape == "set" or field.options.absent is not UNSET or field.role != "plain"


def _slow_encoder(schema: EntitySchema) -> Callable[[Any], Item]:
    """Works field by field with full checks: succeeds if the fast path was too strict, else names the bad field."""

    def encode_slowly(self: Any) -> Item:
        item: Item = {}
        for field in schema.fields.values():
            value = self.__dict__[field.name]
            if (value is None and _may_be_none(field)) or (field.kind.shape == "set" and value == set()):
                continue
            try:
                stored = field.kind.encode(value)
                field.check(value)
            except (TypeError, ValueError, KeyError) as found:
                raise InputError(f"{schema.name}.{field.name} can't be stored: {found}.") from found
            if not field.options.in_key:
                item[field.attribute] = stored
        return item

    return encode_slowly


def _size_source(schema: EntitySchema) -> str:
    """Source of the size function: text attributes are measured inline, all others by the general function."""
    text_fields = [field for field in schema.fields.values() if field.kind.wire == "S"]
    lines = ["def size(item):", "    total = 0"]
    for field in text_fields:
        overhead = len(field.attribute.encode())
        lines += [
            f"    v = item.get({field.attribute!r})",
            "    if v is not None and 'S' in v:",
            "        t = v['S']",
            f"        total += {overhead} + (len(t) if t.isascii() else len(t.encode()))",
            "    elif v is not None:",
            f"        total += {overhead} + size_of(v)",
        ]
    names = {field.attribute for field in text_fields}
    lines.append(f"    rest = {{k: v for k, v in item.items() if k not in {names!r}}}" if names else "    rest = item")
    return "\n".join([*lines, "    return total + size_of_item(rest)"])


def _keys_source(schema: EntitySchema, names: dict[str, Any]) -> str:
    """Source of the derived keys. An index has none if its source fields are incomplete or its `when` is false."""
    lines = ["def keys(d):", "    item = {}", "    try:"]
    lines += [
        f"        item[{part.attribute!r}] = {{{part.wire!r}: {_key_text(part.template, names)}}}"
        for part in schema.primary.parts
        if not part.is_native
    ]
    for index in schema.indexes:
        parts = schema.written_parts(index)
        if not parts:
            continue
        tests = [f"d[{name!r}] is not None" for name in sorted(index.sources)]
        for at, clause in enumerate(index.when):
            names[f"when_{index.name}_{at}"] = clause.holds
            tests.append(f"when_{index.name}_{at}(d[{clause.field!r}])")
        lines.append(f"        if {' and '.join(tests) or 'True'}:")
        for part in parts:
            text = _key_text(part.template, names)
            if part is index.partition and index.shards > 1:
                names[f"shard_{index.name}"] = shard_suffix(index, schema)
                text = f"{text} + shard_{index.name}(d[{index.by!r}])"
            lines.append(f"            item[{part.attribute!r}] = {{{part.wire!r}: {text}}}")
    lines += [
        "        pass",
        "    except (TypeError, ValueError, KeyError, AttributeError):",
        "        check_keys(d)",
        "        raise",
    ]
    return "\n".join([*lines, "    return item"])


def _primary_source(schema: EntitySchema, names: dict[str, Any]) -> str:
    """Source of the primary key."""
    lines = ["def primary(d):", "    try:"]
    parts = []
    for part in schema.primary.parts:
        if part.native_field is not None:
            names[f"native_{part.attribute}"] = part.native_field.kind.encode
            parts.append(f"{part.attribute!r}: native_{part.attribute}(d[{part.native_field.name!r}])")
        else:
            parts.append(f"{part.attribute!r}: {{{part.wire!r}: {_key_text(part.template, names)}}}")
    lines.append(f"        return {{{', '.join(parts)}}}")
    lines += [f"    except {_FAILURES}:", "        check_primary(d)", "        raise"]
    return "\n".join(lines)


def _primary_checker(schema: EntitySchema) -> Callable[[Mapping[str, Any]], None]:
    """Renders the primary key with full checks, so that an error names the field."""

    def check_primary(values: Mapping[str, Any]) -> None:
        for part in schema.primary.parts:
            missing = [name for name in part.fields if values.get(name) is None]
            if missing:
                sentence = f"A {schema.name} needs a value for {missing[0]!r}, because its key is made from it."
                raise InputError(sentence)
            try:
                part.value(values)
            except (TypeError, ValueError) as problem:
                raise InputError(f"The key of a {schema.name} can't be made: {problem}.") from problem

    return check_primary


def _key_checker(schema: EntitySchema) -> Callable[[Mapping[str, Any]], None]:
    """Renders every key with full checks, so that an error names the field."""

    def check_keys(values: Mapping[str, Any]) -> None:
        for path in (schema.primary, *schema.indexes):
            for part in path.parts:
                part.value(values)

    return check_keys


def _key_text(template: KeyTemplate, names: dict[str, Any]) -> str:
    """The template as one Python expression over the values `d`."""
    pieces = []
    for part in template.parts:
        if isinstance(part, TemplateSlot):
            name = f"slot{len(names)}"
            names[name] = part.format.render
            pieces.append(f"{name}(d[{part.field!r}])")
        else:
            pieces.append(repr(part.text))
    return " + ".join(pieces)


def shard_suffix(index: IndexPath, schema: EntitySchema) -> Callable[[Any], str]:
    """The suffix of a sharded partition key: the delimiter and a number that depends only on the field."""
    field, delimiter = schema.fields[str(index.by)], schema.table.delimiter

    def suffix(value: Any) -> str:
        return f"{delimiter}{crc32(repr(field.kind.encode(value)).encode()) % index.shards}"

    return suffix
