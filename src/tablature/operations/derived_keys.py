"""Index keys that change with a patch, and the old values that its condition must guard."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from tablature.errors import DerivedTouched, InputError, StoredItemError
from tablature.expressions.changes import FieldChange, remove, set_to
from tablature.operations.context import OperationContext
from tablature.operations.items import STAGED, current_value
from tablature.records import mutable_record, record_field
from tablature.schema.model import EntitySchema, IndexPath
from tablature.schema.refs import Ref
from tablature.schema.templates import KeyPart
from tablature.wire import AttributeValue, Item


@mutable_record
class DerivedUpdate:
    """A patch with everything derived from it: changes, index keys to set (None removes one), old values to guard."""

    changes: list[FieldChange]
    keys: dict[str, AttributeValue | None] = record_field(default_factory=dict)
    guards: dict[str, AttributeValue | None] = record_field(default_factory=dict)
    values: dict[str, Any] | None = None


def check_allowed_changes(
    schema: EntitySchema, changes: tuple[FieldChange, ...], raw_attributes: frozenset[str]
) -> None:
    """Raise if a patch changes a key, the version, or something that keys or copies are derived from."""
    touched = raw_attributes & schema.guarded_attributes
    if touched:
        raise DerivedTouched(
            f"The raw update touches {min(touched)!r}, from which keys or copies of a {schema.name} are derived; "
            "change it through its field instead."
        )
    for change in changes:
        if change.field in schema.primary.sources:
            raise InputError(f"{change.field!r} is part of the key of a {schema.name}; create another item instead.")
        if schema.version is not None and change.field == schema.version.name:
            raise InputError(f"{change.field!r} is the version of a {schema.name} and is counted by itself.")
        if change.is_nested and change.field in schema.sources:
            raise DerivedTouched(f"Keys or copies are derived from {change.field!r}; set the whole field instead.")


def derive_update(
    context: OperationContext, schema: EntitySchema, ref: Ref[Any], changes: list[FieldChange], current: Item | None
) -> DerivedUpdate | None:
    """Derive the keys and guards of a patch. None if that needs the current item and it wasn't given."""
    known_values = dict(ref.values) | {c.field: c.apply(None) for c in changes if c.is_assignment and not c.is_nested}
    changed = {change.field for change in changes}
    derived = DerivedUpdate(list(changes))
    uncertain = [
        index
        for index in schema.indexes
        if changed & index.sources
        and schema.written_parts(index)
        and not _keys_from_known_values(context, schema, index, known_values, derived)
    ]
    relied = {name for index in uncertain for name in index.sources}
    blobs = {blob.name for blob in schema.blobs if blob.name in changed}
    if changed & schema.copied or blobs:
        relied |= schema.copied | blobs
    if relied and current is None:
        return None
    if relied and current is not None:
        _derive_from_current(context, schema, ref, derived, current, relied, uncertain)
    return derived


def _keys_from_known_values(
    context: OperationContext,
    schema: EntitySchema,
    index: IndexPath,
    known_values: Mapping[str, Any],
    derived: DerivedUpdate,
) -> bool:
    """Set the keys of an index from values that don't depend on the stored item. False if some do."""
    if index.sources <= known_values.keys():
        derived.keys.update(index_keys(context, schema, index, known_values))
        return True
    if index.when or any(schema.fields[name].optional for name in index.sources):
        return False
    keys: dict[str, AttributeValue | None] = {}
    for part in schema.written_parts(index):
        needed = set(part.fields) | ({index.by} if index.by and part is index.partition else set())
        if needed <= known_values.keys():
            keys[part.attribute] = _part_key(context, schema, index, part, known_values)
        elif not needed.isdisjoint(known_values.keys() - schema.primary.sources):
            return False
    derived.keys.update(keys)
    return True


def _part_key(
    context: OperationContext, schema: EntitySchema, index: IndexPath, part: KeyPart, values: Mapping[str, Any]
) -> AttributeValue:
    text = part.template.render(values)
    if part is index.partition and context.shards_of(index) > 1:
        text += schema.cls.__codec__.shards[index.name](values[str(index.by)])  # type: ignore[attr-defined]  # every entity class has a codec
    return {part.wire: text}


def index_keys(
    context: OperationContext, schema: EntitySchema, index: IndexPath, values: Mapping[str, Any]
) -> dict[str, AttributeValue | None]:
    """Both key attributes of an index, each None if the item isn't in the index."""
    parts = schema.written_parts(index)
    belongs = all(values.get(name) is not None for name in index.sources)
    belongs = belongs and all(clause.holds(values[clause.field]) for clause in index.when)
    return {part.attribute: _part_key(context, schema, index, part, values) if belongs else None for part in parts}


def _derive_from_current(
    context: OperationContext,
    schema: EntitySchema,
    ref: Ref[Any],
    derived: DerivedUpdate,
    current: Item,
    relied: set[str],
    uncertain: list[IndexPath],
) -> None:
    """Apply the changes to the current item, and guard every old value that the result depends on."""
    old = field_values(schema, ref.values, current, relied)
    new, rewritten = dict(old), []
    for change in derived.changes:
        if change.field in old and not change.is_nested:
            new[change.field] = change.apply(new[change.field])
            if change.field in relied and not change.is_assignment:
                change = _as_assignment(schema, change, new[change.field])
        rewritten.append(change)
    derived.changes, derived.values = rewritten, new
    for name in relied - schema.primary.sources:
        attribute = schema.fields[name].attribute
        derived.guards[attribute] = current.get(attribute)
    if schema.fanouts and not relied.isdisjoint(schema.copied):
        derived.guards[STAGED] = current.get(STAGED)
    for index in uncertain:
        derived.keys.update(index_keys(context, schema, index, new))


def _as_assignment(schema: EntitySchema, change: FieldChange, value: Any) -> FieldChange:
    """The change as an assignment of its result, because keys or copies are derived from the result."""
    if value is None or value in (set(), frozenset()):
        return remove(change.field, change.path)
    return set_to(change.field, change.path, getattr(schema.cls, change.field).wire(value), value)


def field_values(
    schema: EntitySchema, key_values: Mapping[str, Any], item: Item, needed: AbstractSet[str]
) -> dict[str, Any]:
    """The field values of a stored item, without blobs. An unreadable value is None unless it is needed, so that
    a damaged item can still be corrected or deleted."""
    values = {}
    for name, field in schema.fields.items():
        if field.options.blob_over is None:
            try:
                values[name] = key_values[name] if name in key_values else current_value(schema, field, item)
            except StoredItemError:
                if name in needed:
                    raise
                values[name] = None
    return values
