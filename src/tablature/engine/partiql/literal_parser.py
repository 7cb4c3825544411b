"""Parses the values of a statement: literals, sets in `<<>>`, and the parameters for `?`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tablature.engine.encoding.values import DEEPEST_NESTING, AttributeValue, kind_of, nested_too_deep, normalise
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.partiql.tokenizer import StatementTokens, syntax_error

_WORDS: Final[Mapping[str, AttributeValue]] = {
    "TRUE": {"BOOL": True},
    "FALSE": {"BOOL": False},
    "NULL": {"NULL": True},
}
_TOP: Final = "root"
_LARGEST_INT: Final = 2**31
_LONGEST_EXPONENT: Final = 20
_EXPONENT: Final = re.compile(r"[eE](?P<power>[+-]?[0-9]+)$", re.ASCII)
_CONTAINERS: Final = frozenset({"[", "{", "<<"})
_OPENERS: Final = _CONTAINERS | {"string", "number", "?", "-", "+"}


class LiteralParser:
    """Parses values at the cursor and assigns parameters in order."""

    def __init__(self, stream: StatementTokens, parameters: Sequence[Mapping[str, Any]]) -> None:
        self.stream = stream
        self._parameters = parameters
        self._used = 0

    def starts_here(self) -> bool:
        current = self.stream.current
        return current.kind in _OPENERS or (current.kind == "word" and current.text.upper() in _WORDS)

    def read(self) -> AttributeValue:
        """The value at the cursor, in normal form."""
        return self._read(None, 1)

    def read_item(self) -> AttributeValue:
        """The tuple of an INSERT. Its fields may be parameters, but nothing deeper."""
        if self.stream.current.kind != "{":
            return self.read()
        self.stream.take()
        return {"M": self._fields(None, 0)}

    def _read(self, place: str | None, depth: int) -> AttributeValue:
        """A value. `place` is its position in a container, if it is inside one."""
        if depth > DEEPEST_NESTING:
            raise nested_too_deep()
        if self.stream.current.kind in _CONTAINERS:
            return self._container(place or _TOP, depth)
        return self._scalar(place)

    def _scalar(self, place: str | None) -> AttributeValue:
        if not self.starts_here():
            raise self._no_value(place)
        token = self.stream.take()
        if token.kind == "string":
            return {"S": token.text}
        if token.kind == "number":
            return _number(token.text, place)
        if token.kind in ("-", "+"):
            return self._signed(token.kind, place)
        if token.kind == "?":
            if place is not None:
                raise validation_error(f"Unsupported data type: Parameter under key {place} at {token.place}")
            return self._parameter()
        return _WORDS[token.text.upper()]

    def _no_value(self, place: str | None) -> EngineError:
        word = self.stream.current
        if word.kind == "word" and self.stream.following.kind == "(":
            return validation_error(f"Unsupported data type: {word.text} under key {place or _TOP} at {word.place}")
        return self.stream.no_term()

    def _signed(self, sign: str, place: str | None) -> AttributeValue:
        if self.stream.current.kind != "number":
            raise validation_error(f"Unsupported operator in Condition Expression. Operator: {sign}")
        return _number(sign + self.stream.take().text, place)

    def _container(self, place: str, depth: int) -> AttributeValue:
        opening = self.stream.take().kind
        if opening == "[":
            return {"L": self._members("]", "Expected RIGHT_BRACKET", place, depth)}
        if opening == "<<":
            return _set_value(self._members(">>", "Expected RIGHT_DOUBLE_ANGLE_BRACKET", place, depth))
        return {"M": self._fields(place, depth)}

    def reject_spare_parameters(self) -> None:
        if self._used != len(self._parameters):
            raise _wrong_count()

    def _parameter(self) -> AttributeValue:
        if self._used >= len(self._parameters):
            raise _wrong_count()
        self._used += 1
        given = self._parameters[self._used - 1]
        _reject_unconvertible(given)
        return normalise(given)

    def _members(self, closing: str, detail: str, place: str, depth: int) -> list[AttributeValue]:
        members: list[AttributeValue] = []
        if self.stream.accept(closing):
            return members
        members.append(self._read(f"{place}[0]", depth + 1))
        while self.stream.accept(","):
            members.append(self._read(f"{place}[{len(members)}]", depth + 1))
        self.stream.expect(closing, detail)
        return members

    def _fields(self, place: str | None, depth: int) -> dict[str, AttributeValue]:
        fields: dict[str, AttributeValue] = {}
        while not self.stream.accept("}"):
            if fields:
                self.stream.expect(",", "Expected RIGHT_CURLY")
            name = self._field_name()
            self.stream.expect(":", "Expected COLON")
            fields[name] = self._read(None if place is None else f"{place}.{name}", depth + 1)
        return fields

    def _field_name(self) -> str:
        if self.stream.current.kind not in ("string", "quoted", "word"):
            raise self.stream.no_term()
        return self.stream.take().text


def _reject_unconvertible(given: Mapping[str, Any]) -> None:
    """Reject a parameter that is a number too large for Java. Numbers inside values are only range-checked."""
    for text in (given["N"],) if isinstance(given.get("N"), str) else given.get("NS") or ():
        if not _fits(text):
            raise validation_error(f"The parameter cannot be converted to a numeric value: {text}")


def _fits(text: str) -> bool:
    """Whether a number's exponent and scale fit a Java `int`."""
    exponent = _EXPONENT.search(text)
    if exponent is None:
        return True
    if len(exponent["power"]) > _LONGEST_EXPONENT:
        return False
    power, decimals = int(exponent["power"]), len(text[: exponent.start()].partition(".")[2])
    return -_LARGEST_INT < power < _LARGEST_INT and -_LARGEST_INT < decimals - power < _LARGEST_INT


def _number(text: str, place: str | None) -> AttributeValue:
    """A number. One too large for Java is a syntax error; the error for one out of range names its position."""
    if not _fits(text):
        raise syntax_error("")
    try:
        return normalise({"N": text})
    except EngineError as error:
        raise validation_error(f"{error.message} under {place or _TOP}") from error


def _wrong_count() -> EngineError:
    return validation_error("Number of parameters in request and statement don't match.")


def _set_value(members: list[AttributeValue]) -> AttributeValue:
    if not members:
        raise validation_error("Empty bags are not supported")
    kinds = {kind_of(member) for member in members}
    if kinds not in ({"S"}, {"N"}):
        raise validation_error("Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags")
    (kind,) = kinds
    return normalise({f"{kind}S": [member[kind] for member in members]})
