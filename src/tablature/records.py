"""A lightweight replacement for dataclasses whose methods are shared instead of compiled per class.

The package must import quickly; compiling the methods of some sixty dataclasses took half of the import time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


class _Factory:
    """Marks a default that is created for each instance."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def record_field(*, default_factory: Callable[[], Any]) -> Any:
    """A field whose default is created for each instance."""
    return _Factory(default_factory)


@overload
def record(cls: type[T]) -> type[T]: ...
@overload
def record(*, by_identity: bool = ...) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(record_field,))
def record(cls: type[T] | None = None, *, by_identity: bool = False) -> Any:
    """An immutable class with the annotated fields, equal by value or by identity."""

    def build(target: type[T]) -> type[T]:
        _add_record_methods(target, _reject_assignment)
        if not by_identity:
            target.__eq__ = _equal  # type: ignore[method-assign]  # furnished methods are the point
            target.__hash__ = _hash  # type: ignore[method-assign]  # the same
        return target

    return build if cls is None else build(cls)


@dataclass_transform(field_specifiers=(record_field,))
def mutable_record(cls: type[T]) -> type[T]:
    """A mutable class with the annotated fields, equal by identity."""
    _add_record_methods(cls, object.__setattr__)
    return cls


def evolve(value: T, /, **changes: Any) -> T:
    """A copy with some fields changed."""
    copy = object.__new__(type(value))
    fields = _fields_of(value)
    if not changes.keys() <= set(fields):
        raise TypeError(f"{type(value).__name__} has no field {min(changes.keys() - set(fields))!r}")
    copy.__dict__.update({name: changes.get(name, value.__dict__[name]) for name in fields})
    return copy


def _fields_of(value: Any) -> tuple[str, ...]:
    fields: tuple[str, ...] = type(value).__fields__
    return fields


def _add_record_methods(cls: Any, on_change: Callable[[Any, str, Any], None]) -> None:
    """Set the fields of a class, those of its bases first, and add the shared methods."""
    names = (*getattr(cls, "__fields__", ()), *cls.__annotations__)
    cls.__fields__ = tuple(dict.fromkeys(names))
    given = {name: getattr(cls, name) for name in cls.__fields__ if hasattr(cls, name)}
    cls.__init__ = _constructor(
        cls.__name__,
        cls.__fields__,
        {name: value for name, value in given.items() if not isinstance(value, _Factory)},
        {name: value.make for name, value in given.items() if isinstance(value, _Factory)},
    )
    cls.__setattr__ = on_change
    if cls.__repr__ is object.__repr__:
        cls.__repr__ = _repr


def _constructor(
    owner: str, names: tuple[str, ...], defaults: dict[str, Any], factories: dict[str, Callable[[], Any]]
) -> Callable[..., None]:
    count, field_names = len(names), frozenset(names)

    def init(self: Any, *args: Any, **given: Any) -> None:
        fields = self.__dict__
        if len(args) < count or given:
            fields.update(defaults)
            fields.update({name: make() for name, make in factories.items() if name not in given})
        fields.update(zip(names, args, strict=False))
        fields.update(given)
        if len(args) > count or fields.keys() != field_names:
            raise TypeError(f"{owner} takes {', '.join(names)}; it got {len(args)} values and {', '.join(given)}")

    return init


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={self.__dict__[name]!r}' for name in _fields_of(self))})"


def _equal(self: Any, other: object) -> bool:
    if type(other) is not type(self):
        return False
    own, theirs = self.__dict__, other.__dict__
    return all(own[name] == theirs[name] for name in _fields_of(self))


def _hash(self: Any) -> int:
    return hash((type(self), *(self.__dict__[name] for name in _fields_of(self))))


def _reject_assignment(self: Any, name: str, _: Any) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} can't be changed")
