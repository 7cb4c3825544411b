"""Declares each operation's request shape and reports its violations in the service's own words.

A shape is checked before anything else in a request. JSON values of the wrong type are refused first, as serialization
errors; then violated constraints are gathered into one `N validation error(s) detected: ...` sentence.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from tablature.engine.errors import ServiceError, serialization, validation

MOST_ERRORS_REPORTED = 10
MODEL = "com.amazonaws.dynamodb.v20120810."

Report = Callable[[str, str, str], None]


class Shape:
    """What a JSON value must be; `java` is the type's name in the service's serialization errors."""

    java = "java.lang.Object"

    def convert(self, value: Any) -> None:
        """Raise the serialization error for a value of the wrong JSON type; null never reaches here."""

    def inspect(self, value: Any, path: str, report: Report) -> None:
        """Report each violated constraint of a value that is present and of the right JSON type."""

    def shown(self, value: Any) -> str:
        """Print a value as the service's Java side would inside a constraint sentence."""
        return shown(value)


def shown(value: Any) -> str:
    """Print a JSON value the way Java's toString does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}={shown(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(member) for member in value) + "]"
    return "null" if value is None else str(value)


def token_name(value: Any) -> str:
    """Name a JSON scalar as the service's parser does."""
    if isinstance(value, bool):
        return "TRUE_VALUE" if value else "FALSE_VALUE"
    if isinstance(value, str):
        return "STRING_VALUE"
    return "NUMBER_VALUE" if isinstance(value, int) else "DECIMAL_VALUE"


def refuse_collection(value: Any, java: str) -> None:
    """Refuse a list or a map where a scalar belongs."""
    if isinstance(value, list):
        raise serialization(f"Unrecognized collection type class {java}")
    if isinstance(value, dict):
        raise serialization("Start of structure or map found where not expected")


def _refuse_scalar(value: Any, java: str) -> NoReturn:
    refuse_collection(value, java)
    raise serialization(f"{token_name(value)} cannot be converted to {java.rpartition('.')[2]}")


@dataclass(frozen=True)
class Text(Shape):
    """A string, perhaps of bounded length, of a pattern, or one of a set of words (in the service's order)."""

    least: int = 0
    most: int | None = None
    pattern: str | None = None
    words: tuple[str, ...] | None = None
    java = "java.lang.String"

    def convert(self, value: Any) -> None:
        if not isinstance(value, str):
            _refuse_scalar(value, self.java)

    def inspect(self, value: Any, path: str, report: Report) -> None:
        for broken in self.broken(value):
            report(f"'{value}'", path, broken)

    def broken(self, value: str) -> Iterator[str]:
        """The constraints this text breaks, as the service words and orders them."""
        if self.words is not None and value not in self.words:
            yield f"Member must satisfy enum value set: [{', '.join(self.words)}]"
        if self.most is not None and len(value) > self.most:
            yield f"Member must have length less than or equal to {self.most}"
        if len(value) < self.least:
            yield f"Member must have length greater than or equal to {self.least}"
        if self.pattern is not None and not re.fullmatch(self.pattern, value):
            yield f"Member must satisfy regular expression pattern: {self.pattern}"

    def stated(self) -> Iterator[str]:
        """Every constraint this text has, broken or not: a map with one bad key is told all of them."""
        if self.most is not None:
            yield f"Member must have length less than or equal to {self.most}"
        if self.least:
            yield f"Member must have length greater than or equal to {self.least}"
        if self.pattern is not None:
            yield f"Member must satisfy regular expression pattern: {self.pattern}"


@dataclass(frozen=True)
class Whole(Shape):
    """An integer within bounds; `java` is java.lang.Integer or java.lang.Long, as the service names it."""

    least: int | None = None
    most: int | None = None
    java: str = "java.lang.Integer"

    def convert(self, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            _refuse_scalar(value, self.java)

    def inspect(self, value: Any, path: str, report: Report) -> None:
        if self.most is not None and value > self.most:
            report(f"'{value}'", path, f"Member must have value less than or equal to {self.most}")
        if self.least is not None and value < self.least:
            report(f"'{value}'", path, f"Member must have value greater than or equal to {self.least}")


@dataclass(frozen=True)
class Flag(Shape):
    """A boolean."""

    java = "java.lang.Boolean"

    def convert(self, value: Any) -> None:
        if isinstance(value, str):
            raise serialization("Unexpected token received from parser")
        if not isinstance(value, bool):
            _refuse_scalar(value, self.java)


@dataclass(frozen=True)
class Moment(Shape):
    """A timestamp in epoch seconds."""

    java = "java.util.Date"

    def convert(self, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            _refuse_scalar(value, self.java)


@dataclass(frozen=True)
class ListOf(Shape):
    """A list whose members share one shape."""

    member: Shape
    least: int = 0
    most: int | None = None

    @property
    def java(self) -> str:  # type: ignore[override]  # the name depends on the member's
        return f"java.util.List<{self.member.java}>"

    def convert(self, value: Any) -> None:
        if isinstance(value, dict):
            raise serialization("Start of structure or map found where not expected")
        if not isinstance(value, list):
            raise serialization("Unexpected field type")
        for member in value:
            if member is not None:
                self.member.convert(member)

    def inspect(self, value: Any, path: str, report: Report) -> None:
        for broken in broken_length(self.least, self.most, len(value)):
            report(f"'{self.shown(value)}'", path, broken)
        for position, member in enumerate(value, start=1):
            inspect_member(self.member, member, f"{path}.{position}.member", report)

    def shown(self, value: Any) -> str:
        return "[" + ", ".join(self.member.shown(member) for member in value) + "]"


@dataclass(frozen=True)
class MapOf(Shape):
    """A map from strings (constrained by `key`) to members of one shape; `sizes` bounds members that are lists."""

    member: Shape
    key: Text | None = None
    least: int = 0
    most: int | None = None
    sizes: tuple[int, int] | None = None

    @property
    def java(self) -> str:  # type: ignore[override]  # the name depends on the member's
        return f"java.util.Map<java.lang.String, {self.member.java}>"

    def convert(self, value: Any) -> None:
        if isinstance(value, list):
            raise serialization(f"Unrecognized collection type {self.java}")
        if not isinstance(value, dict):
            raise serialization("Unexpected field type")
        for member in value.values():
            if member is not None:
                self.member.convert(member)

    def inspect(self, value: Any, path: str, report: Report) -> None:
        for broken in broken_length(self.least, self.most, len(value)):
            report(f"'{self.shown(value)}'", path, broken)
        if self.key is not None and any(next(self.key.broken(name), None) for name in value):
            told = ", ".join(self.key.stated())
            report(f"'{self.shown(value)}'", path, f"Map keys must satisfy constraint: [{told}]")
        if self.sizes is not None:
            self._inspect_sizes(self.sizes, value, path, report)
        for name, member in value.items():
            inspect_member(self.member, member, f"{path}.{name}.member", report)

    def _inspect_sizes(self, sizes: tuple[int, int], value: Any, path: str, report: Report) -> None:
        least, most = sizes
        if any(member is not None and not least <= len(member) <= most for member in value.values()):
            told = (
                f"Member must have length less than or equal to {most}, "
                f"Member must have length greater than or equal to {least}"
            )
            report(f"'{self.shown(value)}'", path, f"Map value must satisfy constraint: [{told}]")

    def shown(self, value: Any) -> str:
        return "{" + ", ".join(f"{name}={self.member.shown(member)}" for name, member in value.items()) + "}"


@dataclass(frozen=True)
class Member:
    """One named member of a structure."""

    name: str
    shape: Shape
    required: bool = False

    @property
    def path_name(self) -> str:
        return self.name[0].lower() + self.name[1:]


class Structure(Shape):
    """A structure; members are inspected in the declared order, and unknown members are ignored.

    `name` is the model's name for it, needed wherever it is nested (`KeySchemaElement`, `Put`, ...).
    """

    def __init__(self, *members: Member, name: str = "") -> None:
        self.members = members
        self.name = name
        self.java = MODEL + name
        self._by_name = {member.name: member for member in members}

    def convert(self, value: Any) -> None:
        if isinstance(value, list):
            raise serialization(f"Unrecognized collection type class {self.java}")
        if not isinstance(value, dict):
            raise serialization("Unexpected value type in payload")
        for name, given in value.items():
            if given is not None and (member := self._by_name.get(name)) is not None:
                member.shape.convert(given)

    def inspect(self, value: Any, path: str, report: Report) -> None:
        prefix = f"{path}." if path else ""
        for member in self.members:
            given = value.get(member.name)
            if given is not None:
                member.shape.inspect(given, prefix + member.path_name, report)
            elif member.required:
                report("null", prefix + member.path_name, "Member must not be null")

    def shown(self, value: Any) -> str:
        told = [f"{member.path_name}={self._shown_member(member, value)}" for member in self.members]
        return f"{self.name}({', '.join(told)})"

    def _shown_member(self, member: Member, value: Any) -> str:
        given = value.get(member.name)
        return "null" if given is None else member.shape.shown(given)

    def check(self, request: Mapping[str, Any]) -> None:
        """Refuse a request that doesn't fit: wrong JSON types first, then every violated constraint at once."""
        self.convert(request)
        found: list[str] = []

        def report(value: str, path: str, constraint: str) -> None:
            found.append(f"Value {value} at '{path}' failed to satisfy constraint: {constraint}")

        self.inspect(request, "", report)
        if found:
            raise violations(found)


def violations(found: Sequence[str]) -> ServiceError:
    """Gather violated constraints into the service's one sentence."""
    told = found[:MOST_ERRORS_REPORTED]
    plural = "s" if len(told) > 1 else ""
    return validation(f"{len(told)} validation error{plural} detected: {'; '.join(told)}")


def broken_length(least: int, most: int | None, length: int) -> Iterator[str]:
    if most is not None and length > most:
        yield f"Member must have length less than or equal to {most}"
    if length < least:
        yield f"Member must have length greater than or equal to {least}"


def inspect_member(shape: Shape, value: Any, path: str, report: Report) -> None:
    """Inspect an element of a list or map, where null itself is a violation."""
    if value is None:
        report("null", path, "Member must not be null")
    else:
        shape.inspect(value, path, report)


def structure(*members: Member, name: str = "") -> Structure:
    return Structure(*members, name=name)


def member(name: str, shape: Shape, *, required: bool = False) -> Member:
    return Member(name, shape, required)


def text(least: int = 0, most: int | None = None, pattern: str | None = None) -> Text:
    return Text(least, most, pattern)


def enum(*words: str) -> Text:
    return Text(words=words)


def whole(least: int | None = None, most: int | None = None) -> Whole:
    return Whole(least, most)


def long(least: int | None = None, most: int | None = None) -> Whole:
    return Whole(least, most, "java.lang.Long")


def flag() -> Flag:
    return Flag()


def moment() -> Moment:
    return Moment()


def list_of(shape: Shape, least: int = 0, most: int | None = None) -> ListOf:
    return ListOf(shape, least, most)


def map_of(shape: Shape, key: Text | None = None, least: int = 0, most: int | None = None) -> MapOf:
    return MapOf(shape, key, least, most)
