"""Conditions as values: built from fields, combined with & | ~, rendered with placeholders."""

from __future__ import annotations

from tablature.expressions.builder import ExpressionBuilder, Path
from tablature.records import record
from tablature.wire import AttributeValue


class Condition:
    """A condition on a stored item. Combine with `&`, `|` and `~`."""

    __slots__ = ()

    def render(self, into: ExpressionBuilder) -> str:
        raise NotImplementedError

    def attributes(self) -> frozenset[str]:
        """The top-level attributes that the condition reads."""
        raise NotImplementedError

    def __and__(self, other: Condition) -> Condition:
        return JoinedCondition("AND", (self, other))

    def __or__(self, other: Condition) -> Condition:
        return JoinedCondition("OR", (self, other))

    def __invert__(self) -> Condition:
        return NegatedCondition(self)

    def __bool__(self) -> bool:
        raise TypeError("A condition has no truth value here; combine conditions with & | ~, not with and, or, not.")


@record
class JoinedCondition(Condition):
    """Several conditions joined by AND or OR."""

    word: str
    parts: tuple[Condition, ...]

    def render(self, into: ExpressionBuilder) -> str:
        return f" {self.word} ".join(f"({part.render(into)})" for part in self.parts)

    def attributes(self) -> frozenset[str]:
        return frozenset[str]().union(*(part.attributes() for part in self.parts))


@record
class NegatedCondition(Condition):
    """The opposite of a condition."""

    inner: Condition

    def render(self, into: ExpressionBuilder) -> str:
        return f"NOT ({self.inner.render(into)})"

    def attributes(self) -> frozenset[str]:
        return self.inner.attributes()


@record
class Comparison(Condition):
    """`path operator value`, or `size(path) operator value`."""

    path: Path
    operator: str
    value: AttributeValue
    of_size: bool = False

    def render(self, into: ExpressionBuilder) -> str:
        left = into.path(self.path)
        return f"{f'size({left})' if self.of_size else left} {self.operator} {into.value(self.value)}"

    def attributes(self) -> frozenset[str]:
        return frozenset({str(self.path[0])})


@record
class Between(Condition):
    """`path BETWEEN low AND high`, both ends included."""

    path: Path
    low: AttributeValue
    high: AttributeValue

    def render(self, into: ExpressionBuilder) -> str:
        return f"{into.path(self.path)} BETWEEN {into.value(self.low)} AND {into.value(self.high)}"

    def attributes(self) -> frozenset[str]:
        return frozenset({str(self.path[0])})


@record
class OneOf(Condition):
    """`path IN (values)`."""

    path: Path
    values: tuple[AttributeValue, ...]

    def render(self, into: ExpressionBuilder) -> str:
        return f"{into.path(self.path)} IN ({', '.join(map(into.value, self.values))})"

    def attributes(self) -> frozenset[str]:
        return frozenset({str(self.path[0])})


@record
class FunctionCondition(Condition):
    """`function(path)` or `function(path, value)`."""

    function: str
    path: Path
    value: AttributeValue | None = None

    def render(self, into: ExpressionBuilder) -> str:
        argument = "" if self.value is None else f", {into.value(self.value)}"
        return f"{self.function}({into.path(self.path)}{argument})"

    def attributes(self) -> frozenset[str]:
        return frozenset({str(self.path[0])})


def exists(attribute: str) -> Condition:
    return FunctionCondition("attribute_exists", (attribute,))


def absent(attribute: str) -> Condition:
    return FunctionCondition("attribute_not_exists", (attribute,))


def equals(attribute: str, value: AttributeValue | None) -> Condition:
    """The attribute has exactly this stored value, or none at all."""
    return absent(attribute) if value is None else Comparison((attribute,), "=", value)


def all_of(*conditions: Condition | None) -> Condition | None:
    """All given conditions joined by AND; None if there are none."""
    parts = tuple(condition for condition in conditions if condition is not None)
    if len(parts) <= 1:
        return parts[0] if parts else None
    return JoinedCondition("AND", parts)
