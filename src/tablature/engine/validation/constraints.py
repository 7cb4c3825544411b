"""Request shapes of operations, and violated constraints in the service's own words.

Requests arrive with the JSON types of the service's model (the server checks them). Presence, length, range, pattern
and enumeration are checked here first, and reported in one `N validation error(s) detected: ...` sentence.
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

    def to_java(self, value: Any) -> str:
        """The value as the service, a Java program, prints it in a constraint sentence."""
        return java_text(value)


def java_text(value: Any) -> str:
    """A JSON value as Java's toString prints it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}={java_text(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(java_text(member) for member in value) + "]"
    return "null" if value is None else str(value)


@dataclass(frozen=True)
class StringShape(Shape):
    """A string, optionally limited by length, by a pattern, or to a set of words (in the service's order)."""

    minimum: int = 0
    maximum: int | None = None
    pattern: str | None = None
    words: tuple[str, ...] | None = None

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        if self.words is not None and value in self.words:
            return
        for violation in self.violations(value):
            report(f"'{value}'", path, violation)

    def violations(self, value: str) -> Iterator[str]:
        """The violated constraints, in the service's words and order."""
        if self.words is not None and value not in self.words:
            yield f"Member must satisfy enum value set: [{', '.join(self.words)}]"
        yield from length_violations(self.minimum, self.maximum, len(value))
        if self.pattern is not None and not re.fullmatch(self.pattern, value):
            yield f"Member must satisfy regular expression pattern: {self.pattern}"

    def all_constraints(self) -> Iterator[str]:
        """All constraints, violated or not: the error for a bad map key lists all of them."""
        if self.maximum is not None:
            yield f"Member must have length less than or equal to {self.maximum}"
        if self.minimum:
            yield f"Member must have length greater than or equal to {self.minimum}"
        if self.pattern is not None:
            yield f"Member must satisfy regular expression pattern: {self.pattern}"


@dataclass(frozen=True)
class IntegerShape(Shape):
    """An integer within bounds."""

    minimum: int | None = None
    maximum: int | None = None

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        if self.maximum is not None and value > self.maximum:
            report(f"'{value}'", path, f"Member must have value less than or equal to {self.maximum}")
        if self.minimum is not None and value < self.minimum:
            report(f"'{value}'", path, f"Member must have value greater than or equal to {self.minimum}")


@dataclass(frozen=True)
class ListShape(Shape):
    """A list whose members share one shape."""

    member: Shape
    minimum: int = 0
    maximum: int | None = None

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        for violation in length_violations(self.minimum, self.maximum, len(value)):
            report(f"'{self.to_java(value)}'", path, violation)
        for position, member in enumerate(value, start=1):
            inspect_member(self.member, member, f"{path}.{position}.member", report)

    def to_java(self, value: Any) -> str:
        return "[" + ", ".join(self.member.to_java(member) for member in value) + "]"


@dataclass(frozen=True)
class MapShape(Shape):
    """A map from strings (constrained by `key`) to members of one shape; `sizes` bounds members that are lists."""

    member: Shape
    key: StringShape | None = None
    minimum: int = 0
    maximum: int | None = None
    sizes: tuple[int, int] | None = None

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        for violation in length_violations(self.minimum, self.maximum, len(value)):
            report(f"'{self.to_java(value)}'", path, violation)
        if self.key is not None and any(next(self.key.violations(name), None) for name in value):
            constraints = ", ".join(self.key.all_constraints())
            report(f"'{self.to_java(value)}'", path, f"Map keys must satisfy constraint: [{constraints}]")
        if self.sizes is not None:
            self._inspect_sizes(self.sizes, value, path, report)
        for name, member in value.items():
            inspect_member(self.member, member, f"{path}.{name}.member", report)

    def _inspect_sizes(self, sizes: tuple[int, int], value: Any, path: str, report: ReportViolation) -> None:
        minimum, maximum = sizes
        if any(not minimum <= len(member) <= maximum for member in value.values()):
            constraints = (
                f"Member must have length less than or equal to {maximum}, "
                f"Member must have length greater than or equal to {minimum}"
            )
            report(f"'{self.to_java(value)}'", path, f"Map value must satisfy constraint: [{constraints}]")

    def to_java(self, value: Any) -> str:
        return "{" + ", ".join(f"{name}={self.member.to_java(member)}" for name, member in value.items()) + "}"


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

    def to_java(self, value: Any) -> str:
        members = [
            f"{path_name}={'null' if value.get(name) is None else member.shape.to_java(value[name])}"
            for member, name, path_name, _ in self.members
        ]
        return f"{self.name}({', '.join(members)})"

    def check(self, request: Mapping[str, Any]) -> None:
        """Raise for a request that violates constraints, naming up to ten of them."""
        violations = self.find_violations(request)
        if violations:
            raise constraint_error(violations[:MAX_ERRORS_REPORTED])

    def find_violations(self, request: Mapping[str, Any]) -> list[str]:
        """One sentence for each violated constraint."""
        violations: list[str] = []

        def report(value: str, path: str, constraint: str) -> None:
            subject = f"Value {value}" if value else "Value"
            violations.append(f"{subject} at '{path}' failed to satisfy constraint: {constraint}")

        self.inspect(request, "", report)
        return violations


def constraint_error(violations: Sequence[str]) -> EngineError:
    """The service's one sentence for all violated constraints."""
    plural = "s" if len(violations) > 1 else ""
    return validation_error(f"{len(violations)} validation error{plural} detected: {'; '.join(violations)}")


def length_violations(minimum: int, maximum: int | None, length: int) -> Iterator[str]:
    if maximum is not None and length > maximum:
        yield f"Member must have length less than or equal to {maximum}"
    if length < minimum:
        yield f"Member must have length greater than or equal to {minimum}"


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


def string(minimum: int = 0, maximum: int | None = None, pattern: str | None = None) -> StringShape:
    return StringShape(minimum, maximum, pattern)


def enum(*words: str) -> StringShape:
    return StringShape(words=words)


def integer(minimum: int | None = None, maximum: int | None = None) -> IntegerShape:
    return IntegerShape(minimum, maximum)


def anything() -> Shape:
    """A value without constraints (a flag, a time, free text)."""
    return Shape()


def list_of(shape: Shape, minimum: int = 0, maximum: int | None = None) -> ListShape:
    return ListShape(shape, minimum, maximum)


def map_of(shape: Shape, key: StringShape | None = None, minimum: int = 0, maximum: int | None = None) -> MapShape:
    return MapShape(shape, key, minimum, maximum)
