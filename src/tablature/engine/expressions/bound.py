"""What an operation holds once an expression, or its legacy twin, is bound to its names and values.

Everything that can be refused without a table has been refused by then; `refuse_*` and `KeyCondition.for_keys` are
the checks that need the table's keys, for the operation to call in the service's order.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tablature.engine.errors import invalid_parameter, validation
from tablature.engine.expressions.paths import Branch, Path, branch_of, pick
from tablature.engine.schema import KeyAttribute
from tablature.engine.values import AttributeValue, Item

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
                    raise validation(
                        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
                        f"{kind}: {name}"
                    )


@dataclass(frozen=True, slots=True)
class Condition:
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
                raise validation(f"{title} {detail}")


@dataclass(frozen=True, slots=True)
class Projection:
    """A choice of paths, called with an item to get the chosen parts."""

    used: UsedPaths
    branch: Branch

    @classmethod
    def of(cls, paths: tuple[Path, ...]) -> "Projection":
        return cls(UsedPaths(paths), branch_of(paths))

    def __call__(self, item: Item) -> Item:
        return pick(item, self.branch)


@dataclass(frozen=True, slots=True)
class Update:
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
    """The items a Query reads: one partition and, with an operator, the part of it between the bounds."""

    hash_value: AttributeValue
    operator: RangeOperator | None = None
    bounds: tuple[AttributeValue, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyTest:
    """One comparison of a key condition; operators an index cannot serve keep their legacy name."""

    operator: str
    bounds: tuple[AttributeValue, ...]


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
class KeyCondition:
    """A key condition by attribute name, not yet held against a key schema."""

    tests: Mapping[str, KeyTest]

    def for_keys(self, hash_key: KeyAttribute, range_key: KeyAttribute | None) -> KeyRange:
        """Read the condition against the queried table's or index's keys, refusing what doesn't fit them."""
        if range_key is None and len(self.tests) > 1:
            raise validation("Query key condition not supported")
        hash_test = self._test_of(hash_key, required=True)
        if hash_test is None or hash_test.operator != "=":
            raise validation("Query key condition not supported")
        range_test = range_key and self._test_of(range_key, required=len(self.tests) > 1)
        if not range_test:
            return KeyRange(hash_test.bounds[0])
        return KeyRange(hash_test.bounds[0], _SERVED[range_test.operator], range_test.bounds)

    def _test_of(self, key: KeyAttribute, *, required: bool) -> KeyTest | None:
        test = self.tests.get(key.name)
        if test is None:
            if required:
                raise validation(f"Query condition missed key schema element: {key.name}")
            return None
        if test.operator not in _SERVED:
            raise validation("Attempted conditional constraint is not an indexable operation")
        if any(key.type not in bound for bound in test.bounds):
            raise invalid_parameter("Condition parameter type does not match schema type")
        return test
