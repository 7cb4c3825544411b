"""References: an entity class and a primary key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from tablature.errors import InputError
from tablature.wire import Item

from .model import EntitySchema, PathSchema

E = TypeVar("E")


class Ref(Generic[E]):
    """A reference to one item. `values` are the fields that its key was made from."""

    __slots__ = ("cls", "key", "schema", "values")

    def __init__(self, cls: type[E], schema: EntitySchema, key: Item, values: Mapping[str, Any]) -> None:
        self.cls = cls
        self.schema = schema
        self.key = key
        self.values = values

    def __repr__(self) -> str:
        return f"{self.schema.name}({', '.join(f'{name}={value!r}' for name, value in self.values.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ref) and (self.cls, self.key) == (other.cls, other.key)

    def __hash__(self) -> int:
        return hash((self.cls, *(next(iter(value.values())) for value in self.key.values())))


class PrimaryKey(Generic[E]):
    """The primary key of an entity class: call it with the key's fields to refer to one item."""

    def __init__(self, cls: type[E], owner: EntitySchema, make: Callable[[Mapping[str, Any]], Item]) -> None:
        self.cls = cls
        self.owner = owner
        self.schema: PathSchema = owner.primary
        self.of = make
        self._names = owner.primary.sources

    def __call__(self, **values: Any) -> Ref[E]:
        if values.keys() != self._names:
            raise InputError(
                f"The key of a {self.owner.name} is made of {', '.join(sorted(self._names)) or 'constants'}, "
                f"not of {', '.join(sorted(values)) or 'nothing'}."
            )
        return Ref(self.cls, self.owner, self.of(values), values)

    def __repr__(self) -> str:
        return f"{self.cls.__name__}.{self.schema.name}"
