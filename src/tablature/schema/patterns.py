"""Access patterns: named, documented queries, and the values that call them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from tablature.errors import DeclarationError, InputError
from tablature.expressions.conditions import Condition
from tablature.records import evolve, record
from tablature.schema.declarations import (
    BoundPath,
    Declaration,
    FanoutDeclaration,
    IndexDeclaration,
    PrimaryDeclaration,
)
from tablature.schema.refs import PrimaryKey

from .model import EntitySchema, Order, PathSchema, PatternSchema

E = TypeVar("E")
V = TypeVar("V")
LARGEST_PAGE = 1000
Target = IndexDeclaration | FanoutDeclaration[Any] | PrimaryDeclaration


@record
class Range:
    """A range of values of one input, both ends included. An open end is None."""

    low: Any = None
    high: Any = None


@record
class Prefix:
    """A prefix of a text input."""

    text: str


def between(low: Any, high: Any) -> Range:
    return Range(low, high)


def at_least(low: Any) -> Range:
    return Range(low=low)


def at_most(high: Any) -> Range:
    return Range(high=high)


def starting_with(text: str) -> Prefix:
    return Prefix(text)


@record(by_identity=True)
class Query(Generic[E]):
    """A pattern with its inputs: ready to be explained or run."""

    pattern: PatternSchema
    inputs: Mapping[str, Any]
    where: Condition | None = None

    def filtered(self, where: Condition) -> Query[E]:
        """The same query, without the items for which the condition is false."""
        return evolve(self, where=where if self.where is None else self.where & where)


class Pattern(Generic[E]):
    """An access pattern that returns values of type E. Call it with its inputs to get a query."""

    def __init__(self, schema: PatternSchema) -> None:
        self.schema = schema

    @property
    def name(self) -> str:
        return self.schema.name

    def __call__(self, **inputs: Any) -> Query[E]:
        pattern = self.schema
        missing = [name for name in pattern.needed if inputs.get(name) is None]
        if missing:
            raise InputError(f"{pattern.name} needs {', '.join(missing)}.")
        unknown = inputs.keys() - {*pattern.needed, *pattern.optional}
        if unknown:
            names = ", ".join((*pattern.needed, *pattern.optional)) or "none"
            raise InputError(f"{pattern.name} has no input {min(unknown)!r}; it has {names}.")
        return Query(pattern, {name: value for name, value in inputs.items() if value is not None})

    def __repr__(self) -> str:
        return f"Pattern({self.name})"


class PatternDeclaration(Declaration):
    """`pattern(...)` in a class body."""

    def __init__(self, path: Target, **options: Any) -> None:
        self.path = path
        self.options = options

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type[E]) -> Pattern[E]: ...

    def bind(self, schema: EntitySchema) -> Pattern[Any]:
        return _register_pattern(schema, schema.path(self.path.name), f"{schema.name}.{self.name}", **self.options)


class ViewPatternDeclaration(PatternDeclaration, Generic[V]):
    """`pattern(...)` of a fan-out, which returns its copies instead of the entity."""

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type) -> Pattern[V]: ...  # type: ignore[override]  # a copy's type


@overload
def pattern(
    path: IndexDeclaration | PrimaryDeclaration,
    *,
    order: Order = ...,
    page: int = ...,
    filters: tuple[str, ...] = ...,
    consistent: bool = ...,
    doc: str = ...,
) -> PatternDeclaration: ...
@overload
def pattern(
    path: FanoutDeclaration[V],
    *,
    order: Order = ...,
    page: int = ...,
    filters: tuple[str, ...] = ...,
    consistent: bool = ...,
    doc: str = ...,
) -> ViewPatternDeclaration[V]: ...
@overload
def pattern(
    path: BoundPath[E, Any] | PrimaryKey[E],
    *,
    name: str,
    order: Order = ...,
    page: int = ...,
    filters: tuple[str, ...] = ...,
    where: Condition | None = ...,
    consistent: bool = ...,
    doc: str = ...,
) -> Pattern[E]: ...
def pattern(
    path: Target | BoundPath[Any, Any] | PrimaryKey[Any],
    *,
    name: str = "",
    order: Order = "ascending",
    page: int = 100,
    filters: tuple[str, ...] = (),
    where: Condition | None = None,
    consistent: bool = False,
    doc: str = "",
) -> PatternDeclaration | Pattern[Any]:
    """Name a way to query a key, index or fan-out of an entity. `filters` are further inputs, which cost a read for
    every item they drop. Outside the class body a name must be given, and `where` can be a condition on the fields."""
    options = {"order": order, "page": page, "filters": filters, "where": where, "consistent": consistent, "doc": doc}
    if isinstance(path, FanoutDeclaration):
        return ViewPatternDeclaration(path, **options)
    if isinstance(path, Declaration):
        return PatternDeclaration(path, **options)
    return _register_pattern(path.owner, path.schema, f"{path.owner.name}.{name}", **options)


def _register_pattern(schema: EntitySchema, path: PathSchema, name: str, **options: Any) -> Pattern[Any]:
    for field in options["filters"]:
        if field not in schema.fields:
            raise DeclarationError(f"The pattern {name} filters by {field!r}, which is not a field.")
        if schema.fields[field].options.in_key:
            raise DeclarationError(f"The pattern {name} can't filter by {field!r}: it is kept in the key alone.")
    if not 1 <= options["page"] <= LARGEST_PAGE:
        raise DeclarationError(f"The pattern {name} needs a page of 1 to {LARGEST_PAGE}.")
    if options["consistent"] and path.index is not None:
        raise DeclarationError(f"The pattern {name} can't be consistent: it reads an index.")
    registered = PatternSchema(name, schema, path, **options)
    schema.table.patterns[name] = registered
    return Pattern(registered)
