"""`Entity`, the base class. A subclass with a table is parsed, checked against the other entities, and compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform, get_args, get_origin, get_type_hints

from tablature.errors import DeclarationError
from tablature.schema import pydantic_schema
from tablature.schema.declarations import (
    BoundPath,
    BoundQueue,
    Declaration,
    FanoutDeclaration,
    IndexDeclaration,
    PrimaryDeclaration,
    QueueDeclaration,
    UniqueDeclaration,
)
from tablature.schema.refs import PrimaryKey
from tablature.wire import Item

from .codec import STORED, Codec, compile_codec
from .collisions import may_collide
from .fields import Attr, Field, FieldOptions, FieldSchema, attr, blob
from .kinds import kind_of, without_none
from .model import EntitySchema, IndexPath, PathSchema, Table, Upcaster
from .patterns import PatternDeclaration
from .templates import KeyPart

E = TypeVar("E", bound="Entity")


@dataclass_transform(kw_only_default=True, field_specifiers=(attr, blob))
class Entity:
    """A type of item. Declare fields as `Attr[T]`, one `primary` key, and indexes, fan-outs and constraints."""

    __schema__: ClassVar[EntitySchema]
    __codec__: ClassVar[Codec]

    def __init_subclass__(cls, *, table: Table | None = None, schema_version: int = 1, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if table is not None:
            _build(cls, table, schema_version)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and values_of(self) == values_of(other)

    __hash__ = None  # type: ignore[assignment]  # entities are mutable

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values_of(self).items())})"

    def __replace__(self, **changes: Any) -> Self:
        return replace(self, **changes)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> dict[str, Any]:
        """Let FastAPI and pydantic validate and serialise the entity by its fields."""
        return pydantic_schema.core_schema(cls, cls.__schema__, handler, values_of)


def schema_of(entity: type[Entity] | Entity) -> EntitySchema:
    """The frozen description of an entity class."""
    schema: EntitySchema | None = getattr(entity, "__schema__", None)
    if schema is None:
        raise DeclarationError(f"{entity!r} has no table, so it can't be stored; declare it with table=...")
    return schema


def values_of(entity: Any) -> dict[str, Any]:
    """The field values by name."""
    return {name: value for name, value in entity.__dict__.items() if name != STORED}


def stored_item(entity: Any) -> Item | None:
    """The item that an entity was read from; None if it wasn't read from the database."""
    item: Item | None = entity.__dict__.get(STORED)
    return item


def replace(entity: E, **changes: Any) -> E:
    """A copy with some fields changed. It keeps the item it was read from."""
    unknown = changes.keys() - schema_of(entity).fields.keys()
    if unknown:
        raise TypeError(f"{type(entity).__name__} has no field {min(unknown)!r}")
    copy = object.__new__(type(entity))
    copy.__dict__.update(entity.__dict__)
    copy.__dict__.update(changes)
    return copy


def upcast(entity: type[Entity], from_version: int) -> Callable[[Upcaster], Upcaster]:
    """Register the function that turns an item of an older schema version into the next one, on read."""

    def register(function: Upcaster) -> Upcaster:
        schema = schema_of(entity)
        if not 1 <= from_version < schema.schema_version:
            raise DeclarationError(f"{schema.name} is at version {schema.schema_version}; upcast from an older one.")
        schema.upcasters[from_version] = function
        return function

    return register


def _build(cls: type[Entity], table: Table, schema_version: int) -> None:
    declared = _collect_declarations(cls)
    fields = _fields(cls)
    _check_fields(cls, fields, table)
    primary = _primary(cls, declared).build(table, fields)
    indexes = tuple(d.build(table, fields, primary) for d in declared if isinstance(d, IndexDeclaration))
    by_name = {index.name: index for index in indexes}
    schema = EntitySchema(
        cls.__name__,
        cls,
        table,
        fields,
        primary,
        indexes,
        tuple(d.build(table, fields) for d in declared if isinstance(d, FanoutDeclaration)),
        tuple(d.build(table, fields) for d in declared if isinstance(d, UniqueDeclaration)),
        tuple(d.build(by_name, fields) for d in declared if isinstance(d, QueueDeclaration)),
        schema_version,
        (cls.__doc__ or "").strip(),
    )
    _check_keys(schema)
    _check_blobs(schema)
    _check_collisions(schema)
    cls.__schema__ = schema
    cls.__codec__ = codec = compile_codec(schema)
    _bind_declarations(cls, schema, declared)
    cls.__init__ = codec.init  # type: ignore[method-assign]  # the generated constructor is the point
    table.entities[schema.name] = schema


def _bind_declarations(cls: type[Entity], schema: EntitySchema, declared: list[Declaration]) -> None:
    """Replace each declaration in the class by its bound form."""
    for field in schema.fields.values():
        setattr(cls, field.name, Field(field))
    setattr(cls, schema.primary.name, PrimaryKey(cls, schema, cls.__codec__.primary))
    for path in (*schema.indexes, *schema.fanouts):
        setattr(cls, path.name, BoundPath(schema, path))
    for queue in schema.queues:
        setattr(cls, queue.name, BoundQueue(cls, schema, queue))
    for declaration in declared:
        if isinstance(declaration, PatternDeclaration):
            setattr(cls, declaration.name, declaration.bind(schema))


def _collect_declarations(cls: type) -> list[Declaration]:
    inherited = [item for base in reversed(cls.__mro__) for item in vars(base).items()]
    return list({name: value for name, value in inherited if isinstance(value, Declaration)}.values())


def _primary(cls: type, declared: list[Declaration]) -> PrimaryDeclaration:
    primaries = [d for d in declared if isinstance(d, PrimaryDeclaration)]
    if len(primaries) != 1:
        raise DeclarationError(f"{cls.__name__} needs exactly one primary(...), it has {len(primaries)}.")
    return primaries[0]


def _fields(cls: type) -> dict[str, FieldSchema]:
    try:
        hints = get_type_hints(cls, include_extras=True)
    except NameError as problem:
        raise DeclarationError(f"An annotation of {cls.__name__} can't be resolved: {problem}.") from problem
    fields = {}
    for name, hint in hints.items():
        if get_origin(hint) is Attr:
            options = getattr(cls, name, FieldOptions())
            if not isinstance(options, FieldOptions):
                options = FieldOptions(default=options)
            fields[name] = _field(cls, name, get_args(hint)[0], options)
        elif get_origin(hint) is not ClassVar and not name.startswith("_"):
            raise DeclarationError(f"{cls.__name__}.{name} isn't an Attr[...]; annotate it as Attr or as ClassVar.")
    return fields


def _field(cls: type, name: str, annotation: Any, options: FieldOptions) -> FieldSchema:
    inner, optional = without_none(annotation)
    try:
        kind = kind_of(inner, options.precision, options.stored)
    except TypeError as problem:
        raise DeclarationError(f"{cls.__name__}.{name}: {problem}.") from problem
    return FieldSchema(name, options.name or name, annotation, kind, optional, options)


def _check_fields(cls: type, fields: Mapping[str, FieldSchema], table: Table) -> None:
    attributes = [field.attribute for field in fields.values()]
    doubled = {name for name in attributes if attributes.count(name) > 1}
    if doubled:
        raise DeclarationError(f"{cls.__name__} stores two fields as {min(doubled)!r}.")
    for role, shape in (
        ("version", "integer"),
        ("expires", "moment"),
        ("auto_now", "moment"),
        ("auto_now_add", "moment"),
    ):
        for field in fields.values():
            if field.role == role and field.kind.shape != shape:
                raise DeclarationError(f"{cls.__name__}.{field.name} is {role}, so it must be an {shape}.")
    for field in fields.values():
        if field.role == "expires" and field.attribute != table.ttl:
            raise DeclarationError(
                f"{cls.__name__}.{field.name} is stored as {field.attribute!r}, but the table's ttl is {table.ttl!r}."
            )


def _check_keys(schema: EntitySchema) -> None:
    """Check that an attribute has one template per entity, and that only derived index keys are conditional."""
    for field in schema.fields.values():
        slots = [slot for part in schema.primary.parts for slot in part.template.slots if slot.field == field.name]
        if field.options.in_key and not any(slot.format.parse for slot in slots):
            raise DeclarationError(
                f"{schema.name}.{field.name} is in_key, but can't be read back from the primary key."
            )
    seen: dict[str, KeyPart] = {}
    paths: tuple[PathSchema, ...] = (schema.primary, *schema.indexes)
    for path in paths:
        for part in path.parts:
            other = seen.setdefault(part.attribute, part)
            if other.template.source != part.template.source:
                raise DeclarationError(
                    f"{schema.name} gives {part.attribute!r} two templates: "
                    f"{other.template.source!r} and {part.template.source!r}."
                )
        if isinstance(path, IndexPath) and path.when and not schema.written_parts(path):
            raise DeclarationError(f"{schema.name}.{path.name} is made of fields alone, so it can't have when=.")


def _check_blobs(schema: EntitySchema) -> None:
    """Check that no key or copy is derived from a blob."""
    for field in schema.blobs:
        if field.name in schema.sources:
            raise DeclarationError(
                f"{schema.name}.{field.name} is a blob, so no key, copy or constraint can depend on it."
            )


def _check_collisions(schema: EntitySchema) -> None:
    """Check that no two entities of a table can have the same key."""
    own_places = _places(schema)
    for other in schema.table.entities.values():
        if other.cls.__qualname__ == schema.cls.__qualname__ and other.cls.__module__ == schema.cls.__module__:
            continue
        for name, path in own_places:
            for other_name, other_path in _places(other):
                _refuse_collision(name, path, other_name, other_path)
    for at, (name, path) in enumerate(own_places):
        for other_name, other_path in own_places[at + 1 :]:
            _refuse_collision(name, path, other_name, other_path)


def _places(schema: EntitySchema) -> list[tuple[str, PathSchema]]:
    own = [(schema.name, schema.primary)]
    return own + [(f"{schema.name}.{fanout.name}", fanout) for fanout in schema.fanouts]


def _refuse_collision(name: str, path: PathSchema, other_name: str, other: PathSchema) -> None:
    pairs = zip(path.parts, other.parts, strict=True)
    if all(may_collide(left.template, right.template) for left, right in pairs):
        source = " / ".join(part.template.source for part in path.parts)
        theirs = " / ".join(part.template.source for part in other.parts)
        raise DeclarationError(f"{name} ({source}) and {other_name} ({theirs}) could produce the same key.")
