"""Reads the values of a statement: literals, sets in `<<>>`, and the parameters that stand for `?`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tablature.engine.errors import invalid_parameter, validation
from tablature.engine.partiql.tokens import TokenStream, malformed
from tablature.engine.values import DEEPEST_NESTING, AttributeValue, kind_of, nested_too_deep, normalise

_WORDS: Final[Mapping[str, AttributeValue]] = {
    "TRUE": {"BOOL": True},
    "FALSE": {"BOOL": False},
    "NULL": {"NULL": True},
}
_CONTAINERS: Final = frozenset({"[", "{", "<<"})
_OPENERS: Final = _CONTAINERS | {"string", "number", "?", "-", "+"}


class LiteralReader:
    """Reads values at the cursor and hands out parameters in order."""

    def __init__(self, stream: TokenStream, parameters: Sequence[Mapping[str, Any]]) -> None:
        self.stream = stream
        self._parameters = parameters
        self._used = 0

    def starts_here(self) -> bool:
        current = self.stream.current
        return current.kind in _OPENERS or (current.kind == "word" and current.text.upper() in _WORDS)

    def read(self, depth: int = 1) -> AttributeValue:
        """The value at the cursor, in normal form."""
        if depth > DEEPEST_NESTING:
            raise nested_too_deep()
        if self.stream.current.kind in _CONTAINERS:
            return self._container(depth)
        return self._scalar()

    def _scalar(self) -> AttributeValue:
        token = self.stream.take()
        if token.kind == "string":
            return {"S": token.text}
        if token.kind == "number":
            return normalise({"N": token.text})
        if token.kind in ("-", "+"):
            return normalise({"N": token.kind + self.stream.expect("number", "Unexpected term").text})
        if token.kind == "?":
            return self._parameter()
        if token.kind == "word" and token.text.upper() in _WORDS:
            return _WORDS[token.text.upper()]
        raise malformed("Unexpected term")

    def _container(self, depth: int) -> AttributeValue:
        opening = self.stream.take().kind
        if opening == "[":
            return {"L": self._members("]", "Expected RIGHT_BRACKET", depth)}
        if opening == "<<":
            return _set_of(self._members(">>", "Expected RIGHT_DOUBLE_ANGLE_BRACKET", depth))
        return {"M": self._fields(depth)}

    def refuse_spare_parameters(self) -> None:
        if self._used != len(self._parameters):
            raise _wrong_count()

    def _parameter(self) -> AttributeValue:
        if self._used >= len(self._parameters):
            raise _wrong_count()
        self._used += 1
        return normalise(self._parameters[self._used - 1])

    def _members(self, closing: str, detail: str, depth: int) -> list[AttributeValue]:
        members: list[AttributeValue] = []
        if self.stream.accept(closing):
            return members
        members.append(self.read(depth + 1))
        while self.stream.accept(","):
            members.append(self.read(depth + 1))
        self.stream.expect(closing, detail)
        return members

    def _fields(self, depth: int) -> dict[str, AttributeValue]:
        fields: dict[str, AttributeValue] = {}
        while not self.stream.accept("}"):
            if fields:
                self.stream.expect(",", "Expected RIGHT_CURLY")
            name = self._field_name()
            self.stream.expect(":", "Expected COLON")
            fields[name] = self.read(depth + 1)
        return fields

    def _field_name(self) -> str:
        if self.stream.current.kind not in ("string", "quoted", "word"):
            raise malformed("Unexpected term")
        return self.stream.take().text


def _wrong_count() -> Exception:
    return validation("Number of parameters in request and statement don't match.")


def _set_of(members: list[AttributeValue]) -> AttributeValue:
    kinds = {kind_of(member) for member in members}
    if len(kinds) != 1 or not kinds <= {"S", "N", "B"}:
        raise invalid_parameter("A set must have at least one member, and members of one scalar type")
    (kind,) = kinds
    return normalise({f"{kind}S": [member[kind] for member in members]})
