"""Key templates: parsed once, bound to the types of their fields, rendered and parsed back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from tablature.errors import DeclarationError, InputError
from tablature.records import record
from tablature.schema.formats import SlotFormat, format_for
from tablature.wire import AttributeValue

from .fields import FieldSchema

HIGHEST = "\U0010ffff"
_SLOT = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


@record
class LiteralPart:
    """A fixed part of a key."""

    text: str


@record
class TemplateSlot:
    """A part of a key that is filled from a field."""

    field: str
    spec: str
    format: SlotFormat
    kind_name: str
    choices: tuple[str, ...] = ()


TemplatePart = LiteralPart | TemplateSlot


@record
class KeyTemplate:
    """The template of one key attribute: `USER#{user_id}`."""

    source: str
    parts: tuple[TemplatePart, ...]

    @property
    def slots(self) -> tuple[TemplateSlot, ...]:
        return tuple(part for part in self.parts if isinstance(part, TemplateSlot))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields in the template, each once, in order."""
        return tuple(dict.fromkeys(slot.field for slot in self.slots))

    @property
    def is_constant(self) -> bool:
        return not self.slots

    @cached_property
    def prefix(self) -> str:
        """The fixed text before the first slot."""
        return self.parts[0].text if self.parts and isinstance(self.parts[0], LiteralPart) else ""

    @cached_property
    def is_reversible(self) -> bool:
        """Whether every field can be recovered from a key."""
        return all(any(s.field == name and s.format.parse for s in self.slots) for name in self.fields)

    @cached_property
    def regex(self) -> re.Pattern[str]:
        return re.compile(
            "".join(f"({p.format.regex})" if isinstance(p, TemplateSlot) else re.escape(p.text) for p in self.parts)
        )

    def matches(self, key: str) -> bool:
        return self.regex.fullmatch(key) is not None

    def render(self, values: Mapping[str, Any]) -> str:
        return "".join(
            _render_slot(part, values[part.field]) if isinstance(part, TemplateSlot) else part.text
            for part in self.parts
        )

    def parse(self, key: str) -> dict[str, Any] | None:
        """The field values in a key, as far as they can be recovered; None if the key doesn't match."""
        match = self.regex.fullmatch(key)
        if match is None:
            return None
        values: dict[str, Any] = {}
        for slot, text in zip(self.slots, match.groups(), strict=True):
            if slot.format.parse is not None:
                try:
                    values[slot.field] = slot.format.parse(text)
                except ValueError:
                    return None
        return values

    def means_the_same(self, key: str, values: Mapping[str, Any]) -> bool:
        """Whether a stored key stands for these values, perhaps in another program's spelling."""
        return self.is_reversible and self.parse(key) == {name: values[name] for name in self.fields}

    def leading(self, values: Mapping[str, Any]) -> tuple[str, tuple[TemplatePart, ...]]:
        """The prefix that the given values determine, and the remaining parts."""
        text = ""
        for at, part in enumerate(self.parts):
            if isinstance(part, TemplateSlot):
                if part.field not in values:
                    return text, self.parts[at:]
                text += _render_slot(part, values[part.field])
            else:
                text += part.text
        return text, ()


def _render_slot(slot: TemplateSlot, value: Any) -> str:
    try:
        return slot.format.render(value)
    except (TypeError, ValueError, AttributeError, KeyError) as problem:
        raise InputError(f"{slot.field!r} can't make a key from {value!r}: {problem}.") from problem


def parse_template(source: str, fields: Mapping[str, FieldSchema], delimiter: str) -> KeyTemplate:
    """Bind a template to its fields. Raises if its keys could not be parsed from left to right."""
    pieces = _pieces(source)
    parts: list[TemplatePart] = []
    for at, (literal, name, spec) in enumerate(pieces):
        if literal:
            parts.append(LiteralPart(literal))
        if name is not None:
            following = pieces[at + 1][0] if at + 1 < len(pieces) else ""
            is_last = at + 1 == len(pieces)
            parts.append(_slot(source, fields, name, spec, delimiter, following, is_last))
    if not parts:
        raise DeclarationError("A key template can't be empty.")
    return KeyTemplate(source, tuple(parts))


def _pieces(source: str) -> list[tuple[str, str | None, str]]:
    """Each slot with the literal before it, then the literal after the last one."""
    pieces: list[tuple[str, str | None, str]] = []
    end = 0
    for slot in _SLOT.finditer(source):
        pieces.append((source[end : slot.start()], slot[1], slot[2] or ""))
        end = slot.end()
    rest = source[end:]
    if "{" in rest or any("{" in literal or "}" in literal for literal, _, _ in pieces):
        raise DeclarationError(
            f"The key template {source!r} can't be read: a field is written {{name}} or {{name:format}}."
        )
    return [*pieces, (rest, None, "")] if rest else pieces


def _slot(
    source: str, fields: Mapping[str, FieldSchema], name: str, spec: str, delimiter: str, following: str, is_last: bool
) -> TemplateSlot:
    field = fields.get(name)
    if field is None:
        raise DeclarationError(f"The key template {source!r} names {name!r}, which is not a field of the entity.")
    reserved = "".join(dict.fromkeys(delimiter + following[:1]))
    try:
        format_ = format_for(field.kind, spec, reserved)
    except ValueError as problem:
        raise DeclarationError(f"The key template {source!r} can't use {name!r}: {problem}.") from problem
    if not is_last and format_.is_raw:
        raise DeclarationError(f"In {source!r} only the last field can be raw; what follows could not be told apart.")
    if not is_last and not following and not re.fullmatch(r"(\\d\{\d+\}|\\?[^\\+*?.()\[\]|])+", format_.regex):
        raise DeclarationError(f"In {source!r} something must stand between {name!r} and the next field.")
    choices = tuple(format_.render(choice) for choice in field.kind.choices)
    return TemplateSlot(name, spec, format_, field.kind.name, choices)


@record
class KeyPart:
    """One key attribute of an entity. `is_native` means that the attribute is a field itself, not derived text."""

    attribute: str
    wire: str
    template: KeyTemplate
    is_native: bool
    native_field: FieldSchema | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        return self.template.fields

    def value(self, values: Mapping[str, Any]) -> AttributeValue | None:
        """The stored key, or None if a field has no value."""
        if any(values.get(name) is None for name in self.fields):
            return None
        if self.native_field is not None:
            return self.native_field.kind.encode(values[self.native_field.name])
        return {self.wire: self.template.render(values)}

    def means_the_same(self, stored: AttributeValue, values: Mapping[str, Any]) -> bool:
        text = stored.get("S")
        return self.native_field is None and text is not None and self.template.means_the_same(text, values)


def key_part(attribute: str, wire: str, source: str, fields: Mapping[str, FieldSchema], delimiter: str) -> KeyPart:
    """A key attribute that an entity's field is stored under must be exactly that field."""
    native = next((field for field in fields.values() if field.attribute == attribute), None)
    if native is None:
        template = parse_template(source, fields, delimiter)
        if wire != "S" and not template.is_constant:
            raise DeclarationError(
                f"The key {attribute!r} is of type {wire}, so a field must be stored under that name."
            )
        return KeyPart(attribute, wire, template, is_native=False)
    if source != f"{{{native.name}}}":
        raise DeclarationError(
            f"{attribute!r} is both a key and the field {native.name!r}, so its template must be {{{native.name}}}."
        )
    if native.kind.wire != wire:
        raise DeclarationError(
            f"The key {attribute!r} is of type {wire}, but {native.name!r} is stored as {native.kind.wire}."
        )
    native_format = format_for(native.kind, "raw" if native.kind.shape in ("text", "choice") else "", "")
    choices = tuple(str(native.kind.encode(choice)[wire]) for choice in native.kind.choices)
    slot = TemplateSlot(native.name, "", native_format, native.kind.name, choices)
    return KeyPart(attribute, wire, KeyTemplate(source, (slot,)), is_native=True, native_field=native)


def sources_of(parts: Iterable[KeyPart | None]) -> frozenset[str]:
    return frozenset(name for part in parts if part is not None for name in part.fields)
