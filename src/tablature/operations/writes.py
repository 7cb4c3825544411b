"""Writes as values: a verb, an item and a condition, before anything is planned or sent."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from tablature.errors import InputError
from tablature.expressions.changes import FieldChange, RawUpdate
from tablature.expressions.conditions import Condition
from tablature.records import evolve, record
from tablature.schema.entity import Entity, schema_of, stored_item
from tablature.schema.model import EntitySchema
from tablature.schema.refs import Ref
from tablature.wire import AttributeValue, Item, to_wire

E = TypeVar("E", bound=Entity)
Verb = Literal["create", "put", "update", "patch", "upsert", "delete", "check"]


@record
class Write(Generic[E]):
    """One verb on one item. `last_read` is the item as last read, `version` the version it must still have."""

    verb: Verb
    ref: Ref[E]
    entity: E | None = None
    changes: tuple[FieldChange, ...] = ()
    raw: RawUpdate | None = None
    when: Condition | None = None
    version: int | None = None
    last_read: Item | None = None
    event: str | None = None

    @property
    def schema(self) -> EntitySchema:
        return self.ref.schema

    @property
    def name(self) -> str:
        return f"{self.schema.name}.{self.verb}"

    def once(self, event_id: str) -> Write[E]:
        """The same write, applied at most once for this event."""
        return evolve(self, event=event_id)


def ref_to(target: E | Ref[E]) -> Ref[E]:
    """The reference to an entity. An entity read under another program's spelling of its key keeps that key."""
    if isinstance(target, Ref):
        return target
    schema, values = schema_of(target), target.__dict__
    key = target.__codec__.primary(values)
    stored = stored_item(target)
    for part in schema.primary.parts:
        if stored is not None and part.means_the_same(stored[part.attribute], values):
            key[part.attribute] = stored[part.attribute]
    return Ref(type(target), schema, key, {name: values[name] for name in schema.primary.sources})


def _replace_write(verb: Verb, entity: E, when: Condition | None) -> Write[E]:
    schema = schema_of(entity)
    version = None
    if schema.version is not None and verb != "create":
        version = entity.__dict__[schema.version.name] or 0
    return Write(verb, ref_to(entity), entity, when=when, version=version, last_read=stored_item(entity))


def create(entity: E, *, when: Condition | None = None) -> Write[E]:
    """Write an item that must not exist yet."""
    return _replace_write("create", entity, when)


def put(entity: E, *, when: Condition | None = None) -> Write[E]:
    """Write an item, replacing what is stored."""
    return _replace_write("put", entity, when)


def update(entity: E, *, when: Condition | None = None) -> Write[E]:
    """Write an item that must exist, replacing what is stored."""
    return _replace_write("update", entity, when)


def upsert(entity: E, *, when: Condition | None = None) -> Write[E]:
    """Write the entity's fields into the stored item, or create it. Unknown attributes are kept."""
    return evolve(_replace_write("upsert", entity, when), version=None, last_read=None)


def patch(
    target: E | Ref[E], *changes: FieldChange | RawUpdate, when: Condition | None = None, **fields: Any
) -> Write[E]:
    """Change some fields of an item that must exist. A keyword sets a field; None removes it."""
    ref = ref_to(target)
    raws = [change for change in changes if isinstance(change, RawUpdate)]
    if len(raws) > 1:
        raise InputError("One patch takes one raw update; join the two expressions.")
    field_changes = [change for change in changes if isinstance(change, FieldChange)]
    field_changes += [_assignment(ref.schema, name, value) for name, value in fields.items()]
    if not field_changes and not raws:
        raise InputError(f"A patch of a {ref.schema.name} needs at least one change.")
    version, last_read = _version_and_item(target)
    return Write("patch", ref, None, tuple(field_changes), raws[0] if raws else None, when, version, last_read)


def delete(target: E | Ref[E], *, when: Condition | None = None) -> Write[E]:
    """Delete an item. Nothing happens if it doesn't exist."""
    version, last_read = _version_and_item(target)
    return Write("delete", ref_to(target), when=when, version=version, last_read=last_read)


def check(target: E | Ref[E], *, when: Condition | None = None) -> Write[E]:
    """In a transaction: the item must exist, unchanged since it was read, and satisfy the condition."""
    version, last_read = _version_and_item(target)
    return Write("check", ref_to(target), when=when, version=version, last_read=last_read)


def raw(expression: str, *, values: dict[str, Any] | None = None, names: dict[str, str] | None = None) -> RawUpdate:
    """An update expression written by hand, for what field changes can't express. Values are plain Python values."""
    wire: dict[str, AttributeValue] = {name: to_wire(value) for name, value in (values or {}).items()}
    return RawUpdate(expression, wire, names or {})


def _version_and_item(target: Any) -> tuple[int | None, Item | None]:
    if isinstance(target, Ref):
        return None, None
    schema = schema_of(target)
    version = None if schema.version is None else target.__dict__[schema.version.name] or 0
    return version, stored_item(target)


def _assignment(schema: EntitySchema, name: str, value: Any) -> FieldChange:
    if name not in schema.fields:
        raise InputError(f"A {schema.name} has no field {name!r}; it has {', '.join(schema.fields)}.")
    change: FieldChange = getattr(schema.cls, name).set(value)
    return change
