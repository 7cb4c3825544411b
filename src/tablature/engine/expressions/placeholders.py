"""The `#` names and `:` values of one request: their syntax, lookup, and which ones were never used."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from tablature.engine.encoding.values import (
    LONGEST_NAME,
    NAME_TOO_LONG,
    AttributeValue,
    kind_of,
    normalise,
    text_length,
)
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.validation.java_order import hash_order

Signature: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]

_KEY_SYNTAX: Final = {
    "ExpressionAttributeNames": re.compile(r"#[0-9a-zA-Z_]+"),
    "ExpressionAttributeValues": re.compile(r":[0-9a-zA-Z_]+"),
}
_MAX_KEY_LENGTH: Final = 255


class Placeholders:
    """The placeholders of a request. Binding an expression marks those it uses."""

    __slots__ = ("_unused_names", "_unused_values", "names", "values")

    def __init__(self, names: Mapping[str, str] | None, values: Mapping[str, Any] | None) -> None:
        if names is not None:
            _check_keys("ExpressionAttributeNames", names)
            _check_names(names)
        if values is not None:
            _check_keys("ExpressionAttributeValues", values)
        self.names = names or {}
        self.values: dict[str, AttributeValue] = {key: _normal(key, value) for key, value in (values or {}).items()}
        self._unused_names = dict.fromkeys(self.names)
        self._unused_values = dict.fromkeys(self.values)

    def use_name(self, key: str) -> str:
        name = self.names.get(key)
        if name is None:
            raise validation_error(
                f"An expression attribute name used in the document path is not defined; attribute name: {key}"
            )
        self._unused_names.pop(key, None)
        return name

    def use_value(self, key: str) -> AttributeValue:
        value = self.values.get(key)
        if value is None:
            raise validation_error(
                f"An expression attribute value used in expression is not defined; attribute value: {key}"
            )
        self._unused_values.pop(key, None)
        return value

    def use_all(self, names: Sequence[str], values: Sequence[str]) -> Signature | None:
        """The resolved names and the types of the values, all marked as used; None if one is undefined."""
        try:
            signature = tuple([self.names[key] for key in names]), tuple([kind_of(self.values[key]) for key in values])
        except KeyError:
            return None
        for key in names:
            self._unused_names.pop(key, None)
        for key in values:
            self._unused_values.pop(key, None)
        return signature

    def reject_unused(self) -> None:
        """Reject placeholders that no expression used. Call it after all are bound."""
        for parameter, unused, count in (
            ("ExpressionAttributeNames", self._unused_names, len(self.names)),
            ("ExpressionAttributeValues", self._unused_values, len(self.values)),
        ):
            if unused:
                keys = ", ".join(hash_order(unused, count))
                raise validation_error(f"Value provided in {parameter} unused in expressions: keys: {{{keys}}}")


def _check_keys(parameter: str, entries: Mapping[str, Any]) -> None:
    if not entries:
        raise validation_error(f"{parameter} must not be empty")
    syntax = _KEY_SYNTAX[parameter]
    for key in entries:
        if not key:
            raise validation_error(
                f"{parameter} contains invalid key: The expression attribute map contains an empty key;"
            )
        if len(key) > _MAX_KEY_LENGTH:
            size = f" size of key: {len(key)}" if parameter == "ExpressionAttributeNames" else ""
            detail = f"The expression attribute map contains a key that is too long;{size}"
            raise validation_error(f"{parameter} contains invalid key: {detail}")
        if not syntax.fullmatch(key):
            raise validation_error(f'{parameter} contains invalid key: Syntax error; key: "{key}"')


def _check_names(names: Mapping[str, str]) -> None:
    for key, name in names.items():
        if not name or text_length(name) > LONGEST_NAME:
            detail = NAME_TOO_LONG if name else "Empty attribute name"
            raise validation_error(f"ExpressionAttributeNames contains invalid value: {detail} for key {key}")


def _normal(key: str, value: Mapping[str, Any]) -> AttributeValue:
    try:
        return normalise(value)
    except EngineError as error:
        if error.keeps_wording:
            raise
        raise validation_error(
            f"ExpressionAttributeValues contains invalid value: {error.message} for key {key}"
        ) from error
