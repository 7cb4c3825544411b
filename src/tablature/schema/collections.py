"""Collections: entities that share a partition and are read together as one typed object."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, ClassVar, Union, dataclass_transform, get_args, get_origin, get_type_hints

from tablature.errors import DeclarationError, StoredItemError
from tablature.wire import Item

from .model import Arity, CollectionSchema, EntitySchema, MemberSchema


@dataclass_transform(kw_only_default=True)
class Collection:
    """Everything in one partition. Members are annotated: `user: User`, `topics: Topics | None`, `days: list[Day]`."""

    __schema__: ClassVar[CollectionSchema]

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        members = tuple(_member(cls, name, hint) for name, hint in get_type_hints(cls).items() if name != "__schema__")
        if not members:
            raise DeclarationError(f"The collection {cls.__name__} has no members.")
        first = members[0].entity
        for member in members[1:]:
            _check_partition(cls, first, member.entity)
        doc = (cls.__doc__ or "").strip()
        cls.__schema__ = CollectionSchema(cls.__name__, cls, first.table, first.primary.partition, members, doc)
        first.table.collections[cls.__name__] = cls.__schema__

    def __init__(self, **members: Any) -> None:
        self.__dict__.update(members)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    __hash__ = None  # type: ignore[assignment]  # its members are mutable


def _member(cls: type, name: str, hint: Any) -> MemberSchema:
    arity: Arity = "one"
    if get_origin(hint) is list:
        hint, arity = get_args(hint)[0], "many"
    elif get_origin(hint) in (Union, UnionType):
        rest = [arg for arg in get_args(hint) if arg is not NoneType]
        hint, arity = rest[0], "optional"
    entity = getattr(hint, "__schema__", None)
    if not isinstance(entity, EntitySchema):
        raise DeclarationError(f"{cls.__name__}.{name} must be an entity, an entity or None, or a list of an entity.")
    return MemberSchema(name, entity, arity)


def _check_partition(cls: type, first: EntitySchema, other: EntitySchema) -> None:
    ours, theirs = first.primary.partition.template.source, other.primary.partition.template.source
    if first.table is not other.table or ours != theirs:
        raise DeclarationError(
            f"The collection {cls.__name__} mixes partitions: {first.name} is in {ours!r}, {other.name} in {theirs!r}."
        )


def matches_primary_key(schema: EntitySchema, item: Item) -> bool:
    """Whether the item's primary key has the form of this entity's keys."""
    for attribute, has_form in schema.key_forms:  # noqa: SIM110 - runs for each item read; all() would double its cost
        if has_form(item[attribute]["S"]) is None:
            return False
    return True


def build_collection(schema: CollectionSchema, entities: list[tuple[EntitySchema, Any]]) -> Any:
    """A collection from decoded entities; None if there are none."""
    if not entities:
        return None
    members: dict[str, Any] = {}
    for member in schema.members:
        mine = [entity for kind, entity in entities if kind is member.entity]
        if member.arity == "many":
            members[member.name] = mine
        elif mine or member.arity == "optional":
            members[member.name] = mine[0] if mine else None
        else:
            raise StoredItemError(schema.name, member.name, f"the partition has no {member.entity.name}", {})
    return schema.cls(**members)
