"""A design as a value: the tables that modules declare, the findings they accept, and the user actions to price."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TypeVar

from tablature.errors import DeclarationError
from tablature.schema.model import CollectionSchema, EntitySchema, IndexPath, PathSchema, PatternSchema, Table


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that was looked at and is to stay, with the reason."""

    code: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class UserAction:
    """Something a person does, as what it takes: verbs, patterns, collections (`Article.create`, `Inbox.collect`)."""

    name: str
    steps: tuple[str, ...]


def accepted(code: str, subject: str, reason: str) -> Accepted:
    """Accept one finding of `tablature lint`; list acceptances in the module as `ACCEPTED = [...]`."""
    return Accepted(code, subject, reason)


def action(name: str, *steps: str) -> UserAction:
    """Describe an action for `tablature cost`; list actions in the module as `ACTIONS = [...]`."""
    return UserAction(name, steps)


DEFAULT_PEAK_WRITES = 2000
T = TypeVar("T")


@dataclass(frozen=True)
class Design:
    """The tables to look at. `peak_writes` is how many items of one entity are written per second at the most."""

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
        accepted += _listed(module, "ACCEPTED", Accepted)
        actions += _listed(module, "ACTIONS", UserAction)
    return Design(tuple(tables.values()), tuple(accepted), tuple(actions), peak_writes)


def _listed(module: ModuleType, name: str, kind: type[T]) -> list[T]:
    """What the author wrote for the design tools under this name."""
    found = getattr(module, name, [])
    if not isinstance(found, list | tuple) or not all(isinstance(entry, kind) for entry in found):
        maker = {"ACCEPTED": "accepted", "ACTIONS": "action"}[name]
        raise DeclarationError(f"{module.__name__}.{name} must be a list of {maker}(...) from tablature.design.")
    return list(found)


def _table_of(value: object) -> Table | None:
    if isinstance(value, Table):
        return value
    schema = getattr(value, "__schema__", None)
    return schema.table if isinstance(schema, EntitySchema | CollectionSchema) else None
