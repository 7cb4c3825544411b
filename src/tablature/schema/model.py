"""The schema: tables, indexes, and frozen descriptions of entities, patterns and collections.

Design tools read it without an instance or a database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import cached_property
from typing import Any, Literal

from tablature.errors import DeclarationError
from tablature.expressions.conditions import Condition
from tablature.records import record, record_field
from tablature.wire import Item

from .fields import FieldSchema
from .templates import KeyPart, sources_of

KeyType = Literal["S", "N", "B"]
Order = Literal["ascending", "descending"]
Arity = Literal["one", "optional", "many"]
StreamView = Literal["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"]
Projection = Literal["ALL", "KEYS_ONLY"] | tuple[str, ...]
Upcaster = Callable[[Item], Item]


@record
class Index:
    """A secondary index: global, or local when it shares the table's partition key."""

    name: str
    pk: str
    sk: str | None = None
    pk_type: KeyType = "S"
    sk_type: KeyType = "S"
    projection: Projection = "ALL"
    local: bool = False
    doc: str = ""


class Table:
    """One physical table that many entities share. Entities, patterns and collections register themselves here.

    `ttl` names the attribute with the expiry time, `stream` the images of a stream that other programs read, and
    `recovery` demands point-in-time recovery.
    """

    def __init__(
        self,
        name: str,
        *,
        pk: str,
        sk: str | None = None,
        indexes: Iterable[Index] = (),
        ttl: str | None = None,
        pk_type: KeyType = "S",
        sk_type: KeyType = "S",
        delimiter: str = "#",
        stream: StreamView | None = None,
        recovery: bool = False,
        doc: str = "",
    ) -> None:
        self.name, self.pk, self.sk, self.ttl, self.doc = name, pk, sk, ttl, doc
        self.stream, self.recovery = stream, recovery
        self.pk_type, self.sk_type, self.delimiter = pk_type, sk_type, delimiter
        self.indexes = tuple(indexes)
        self.entities: dict[str, EntitySchema] = {}
        self.patterns: dict[str, PatternSchema] = {}
        self.collections: dict[str, CollectionSchema] = {}
        self._check()

    def __repr__(self) -> str:
        return f"Table({self.name!r})"

    def _check(self) -> None:
        names = [index.name for index in self.indexes]
        if len(set(names)) < len(names):
            raise DeclarationError(f"The table {self.name!r} declares an index twice: {', '.join(names)}.")
        if self.sk == self.pk:
            raise DeclarationError(f"The table {self.name!r} uses {self.pk!r} as both keys.")
        for index in self.indexes:
            if index.local and (index.pk != self.pk or self.sk is None):
                raise DeclarationError(
                    f"The local index {index.name!r} needs the table's own partition key, and a table with a sort key."
                )

    def index(self, name: str) -> Index:
        for index in self.indexes:
            if index.name == name:
                return index
        names = ", ".join(index.name for index in self.indexes) or "none"
        raise DeclarationError(f"The table {self.name!r} has no index {name!r}; it has {names}.")

    @property
    def key_attributes(self) -> tuple[str, ...]:
        return (self.pk,) if self.sk is None else (self.pk, self.sk)

    def attribute_types(self) -> dict[str, KeyType]:
        """The type of each key attribute of the table and its indexes."""
        types: dict[str, KeyType] = {self.pk: self.pk_type}
        if self.sk is not None:
            types[self.sk] = self.sk_type
        for index in self.indexes:
            types.setdefault(index.pk, index.pk_type)
            if index.sk is not None:
                types.setdefault(index.sk, index.sk_type)
        return types


@record
class PathSchema:
    """An access path of an entity: its primary key, a secondary index or a fan-out."""

    name: str
    index: str | None
    partition: KeyPart
    sort: KeyPart | None
    doc: str = ""

    @property
    def parts(self) -> tuple[KeyPart, ...]:
        return (self.partition,) if self.sort is None else (self.partition, self.sort)

    @cached_property
    def sources(self) -> frozenset[str]:
        """The fields from which the keys are derived."""
        return sources_of(self.parts)


@record
class WhenClause:
    """Part of a sparse index's condition: the field has one of the values, or satisfies the test."""

    field: str
    values: tuple[Any, ...] = ()
    test: Callable[[Any], bool] | None = None

    def holds(self, value: Any) -> bool:
        return bool(self.test(value)) if self.test is not None else value in self.values


@record
class IndexPath(PathSchema):
    """A secondary index: sparse with `when`, spread over several partitions with `shards`."""

    when: tuple[WhenClause, ...] = ()
    shards: int = 1
    by: str | None = None
    include_unsharded: bool = False

    @cached_property
    def sources(self) -> frozenset[str]:
        extra = {clause.field for clause in self.when} | ({self.by} if self.by else set())
        return sources_of(self.parts) | extra


@record
class FanoutPath(PathSchema):
    """Copies of an entity: one per element of `each`, each with the listed fields and constants."""

    each: str = ""
    fields: tuple[str, ...] = ()
    constants: Mapping[str, str] = record_field(default_factory=dict)
    view: type | None = None
    of: str | None = None

    @cached_property
    def sources(self) -> frozenset[str]:
        keys = sources_of(self.parts) - {"each"}
        return keys | {self.each} | set(self.fields)

    def elements(self, value: Any) -> list[Any]:
        """The values of `{each}`, one per copy: the elements, or their member `of` if they are maps."""
        if value is None:
            return []
        elements = list(value) if isinstance(value, list | tuple | set | frozenset) else [value]
        if self.of is None:
            return elements
        members = (element.get(self.of) if isinstance(element, Mapping) else element for element in elements)
        return [member for member in members if member]


@record
class UniqueSchema:
    """A unique constraint on some fields, permanent or for a window of time after the write."""

    name: str
    fields: tuple[str, ...]
    window: timedelta | None = None
    doc: str = ""


@record
class QueueSchema:
    """Work taken from an index by lease."""

    name: str
    path: IndexPath
    field: str
    ready: Any
    running: Any
    done: Any
    failed: Any
    lease: timedelta
    most_attempts: int | None
    attempts: str
    doc: str = ""


@record(by_identity=True)
class EntitySchema:
    """One entity: its fields, keys and everything derived from them."""

    name: str
    cls: type
    table: Table
    fields: Mapping[str, FieldSchema]
    primary: PathSchema
    indexes: tuple[IndexPath, ...]
    fanouts: tuple[FanoutPath, ...]
    uniques: tuple[UniqueSchema, ...]
    queues: tuple[QueueSchema, ...]
    schema_version: int
    doc: str
    upcasters: dict[int, Upcaster] = record_field(default_factory=dict)

    def __repr__(self) -> str:
        return f"EntitySchema({self.name!r})"

    def path(self, name: str) -> PathSchema:
        for path in (self.primary, *self.indexes, *self.fanouts):
            if path.name == name:
                return path
        raise DeclarationError(f"{self.name} has no key, index or fan-out named {name!r}.")

    def _with_role(self, role: str) -> FieldSchema | None:
        return next((f for f in self.fields.values() if f.role == role), None)

    @cached_property
    def key_forms(self) -> tuple[tuple[str, Callable[[str], object]], ...]:
        """The primary key attributes derived from templates, each with a test of its form."""
        return tuple((p.attribute, p.template.regex.fullmatch) for p in self.primary.parts if not p.is_native)

    @cached_property
    def version(self) -> FieldSchema | None:
        return self._with_role("version")

    @cached_property
    def expires(self) -> FieldSchema | None:
        return self._with_role("expires")

    @cached_property
    def blobs(self) -> tuple[FieldSchema, ...]:
        return tuple(f for f in self.fields.values() if f.options.blob_over is not None)

    @cached_property
    def get_name(self) -> str:
        """The name under which reads of one item are counted."""
        return f"{self.name}.get"

    @cached_property
    def attributes(self) -> dict[str, FieldSchema]:
        """Fields by the attribute they are stored under."""
        return {f.attribute: f for f in self.fields.values()}

    def written_parts(self, path: PathSchema) -> tuple[KeyPart, ...]:
        """The key attributes of an index that a write must set: neither fields nor part of the table's key."""
        keys = self.table.key_attributes
        return tuple(part for part in path.parts if not part.is_native and part.attribute not in keys)

    @cached_property
    def copied(self) -> frozenset[str]:
        """Fields that fan-outs and unique constraints are derived from: changing one needs the old item. Copies and
        sentinels live as long as their item does."""
        end = self.expires if self.fanouts or self.uniques else None
        names: set[str] = set() if end is None else {end.name}
        for fanout in self.fanouts:
            names |= fanout.sources
        for unique in self.uniques:
            names |= set(unique.fields)
        return frozenset(names)

    @cached_property
    def sources(self) -> frozenset[str]:
        """Every field that something else is derived from, native keys included."""
        names = set(self.copied) | self.primary.sources
        for index in self.indexes:
            names |= index.sources
        return frozenset(names)

    @cached_property
    def guarded_attributes(self) -> frozenset[str]:
        """Stored attributes that no raw expression may touch: sources, derived keys, version and expiry."""
        fields = {self.fields[name].attribute for name in self.sources}
        keys = {part.attribute for path in (self.primary, *self.indexes) for part in path.parts}
        roles = {f.attribute for f in (self.version, self.expires) if f is not None}
        return frozenset(fields | keys | roles)


@record(by_identity=True)
class PatternSchema:
    """An access pattern: its path, order, page size, inputs and filter."""

    name: str
    entity: EntitySchema
    path: PathSchema
    order: Order
    page: int
    filters: tuple[str, ...]
    where: Condition | None
    consistent: bool
    doc: str

    @property
    def needed(self) -> tuple[str, ...]:
        """The inputs that the partition key needs."""
        return self.path.partition.fields

    @property
    def optional(self) -> tuple[str, ...]:
        """The inputs that narrow the sort key or filter."""
        sort = self.path.sort.fields if self.path.sort is not None else ()
        extra = [name for name in (*sort, *self.filters) if name not in self.needed]
        return tuple(dict.fromkeys(extra))


@record(by_identity=True)
class MemberSchema:
    """One member of a collection: which entity, and how many of it."""

    name: str
    entity: EntitySchema
    arity: Arity


@record(by_identity=True)
class CollectionSchema:
    """Entities that live in one partition and are read together."""

    name: str
    cls: type
    table: Table
    partition: KeyPart
    members: tuple[MemberSchema, ...]
    doc: str
