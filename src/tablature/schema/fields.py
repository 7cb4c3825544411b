"""Fields of an entity: `Attr[T]` in annotations, `Field[T]` on the class, and the specifiers that give options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from tablature.errors import DeclarationError, InputError
from tablature.expressions import changes, conditions
from tablature.expressions.builder import Path, PathPart
from tablature.expressions.changes import FieldChange
from tablature.expressions.conditions import Condition
from tablature.records import record
from tablature.schema.kinds import ANY, Stored, ValueKind
from tablature.schema.timestamps import Precision
from tablature.wire import AttributeValue

T = TypeVar("T")
Role = Literal["plain", "auto_now", "auto_now_add", "version", "expires"]


class _Unset:
    """Marks an option that was not given, because None is a valid value."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Any = _Unset()


@record
class FieldOptions:
    """The options of a field."""

    default: Any = UNSET
    factory: Callable[[], Any] | None = None
    absent: Any = UNSET
    name: str | None = None
    pattern: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    longest: int | None = None
    precision: Precision = "auto"
    stored: Stored = "iso"
    blob_over: int | None = None
    role: Role = "plain"
    lifetime: timedelta | None = None
    in_key: bool = False
    doc: str = ""


@record
class FieldSchema:
    """One field as declared: the Python name, the stored attribute, its kind and its options."""

    name: str
    attribute: str
    annotation: Any
    kind: ValueKind
    optional: bool
    options: FieldOptions

    @property
    def role(self) -> Role:
        return self.options.role

    @property
    def is_required(self) -> bool:
        """Whether the constructor needs a value for the field."""
        has_default = self.options.default is not UNSET or self.options.factory is not None
        return not (has_default or self.optional or self.role != "plain" or self.kind.shape == "set")

    def check(self, value: Any) -> None:
        """Raise ValueError for a value outside the declared limits."""
        options = self.options
        if options.pattern is not None and not re.fullmatch(options.pattern, value):
            raise ValueError(f"{value!r} does not match {options.pattern}")
        if options.minimum is not None and value < options.minimum:
            raise ValueError(f"{value!r} is below {options.minimum}")
        if options.maximum is not None and value > options.maximum:
            raise ValueError(f"{value!r} is above {options.maximum}")
        if options.longest is not None and len(value) > options.longest:
            raise ValueError(f"it is longer than {options.longest}")

    @property
    def has_limits(self) -> bool:
        options = self.options
        return any(v is not None for v in (options.pattern, options.minimum, options.maximum, options.longest))


class FieldPath(Generic[T]):
    """A field or a path inside one. Comparing it gives a condition, `set`, `add` and the like give a change."""

    __slots__ = ("_is_needed", "_kind", "name", "path")

    def __init__(self, name: str, path: Path, kind: ValueKind, *, is_needed: bool = False) -> None:
        self.name = name
        self.path = path
        self._kind = kind
        self._is_needed = is_needed

    def wire(self, value: object) -> AttributeValue:
        try:
            return self._kind.encode(value)
        except (TypeError, ValueError, KeyError) as problem:
            raise InputError(f"{self.name!r} can't be compared with or set to {value!r}: {problem}.") from problem

    def at(self, *parts: PathPart) -> FieldPath[Any]:
        """A path inside: keys of nested dicts and positions in nested lists."""
        kind, optional = self._kind, True
        for part in parts:
            kind, optional = _inside(kind, part)
        return FieldPath(self.name, (*self.path, *parts), kind, is_needed=not optional)

    def __eq__(self, other: T) -> Condition:  # type: ignore[override]  # a comparison of a field is a condition
        return ~self.exists() if other is None else conditions.Comparison(self.path, "=", self.wire(other))

    def __ne__(self, other: T) -> Condition:  # type: ignore[override]  # a comparison of a field is a condition
        return self.exists() if other is None else conditions.Comparison(self.path, "<>", self.wire(other))

    def __lt__(self, other: T) -> Condition:
        return conditions.Comparison(self.path, "<", self.wire(other))

    def __le__(self, other: T) -> Condition:
        return conditions.Comparison(self.path, "<=", self.wire(other))

    def __gt__(self, other: T) -> Condition:
        return conditions.Comparison(self.path, ">", self.wire(other))

    def __ge__(self, other: T) -> Condition:
        return conditions.Comparison(self.path, ">=", self.wire(other))

    def __hash__(self) -> int:
        return hash(self.path)

    def between(self, low: T, high: T) -> Condition:
        return conditions.Between(self.path, self.wire(low), self.wire(high))

    def is_in(self, values: Iterable[T]) -> Condition:
        return conditions.OneOf(self.path, tuple(map(self.wire, values)))

    def starts_with(self, prefix: str) -> Condition:
        return conditions.FunctionCondition("begins_with", self.path, {"S": prefix})

    def contains(self, element: Any) -> Condition:
        """True if a list or set contains the element, or a text the substring."""
        kind = self._kind.inner[0] if self._kind.shape in ("list", "set") else self._kind
        return conditions.FunctionCondition("contains", self.path, kind.encode(element))

    def exists(self) -> Condition:
        return conditions.FunctionCondition("attribute_exists", self.path)

    def is_longer_than(self, size: int) -> Condition:
        return conditions.Comparison(self.path, ">", {"N": str(size)}, of_size=True)

    def set(self, value: T) -> FieldChange:
        if value is None or (self._kind.shape == "set" and not value):
            return self.remove()
        return changes.set_to(self.name, self.path, self.wire(value), value)

    def set_default(self, value: T) -> FieldChange:
        """Set it only if nothing is stored."""
        return changes.set_default(self.name, self.path, self.wire(value), value)

    def add(self, amount: T) -> FieldChange:
        """Add to a number, or elements to a set."""
        return changes.add(self.name, self.path, self.wire(amount), amount)

    def discard(self, elements: T) -> FieldChange:
        return changes.discard(self.name, self.path, self.wire(elements), elements)

    def append(self, elements: list[Any]) -> FieldChange:
        return changes.append(self.name, self.path, self.wire(elements), elements)

    def remove(self) -> FieldChange:
        if self._is_needed:
            raise InputError(f"{self.path[-1]!r} of {self.name!r} can't be removed: it is not optional.")
        return changes.remove(self.name, self.path)


def _inside(kind: ValueKind, part: PathPart) -> tuple[ValueKind, bool]:
    """The kind of a nested value, and whether it may be missing."""
    if kind.members is not None and isinstance(part, str):
        return kind.members.get(part, (ANY, True))
    fits = kind.inner and kind.members is None and kind.shape == ("list" if isinstance(part, int) else "map")
    return (kind.inner[0] if fits else ANY), True


class Field(FieldPath[T]):
    """A field as an attribute of the class. On an instance, the attribute is the value."""

    __slots__ = ("schema",)

    def __init__(self, schema: FieldSchema) -> None:
        super().__init__(schema.name, (schema.attribute,), schema.kind)
        self.schema = schema

    def __get__(self, instance: object, owner: type | None = None) -> Field[T]:
        if instance is not None:
            raise AttributeError(f"{self.name!r} has no value on this instance")
        return self

    def set(self, value: T) -> FieldChange:
        if value is None and not self.schema.optional:
            raise InputError(f"{self.name!r} can't be removed: it is not optional.")
        change = super().set(value)
        try:
            if value is not None:
                self.schema.check(value)
        except ValueError as problem:
            raise InputError(f"{self.name!r} can't be set: {problem}.") from problem
        return change

    def __repr__(self) -> str:
        return f"Field({self.name!r}: {self.schema.kind.name})"


class Attr(Generic[T]):
    """The annotation of a stored field: `title: Attr[str]`. It has no instances."""

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: type) -> Field[T]: ...
        @overload
        def __get__(self, instance: object, owner: type) -> T: ...
        def __get__(self, instance: object, owner: type) -> Field[T] | T: ...
        def __set__(self, instance: object, value: T) -> None: ...


def attr(
    *,
    default: Any = UNSET,
    default_factory: Callable[[], Any] | None = None,
    absent: Any = UNSET,
    name: str | None = None,
    pattern: str | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    longest: int | None = None,
    precision: Precision = "auto",
    stored: Stored = "iso",
    in_key: bool = False,
    doc: str = "",
) -> Any:
    """Options of a field. `default` is for new entities; `absent` is what an item stored without it means; with
    `in_key` the value is kept in the primary key alone and read back from there."""
    if isinstance(default, list | dict | set):
        raise DeclarationError("A list, dict or set as default would be shared; use default_factory.")
    return FieldOptions(
        default,
        default_factory,
        absent,
        name,
        pattern,
        minimum,
        maximum,
        longest,
        precision,
        stored,
        in_key=in_key,
        doc=doc,
    )


def auto_now_add(
    *, precision: Precision = "seconds", stored: Stored = "iso", name: str | None = None, doc: str = ""
) -> Any:
    """A datetime set when the item is first written, unless one was given."""
    return FieldOptions(name=name, precision=precision, stored=stored, role="auto_now_add", doc=doc)


def auto_now(
    *, precision: Precision = "seconds", stored: Stored = "iso", name: str | None = None, doc: str = ""
) -> Any:
    """A datetime set at every write."""
    return FieldOptions(name=name, precision=precision, stored=stored, role="auto_now", doc=doc)


def version(*, name: str | None = None, doc: str = "") -> Any:
    """An integer that increases with every write and prevents lost updates."""
    return FieldOptions(name=name, role="version", doc=doc)


def expires(*, days: float = 0, hours: float = 0, minutes: float = 0, name: str | None = None, doc: str = "") -> Any:
    """A datetime after which the item is expired. With a lifetime, it is set when the item is first written."""
    lifetime = timedelta(days=days, hours=hours, minutes=minutes)
    return FieldOptions(name=name, stored="epoch", role="expires", lifetime=lifetime or None, doc=doc)


def blob(*, over: int, default: Any = UNSET, absent: Any = UNSET, name: str | None = None, doc: str = "") -> Any:
    """A field whose value is kept in the object store if it takes more than `over` bytes."""
    return FieldOptions(default, absent=absent, name=name, blob_over=over, doc=doc)
