"""Table schemas: keys, indexes, projections, streams and settings, as frozen values stored in the catalog."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

ScalarType = Literal["S", "N", "B"]
IndexKind = Literal["gsi", "lsi"]
ProjectionKind = Literal["ALL", "KEYS_ONLY", "INCLUDE"]
StreamView = Literal["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"]


@dataclass(frozen=True)
class KeyAttribute:
    """One attribute of a key and its declared scalar type."""

    name: str
    type: ScalarType


@dataclass(frozen=True)
class IndexProjection:
    """The attributes that an index stores besides the keys."""

    kind: ProjectionKind = "ALL"
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Throughput:
    """Provisioned units; zero and zero for on-demand tables."""

    read: int = 0
    write: int = 0


@dataclass(frozen=True)
class StreamSettings:
    """An enabled stream; `id` numbers its records in storage and `label` is the timestamp in its ARN."""

    id: int
    label: str
    view: StreamView


@dataclass(frozen=True)
class TtlSettings:
    """The attribute that carries an item's expiry in epoch seconds."""

    attribute: str


@dataclass(frozen=True)
class IndexSchema:
    """A secondary index; `number` is never reused within its table and identifies its storage.

    The key of a global index may have up to four attributes of each kind: `more_hashes` and `more_ranges` follow the
    first ones.
    """

    number: int
    name: str
    kind: IndexKind
    hash: KeyAttribute
    range: KeyAttribute | None
    projection: IndexProjection = field(default_factory=IndexProjection)
    status: str = "ACTIVE"
    throughput: Throughput = field(default_factory=Throughput)
    settings: dict[str, Any] = field(default_factory=dict)
    more_hashes: tuple[KeyAttribute, ...] = ()
    more_ranges: tuple[KeyAttribute, ...] = ()

    @cached_property
    def hashes(self) -> tuple[KeyAttribute, ...]:
        return (self.hash, *self.more_hashes)

    @cached_property
    def ranges(self) -> tuple[KeyAttribute, ...]:
        return () if self.range is None else (self.range, *self.more_ranges)

    @cached_property
    def keys(self) -> tuple[KeyAttribute, ...]:
        return (*self.hashes, *self.ranges)

    @property
    def has_joined_keys(self) -> bool:
        """Whether several attributes together make up one of its keys."""
        return bool(self.more_hashes or self.more_ranges)

    @property
    def is_global(self) -> bool:
        return self.kind == "gsi"


@dataclass(frozen=True)
class TableSchema:
    """A table. `id` is never reused and identifies its storage, so a recreated table never sees old rows.

    `settings` has what only describing operations read (class, encryption, tags, backups and so on).
    """

    id: int
    name: str
    hash: KeyAttribute
    range: KeyAttribute | None
    attributes: tuple[KeyAttribute, ...]
    indexes: tuple[IndexSchema, ...] = ()
    status: str = "ACTIVE"
    uuid: str = ""
    created_at: float = 0.0
    billing: Literal["PROVISIONED", "PAY_PER_REQUEST"] = "PROVISIONED"
    throughput: Throughput = field(default_factory=Throughput)
    stream: StreamSettings | None = None
    ttl: TtlSettings | None = None
    deletion_protection: bool = False
    settings: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def hashes(self) -> tuple[KeyAttribute, ...]:
        return (self.hash,)

    @cached_property
    def ranges(self) -> tuple[KeyAttribute, ...]:
        return () if self.range is None else (self.range,)

    @cached_property
    def keys(self) -> tuple[KeyAttribute, ...]:
        return (*self.hashes, *self.ranges)

    @cached_property
    def key_names(self) -> frozenset[str]:
        return frozenset(key.name for key in self.keys)

    @cached_property
    def by_index_name(self) -> dict[str, IndexSchema]:
        return {index.name: index for index in self.indexes}

    @cached_property
    def has_local_indexes(self) -> bool:
        return any(index.kind == "lsi" for index in self.indexes)

    @cached_property
    def index_key_types(self) -> dict[str, ScalarType]:
        """Declared types of every attribute that keys some secondary index."""
        return {key.name: key.type for index in self.indexes for key in index.keys}
