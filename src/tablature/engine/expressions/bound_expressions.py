"""Expressions, or their legacy equivalents, bound to names and values.

All checks that need no table are done by then. `reject_*` and `BoundKeyCondition.for_keys` are the checks that need the
table's keys; operations call them in the service's order.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tablature.engine.encoding.values import AttributeValue, Item
from tablature.engine.errors import invalid_parameter, validation_error
from tablature.engine.expressions.paths import Branch, Path, branch_of, pick
from tablature.engine.schema import KeyAttribute

RangeOperator: TypeAlias = Literal["=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"]
Values: TypeAlias = Mapping[str, AttributeValue]
Evaluator: TypeAlias = Callable[[Item, Values], bool]
Mutator: TypeAlias = Callable[[Item, Values], Item]


@dataclass(frozen=True, slots=True)
class UsedPaths:
    """The document paths an expression touches, for the checks against a table's keys."""

    paths: tuple[Path, ...]

    @property
    def names(self) -> frozenset[str]:
        """The top-level attributes, however deep the paths go."""
        return frozenset(str(path[0]) for path in self.paths)

    def reject_nested_keys(self, keys: Collection[str], index_keys: Collection[str] = ()) -> None:
        """Reject a path that reaches inside a key attribute of the table or of one of its indexes."""
        nested = {path[0] for path in self.paths if len(path) > 1}
        for kind, names in (("Key", keys), ("IndexKey", index_keys)):
            for name in names:
                if name in nested:
                    raise validation_error(
                        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
                        f"{kind}: {name}"
                    )


@dataclass(frozen=True, slots=True)
class BoundCondition:
    """A condition or filter. Call it with an item (an empty one if nothing is stored)."""

    evaluate: Evaluator
    values: Values
    used: UsedPaths
    parameter: str

    def __call__(self, item: Item) -> bool:
        return self.evaluate(item, self.values)

    def reject_key_attributes(self, keys: Collection[str]) -> None:
        """Reject a Query filter on the key attributes of the queried table or index."""
        names = self.used.names
        for name in keys:
            if name in names:
                title = "Filter Expression" if self.parameter == "FilterExpression" else self.parameter
                detail = f"can only contain non-primary key attributes: Primary key attribute: {name}"
                raise validation_error(f"{title} {detail}")


@dataclass(frozen=True, slots=True)
class BoundProjection:
    """Selected paths. Call it with an item to get the selected parts."""

    used: UsedPaths
    branch: Branch

    @classmethod
    def from_paths(cls, paths: tuple[Path, ...]) -> "BoundProjection":
        return cls(UsedPaths(paths), branch_of(paths))

    def __call__(self, item: Item) -> Item:
        return pick(item, self.branch)


@dataclass(frozen=True, slots=True)
class BoundUpdate:
    """An update. `apply` returns the new item and doesn't change the old one.

    `types` has the type of each top-level attribute that is set to a value whose type is known before any item is read;
    `creates` is False for an update of only REMOVE and DELETE actions, which never creates a missing item.
    """

    mutate: Mutator
    values: Values
    used: UsedPaths
    written: UsedPaths
    branch: Branch
    types: Mapping[str, str]
    creates: bool

    def apply(self, item: Item) -> Item:
        return self.mutate(item, self.values)

    def touched(self, item: Item) -> Item:
        """The parts of an item that UPDATED_OLD or UPDATED_NEW return."""
        return pick(item, self.branch)

    def reject_key_attributes(self, keys: Collection[str]) -> None:
        names = self.written.names
        for name in keys:
            if name in names:
                raise invalid_parameter(f"Cannot update attribute {name}. This attribute is part of the key")


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The items a Query reads: one partition and, with an operator, the part of it between the bounds.

    If the sort key has several attributes, those in `leading` come before the compared one.
    """

    hash_values: tuple[AttributeValue, ...]
    operator: RangeOperator | None = None
    bounds: tuple[AttributeValue, ...] = ()
    leading: tuple[AttributeValue, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyTest:
    """One comparison of a key condition. Operators that an index can't serve keep their legacy name."""

    operator: str
    bounds: tuple[AttributeValue, ...]


_MOST_OF_ONE_EACH: Final = 2
_SERVED: Final[Mapping[str, RangeOperator]] = {
    "=": "=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "BETWEEN": "BETWEEN",
    "begins_with": "begins_with",
}


@dataclass(frozen=True, slots=True)
class BoundKeyCondition:
    """A key condition by attribute name, not yet checked against a key schema. Legacy ones have no composite keys."""

    tests: Mapping[str, KeyTest]
    is_legacy: bool = False

    def for_keys(self, hashes: Sequence[KeyAttribute], ranges: Sequence[KeyAttribute]) -> KeyRange:
        """The key range of the condition for the keys of a table or index. Raises if it doesn't fit them."""
        if self.is_legacy and max(len(hashes), len(ranges)) > 1:
            raise validation_error("Query key condition not supported")
        self._reject_too_many(len(hashes) + len(ranges))
        hash_values = tuple(self._hash_value(key) for key in hashes)
        named = [place for place, key in enumerate(ranges) if key.name in self.tests]
        if len(named) < len(self.tests) - len(hashes):
            missed = next(key.name for key in ranges if key.name not in self.tests)
            raise validation_error(f"Query condition missed key schema element: {missed}")
        if not named:
            return KeyRange(hash_values)
        last, leading = ranges[named[-1]], ranges[: named[-1]]
        self._reject_gaps(leading, last)
        test = self._test_of(last)
        before = tuple(self._test_of(key).bounds[0] for key in leading)
        return KeyRange(hash_values, _SERVED[test.operator], test.bounds, before)

    def _reject_too_many(self, most: int) -> None:
        count = len(self.tests)
        if count > max(most, _MOST_OF_ONE_EACH):
            raise validation_error(
                f"The number of query conditions ({count}) exceeds the number of key attributes defined in the schema "
                f"({most})"
            )
        if count > most:
            raise validation_error("Query key condition not supported")

    def _hash_value(self, key: KeyAttribute) -> AttributeValue:
        test = self._test_of(key)
        if test.operator != "=":
            raise validation_error("Query key condition not supported")
        return test.bounds[0]

    def _reject_gaps(self, leading: Sequence[KeyAttribute], last: KeyAttribute) -> None:
        """Reject any operator except `=` on sort key attributes before the last one in the condition."""
        open_names = [key.name for key in leading if key.name not in self.tests or self.tests[key.name].operator != "="]
        if open_names:
            raise validation_error(
                f"RANGE key attributes {', '.join(open_names)} must have equality conditions specified in the query "
                f"because a condition is present on key attribute {last.name}"
            )

    def _test_of(self, key: KeyAttribute) -> KeyTest:
        test = self.tests.get(key.name)
        if test is None:
            raise validation_error(f"Query condition missed key schema element: {key.name}")
        if test.operator not in _SERVED:
            raise validation_error("Attempted conditional constraint is not an indexable operation")
        if any(key.type not in bound for bound in test.bounds):
            raise invalid_parameter("Condition parameter type does not match schema type")
        return test
