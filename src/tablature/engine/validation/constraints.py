"""Declares each operation's request shape and reports violated constraints in the service's own words.

Requests arrive with the JSON types of the service's model (the server sees to it). What is checked here, before all
else, is presence, length, range, pattern and enumeration, told in one `N validation error(s) detected: ...` sentence.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablature.engine.errors import EngineError, validation_error

MAX_ERRORS_REPORTED = 10

ReportViolation = Callable[[str, str, str], None]


class Shape:
    """What a value in a request must be."""

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        """Report each violated constraint of a value that is present."""

    def shown(self, value: Any) -> str:
        """Print a value as the service's Java side would inside a constraint sentence."""
        return java_text(value)


def java_text(value: Any) -> str:
    """Print a JSON value the way Java's toString does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}={java_text(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(java_text(member) for member in value) + "]"
    return "null" if value is None else str(value)


@dataclass(frozen=True)
class StringShape(Shape):
    """A string, perhaps of bounded length, of a pattern, or one of a set of words (in the service's order)."""

    least: int = 0
    most: int | None = None
    pattern: str | None = None
    words: tuple[str, ...] | None = None

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        if self.words is not None and value in self.words:
            return
        for broken in self.broken(value):
            report(f"'{value}'", path, broken)

    def broken(self, value: str) -> Iterator[str]:
        """The constraints this text breaks, as the service words and orders them."""
        if self.words is not None and value not in self.words:
            yield f"Member must satisfy enum value set: [{', '.join(self.words)}]"
        yield from broken_length(self.least, self.most, len(value))
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
class IntegerShape(Shape):
    """An integer within bounds."""

    least: int | None = None
    most: int | None = None

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        if self.most is not None and value > self.most:
            report(f"'{value}'", path, f"Member must have value less than or equal to {self.most}")
        if self.least is not None and value < self.least:
            report(f"'{value}'", path, f"Member must have value greater than or equal to {self.least}")


@dataclass(frozen=True)
class ListShape(Shape):
    """A list whose members share one shape."""

    member: Shape
    least: int = 0
    most: int | None = None

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        for broken in broken_length(self.least, self.most, len(value)):
            report(f"'{self.shown(value)}'", path, broken)
        for position, member in enumerate(value, start=1):
            inspect_member(self.member, member, f"{path}.{position}.member", report)

    def shown(self, value: Any) -> str:
        return "[" + ", ".join(self.member.shown(member) for member in value) + "]"


@dataclass(frozen=True)
class MapShape(Shape):
    """A map from strings (constrained by `key`) to members of one shape; `sizes` bounds members that are lists."""

    member: Shape
    key: StringShape | None = None
    least: int = 0
    most: int | None = None
    sizes: tuple[int, int] | None = None

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        for broken in broken_length(self.least, self.most, len(value)):
            report(f"'{self.shown(value)}'", path, broken)
        if self.key is not None and any(next(self.key.broken(name), None) for name in value):
            told = ", ".join(self.key.stated())
            report(f"'{self.shown(value)}'", path, f"Map keys must satisfy constraint: [{told}]")
        if self.sizes is not None:
            self._inspect_sizes(self.sizes, value, path, report)
        for name, member in value.items():
            inspect_member(self.member, member, f"{path}.{name}.member", report)

    def _inspect_sizes(self, sizes: tuple[int, int], value: Any, path: str, report: ReportViolation) -> None:
        least, most = sizes
        if any(not least <= len(member) <= most for member in value.values()):
            told = (
                f"Member must have length less than or equal to {most}, "
                f"Member must have length greater than or equal to {least}"
            )
            report(f"'{self.shown(value)}'", path, f"Map value must satisfy constraint: [{told}]")

    def shown(self, value: Any) -> str:
        return "{" + ", ".join(f"{name}={self.member.shown(member)}" for name, member in value.items()) + "}"


@dataclass(frozen=True)
class StructureMember:
    """One named member of a structure."""

    name: str
    shape: Shape
    required: bool = False

    @property
    def path_name(self) -> str:
        return self.name[0].lower() + self.name[1:]


class StructureShape(Shape):
    """A structure; members are inspected in the declared order, and unknown members are ignored.

    `name` is the model's name for it, needed wherever it is nested (`KeySchemaElement`, `Put`, ...).
    """

    def __init__(self, *members: StructureMember, name: str = "") -> None:
        self.members = tuple((member, member.name, member.path_name, type(member.shape) is Shape) for member in members)
        self.name = name

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        prefix = f"{path}." if path else ""
        for member, name, path_name, is_free in self.members:
            given = value.get(name)
            if given is None:
                if member.required:
                    report("null", prefix + path_name, "Member must not be null")
            elif not is_free:
                member.shape.inspect(given, prefix + path_name, report)

    def shown(self, value: Any) -> str:
        told = [
            f"{path_name}={'null' if value.get(name) is None else member.shape.shown(value[name])}"
            for member, name, path_name, _ in self.members
        ]
        return f"{self.name}({', '.join(told)})"

    def check(self, request: Mapping[str, Any]) -> None:
        """Refuse a request that breaks constraints, naming up to ten of them at once."""
        found = self.found(request)
        if found:
            raise constraint_error(found[:MAX_ERRORS_REPORTED])

    def found(self, request: Mapping[str, Any]) -> list[str]:
        """What a request breaks, one sentence for each constraint."""
        found: list[str] = []

        def report(value: str, path: str, constraint: str) -> None:
            told = f"Value {value}" if value else "Value"
            found.append(f"{told} at '{path}' failed to satisfy constraint: {constraint}")

        self.inspect(request, "", report)
        return found


def constraint_error(found: Sequence[str]) -> EngineError:
    """Gather violated constraints into the service's one sentence."""
    plural = "s" if len(found) > 1 else ""
    return validation_error(f"{len(found)} validation error{plural} detected: {'; '.join(found)}")


def broken_length(least: int, most: int | None, length: int) -> Iterator[str]:
    if most is not None and length > most:
        yield f"Member must have length less than or equal to {most}"
    if length < least:
        yield f"Member must have length greater than or equal to {least}"


def inspect_member(shape: Shape, value: Any, path: str, report: ReportViolation) -> None:
    """Inspect an element of a list or map, where null itself is a violation."""
    if value is None:
        report("null", path, "Member must not be null")
    else:
        shape.inspect(value, path, report)


def structure(*members: StructureMember, name: str = "") -> StructureShape:
    return StructureShape(*members, name=name)


def member(name: str, shape: Shape, *, required: bool = False) -> StructureMember:
    return StructureMember(name, shape, required)


def string(least: int = 0, most: int | None = None, pattern: str | None = None) -> StringShape:
    return StringShape(least, most, pattern)


def enum(*words: str) -> StringShape:
    return StringShape(words=words)


def integer(least: int | None = None, most: int | None = None) -> IntegerShape:
    return IntegerShape(least, most)


def anything() -> Shape:
    """A value with no constraint of its own (a flag, a moment, free text)."""
    return Shape()


def list_of(shape: Shape, least: int = 0, most: int | None = None) -> ListShape:
    return ListShape(shape, least, most)


def map_of(shape: Shape, key: StringShape | None = None, least: int = 0, most: int | None = None) -> MapShape:
    return MapShape(shape, key, least, most)
