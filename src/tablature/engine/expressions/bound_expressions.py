"""What an operation holds once an expression, or its legacy twin, is bound to its names and values.

Everything that can be refused without a table has been refused by then; `refuse_*` and `KeyCondition.for_keys` are
the checks that need the table's keys, for the operation to call in the service's order.
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

    def refuse_nested_keys(self, keys: Collection[str], index_keys: Collection[str] = ()) -> None:
        """Refuse a path that reaches inside a key attribute of the table or of one of its indexes."""
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
    """A condition or filter, called with an item (an empty one when nothing is stored)."""

    evaluate: Evaluator
    values: Values
    used: UsedPaths
    parameter: str

    def __call__(self, item: Item) -> bool:
        return self.evaluate(item, self.values)

    def refuse_key_attributes(self, keys: Collection[str]) -> None:
        """Refuse a Query filter on the key attributes of the queried table or index."""
        names = self.used.names
        for name in keys:
            if name in names:
                title = "Filter Expression" if self.parameter == "FilterExpression" else self.parameter
                detail = f"can only contain non-primary key attributes: Primary key attribute: {name}"
                raise validation_error(f"{title} {detail}")


@dataclass(frozen=True, slots=True)
class BoundProjection:
    """A choice of paths, called with an item to get the chosen parts."""

    used: UsedPaths
    branch: Branch

    @classmethod
    def from_paths(cls, paths: tuple[Path, ...]) -> "BoundProjection":
        return cls(UsedPaths(paths), branch_of(paths))

    def __call__(self, item: Item) -> Item:
        return pick(item, self.branch)


@dataclass(frozen=True, slots=True)
class BoundUpdate:
    """An update: `apply` gives the new item and leaves the old one as it was.

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

    def refuse_key_attributes(self, keys: Collection[str]) -> None:
        names = self.written.names
        for name in keys:
            if name in names:
                raise invalid_parameter(f"Cannot update attribute {name}. This attribute is part of the key")


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The items a Query reads: one partition and, with an operator, the part of it between the bounds.

    Where several attributes make up the sort key, those in `leading` come before the one that is compared.
    """

    hash_values: tuple[AttributeValue, ...]
    operator: RangeOperator | None = None
    bounds: tuple[AttributeValue, ...] = ()
    leading: tuple[AttributeValue, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyTest:
    """One comparison of a key condition; operators an index cannot serve keep their legacy name."""

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
    """A key condition by attribute name, not yet held against a key schema; the legacy form knows no joined keys."""

    tests: Mapping[str, KeyTest]
    is_legacy: bool = False

    def for_keys(self, hashes: Sequence[KeyAttribute], ranges: Sequence[KeyAttribute]) -> KeyRange:
        """Read the condition against the queried table's or index's keys, refusing what doesn't fit them."""
        if self.is_legacy and max(len(hashes), len(ranges)) > 1:
            raise validation_error("Query key condition not supported")
        self._refuse_too_many(len(hashes) + len(ranges))
        hash_values = tuple(self._hash_value(key) for key in hashes)
        named = [place for place, key in enumerate(ranges) if key.name in self.tests]
        if len(named) < len(self.tests) - len(hashes):
            missed = next(key.name for key in ranges if key.name not in self.tests)
            raise validation_error(f"Query condition missed key schema element: {missed}")
        if not named:
            return KeyRange(hash_values)
        last, leading = ranges[named[-1]], ranges[: named[-1]]
        self._refuse_gaps(leading, last)
        test = self._test_of(last)
        before = tuple(self._test_of(key).bounds[0] for key in leading)
        return KeyRange(hash_values, _SERVED[test.operator], test.bounds, before)

    def _refuse_too_many(self, most: int) -> None:
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

    def _refuse_gaps(self, leading: Sequence[KeyAttribute], last: KeyAttribute) -> None:
        """Only the last attribute of a sort key that the condition names may be compared otherwise than by `=`."""
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
