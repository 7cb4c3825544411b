"""A design as a value: the tables that modules declare, the findings they accept, and the user actions to price."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TypeVar

from tablature.errors import DeclarationError
from tablature.schema.fields import FieldSchema
from tablature.schema.model import (
    CollectionSchema,
    EntitySchema,
    FanoutPath,
    IndexPath,
    PathSchema,
    PatternSchema,
    QueueSchema,
    Table,
    UniqueSchema,
)

DEFAULT_PEAK_WRITES = 2000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Accepted:
    """A lint finding that the author accepts, with the reason."""

    code: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class UserAction:
    """Something a person does, as a list of verbs, patterns and collections (`Article.create`, `Inbox.collect`)."""

    name: str
    steps: tuple[str, ...]


def accepted(code: str, subject: str, reason: str) -> Accepted:
    """Accept one finding of `tablature lint`; list acceptances in the module as `ACCEPTED = [...]`."""
    return Accepted(code, subject, reason)


def action(name: str, *steps: str) -> UserAction:
    """Describe an action for `tablature cost`; list actions in the module as `ACTIONS = [...]`."""
    return UserAction(name, steps)


@dataclass(frozen=True)
class Design:
    """The tables of a design. `peak_writes` is the maximum number of items of one entity written per second."""

    tables: tuple[Table, ...]
    accepted: tuple[Accepted, ...] = ()
    actions: tuple[UserAction, ...] = ()
    peak_writes: int = DEFAULT_PEAK_WRITES

    @property
    def entities(self) -> list[EntitySchema]:
        return [entity for table in self.tables for entity in table.entities.values()]

    @property
    def patterns(self) -> list[PatternSchema]:
        return [pattern for table in self.tables for pattern in table.patterns.values()]

    @property
    def collections(self) -> list[CollectionSchema]:
        return [collection for table in self.tables for collection in table.collections.values()]

    def fields(self) -> Iterator[tuple[EntitySchema, FieldSchema]]:
        return ((entity, field) for entity in self.entities for field in entity.fields.values())

    def fanouts(self) -> Iterator[tuple[EntitySchema, FanoutPath]]:
        return ((entity, fanout) for entity in self.entities for fanout in entity.fanouts)

    def uniques(self) -> Iterator[tuple[EntitySchema, UniqueSchema]]:
        return ((entity, unique) for entity in self.entities for unique in entity.uniques)

    def queues(self) -> Iterator[tuple[EntitySchema, QueueSchema]]:
        return ((entity, queue) for entity in self.entities for queue in entity.queues)

    def index_paths(self) -> Iterator[tuple[EntitySchema, IndexPath]]:
        return ((entity, path) for entity in self.entities for path in entity.indexes)

    def paths(self) -> Iterator[tuple[EntitySchema, PathSchema]]:
        """Every key, index and fan-out with the entity it belongs to."""
        return ((entity, path) for entity in self.entities for path in paths_of(entity))


def paths_of(entity: EntitySchema) -> tuple[PathSchema, ...]:
    return (entity.primary, *entity.indexes, *entity.fanouts)


def design_of(modules: Iterable[ModuleType], *, peak_writes: int = DEFAULT_PEAK_WRITES) -> Design:
    """The tables that the modules declare or whose entities they declare, in order of appearance."""
    tables: dict[int, Table] = {}
    accepted: list[Accepted] = []
    actions: list[UserAction] = []
    for module in modules:
        for value in vars(module).values():
            table = _table_of(value)
            if table is not None:
                tables[id(table)] = table
        accepted += _read_list(module, "ACCEPTED", Accepted)
        actions += _read_list(module, "ACTIONS", UserAction)
    return Design(tuple(tables.values()), tuple(accepted), tuple(actions), peak_writes)


def _read_list(module: ModuleType, name: str, kind: type[T]) -> list[T]:
    """The list under this name in a module. Raises DeclarationError if its entries have another type."""
    entries = getattr(module, name, [])
    if not isinstance(entries, list | tuple) or not all(isinstance(entry, kind) for entry in entries):
        maker = {"ACCEPTED": "accepted", "ACTIONS": "action"}[name]
        raise DeclarationError(f"{module.__name__}.{name} must be a list of {maker}(...) from tablature.design.")
    return list(entries)


def _table_of(value: object) -> Table | None:
    if isinstance(value, Table):
        return value
    schema = getattr(value, "__schema__", None)
    return schema.table if isinstance(schema, EntitySchema | CollectionSchema) else None
