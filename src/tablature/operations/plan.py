"""Plans a write: the actions that carry it out, given the current item. Pure, so a plan can be shown unsent."""

from __future__ import annotations

from typing import Any

from tablature.errors import AlreadyExists, ConditionFailed, DoesNotExist, VersionConflict
from tablature.expressions.builder import ExpressionBuilder
from tablature.expressions.changes import FieldChange, add, remove, render_update, set_to
from tablature.expressions.conditions import Comparison, Condition, absent, all_of, equals, exists
from tablature.operations.actions import (
    Refusal,
    StaleRead,
    TransactAction,
    add_condition,
    copy_actions,
    delete_action,
    put_action,
    sentinel_actions,
)
from tablature.operations.context import OperationContext
from tablature.operations.derived_items import KeyText, fanout_copies, key_text, unique_sentinels
from tablature.operations.derived_keys import DerivedUpdate, check_allowed_changes, derive_update, field_values
from tablature.operations.items import STAGED, build_item, check_size, fill_automatic_fields, is_expired
from tablature.operations.writes import Write
from tablature.records import evolve, record
from tablature.schema.entity import Entity, values_of
from tablature.schema.model import EntitySchema
from tablature.schema.timestamps import truncate
from tablature.wire import AttributeValue, Item, Request

Guards = dict[str, AttributeValue | None]


@record
class ObservedItem:
    """The item as last read; None inside means that there was none."""

    item: Item | None


@record
class WritePlan:
    """The actions of one write, its own item first. `item` is the item to store, or None if the service computes it;
    `replaces` says whether an item is stored now."""

    write: Write[Any]
    actions: list[TransactAction]
    item: Item | None
    replaces: bool
    old_copies: dict[KeyText, Item]
    new_copies: dict[KeyText, Item]


def plan_write(
    context: OperationContext,
    write: Write[Any],
    observed: ObservedItem | None,
    overrides: dict[str, AttributeValue] | None = None,
    lost_sentinels: frozenset[KeyText] = frozenset(),
) -> WritePlan | None:
    """The plan of a write, or None if the current item must be read first."""
    if observed is None and _needs_current(write):
        return None
    current = observed.item if observed is not None else None
    if write.verb == "upsert":
        write = _as_patch(context, write, current)
    if write.verb == "patch":
        return _plan_patch(context, write, observed, overrides or {}, lost_sentinels)
    if write.verb == "check":
        return WritePlan(write, [_check_action(context, write)], None, True, {}, {})
    return _plan_replace(context, write, current, overrides or {}, lost_sentinels)


def _needs_current(write: Write[Any]) -> bool:
    schema = write.schema
    if write.verb in ("put", "update", "delete"):
        return bool(schema.fanouts or schema.uniques or schema.blobs)
    return write.verb == "upsert"


def _as_patch(context: OperationContext, write: Write[Any], current: Item | None) -> Write[Any]:
    """An upsert of an existing item as a patch that sets every field."""
    schema = write.schema
    if write.entity is None or current is None or is_expired(schema, current, context.epoch()):
        return write
    values = values_of(write.entity)
    changes = []
    for name, field in schema.fields.items():
        if name in schema.primary.sources or field.role in ("version", "auto_now"):
            continue
        if values[name] is None and field.role != "plain":
            continue
        changes.append(getattr(schema.cls, name).set(values[name]))
    return evolve(write, verb="patch", changes=tuple(changes))


def _plan_replace(
    context: OperationContext,
    write: Write[Any],
    current: Item | None,
    overrides: dict[str, AttributeValue],
    lost_sentinels: frozenset[KeyText],
) -> WritePlan:
    """Plan a put or delete, with the changes of copies and sentinels."""
    schema = write.schema
    guards = _old_value_guards(write, current)
    item: Item | None = None
    new_values: dict[str, Any] = {}
    if write.entity is not None:
        entity: Entity = fill_automatic_fields(context, write.entity, current or write.last_read, write.version)
        stored = None if write.verb == "create" else write.last_read
        item = build_item(context, entity, stored, overrides)
        item.update(write.ref.key)
        check_size(context, schema, item)
        new_values = values_of(entity)
    condition = _condition(context, write, guards)

    def explain(stored_item: Item | None) -> Refusal:
        return explain_refusal(context, write, guards, stored_item)

    if item is not None:
        main = put_action(context, schema.table, item, condition, explain)
    else:
        main = delete_action(context, schema.table, write.ref.key, condition, explain)
    old_values = field_values(schema, write.ref.values, current, schema.copied) if current is not None else None
    return _with_derived_items(context, write, main, (old_values, current), (new_values, item), lost_sentinels)


def _with_derived_items(
    context: OperationContext,
    write: Write[Any],
    main: TransactAction,
    old: tuple[dict[str, Any] | None, Item | None],
    new: tuple[dict[str, Any], Item | None],
    lost_sentinels: frozenset[KeyText],
) -> WritePlan:
    schema = write.schema
    (old_values, old_item), (new_values, new_item) = old, new
    old_copies = fanout_copies(schema, old_values, old_item) if old_values is not None and old_item is not None else {}
    new_copies = fanout_copies(schema, new_values, new_item) if new_item is not None else {}
    held = (
        unique_sentinels(context, schema, old_values, old_item)
        if old_values is not None and old_item is not None
        else {}
    )
    wanted = unique_sentinels(context, schema, new_values, new_item) if new_item is not None else {}
    actions = [main, *sentinel_actions(context, schema, held, wanted, lost_sentinels)]
    actions += copy_actions(context, schema, old_copies, new_copies)
    return WritePlan(write, actions, new_item, old_item is not None, old_copies, new_copies)


def _plan_patch(
    context: OperationContext,
    write: Write[Any],
    observed: ObservedItem | None,
    overrides: dict[str, AttributeValue],
    lost_sentinels: frozenset[KeyText],
) -> WritePlan | None:
    schema, current = write.schema, observed.item if observed is not None else None
    if observed is not None and current is None:
        current = dict(write.ref.key)
    check_allowed_changes(schema, write.changes, write.raw.attributes() if write.raw is not None else frozenset())
    changes = [*write.changes, *_automatic_changes(context, schema, _changed_fields(write))]
    derived = derive_update(context, schema, write.ref, changes, current)
    if derived is None:
        return None

    def explain(stored_item: Item | None) -> Refusal:
        return explain_refusal(context, write, derived.guards, stored_item)

    main = _update_action(context, write, derived, overrides, explain)
    if derived.values is None or current is None or not {c.field for c in changes} & schema.copied:
        return WritePlan(write, [main], None, True, {}, {})
    new_item = _patched_item(current, derived, overrides)
    old_values = field_values(schema, write.ref.values, current, schema.copied)
    plan = _with_derived_items(context, write, main, (old_values, current), (derived.values, new_item), lost_sentinels)
    return evolve(plan, item=None)


def _changed_fields(write: Write[Any]) -> set[str]:
    """The fields that the write sets itself, by a change or in its raw expression."""
    raw = write.raw.attributes() if write.raw is not None else frozenset()
    by_raw = {field.name for field in write.schema.fields.values() if field.attribute in raw}
    return {change.field for change in write.changes} | by_raw


def _automatic_changes(context: OperationContext, schema: EntitySchema, changed: set[str]) -> list[FieldChange]:
    """Changes that every patch includes: the time of the last write, and the version."""
    changes: list[FieldChange] = []
    for field in schema.fields.values():
        if field.role == "auto_now" and field.name not in changed:
            changes.append(getattr(schema.cls, field.name).set(truncate(context.now(), field.options.precision)))
        elif field.role == "version":
            changes.append(add(field.name, (field.attribute,), {"N": "1"}, 1))
    return changes


def _update_action(
    context: OperationContext,
    write: Write[Any],
    derived: DerivedUpdate,
    overrides: dict[str, AttributeValue],
    explain: Any,
) -> TransactAction:
    schema, expressions = write.schema, ExpressionBuilder()
    clauses = [evolve(c, value=overrides.get(str(c.path[0]), c.value)) for c in derived.changes]
    for attribute, value in derived.keys.items():
        path = (attribute,)
        clauses.append(remove(attribute, path) if value is None else set_to(attribute, path, value, None))
    request: Request = {"TableName": context.physical(schema.table), "Key": write.ref.key}
    request["UpdateExpression"] = render_update(clauses, write.raw, expressions)
    condition = _condition(context, write, derived.guards)
    return TransactAction(
        "Update", add_condition(request, condition, expressions), key_text(schema.table, write.ref.key), explain
    )


def _patched_item(current: Item, derived: DerivedUpdate, overrides: dict[str, AttributeValue]) -> Item:
    """The item after the patch, as far as copies and sentinels depend on it."""
    item = dict(current)
    values: dict[str, AttributeValue | None] = {}
    for change in derived.changes:
        if change.is_assignment and not change.is_nested:
            values[str(change.path[0])] = overrides.get(str(change.path[0]), change.value)
    for attribute, value in {**values, **derived.keys}.items():
        if value is None:
            item.pop(attribute, None)
        else:
            item[attribute] = value
    return item


def _check_action(context: OperationContext, write: Write[Any]) -> TransactAction:
    schema = write.schema
    request: Request = {"TableName": context.physical(schema.table), "Key": write.ref.key}
    condition = _condition(context, write, {})

    def explain(stored_item: Item | None) -> Refusal:
        return explain_refusal(context, write, {}, stored_item)

    return TransactAction(
        "ConditionCheck", add_condition(request, condition), key_text(schema.table, write.ref.key), explain
    )


def _old_value_guards(write: Write[Any], current: Item | None) -> Guards:
    """The old values that copies, sentinels and blobs were derived from; they must be unchanged."""
    schema = write.schema
    if not _needs_current(write):
        return {}
    if current is None:
        return {schema.table.pk: None}
    names = (schema.copied | {blob.name for blob in schema.blobs}) - schema.primary.sources
    attributes = [schema.fields[name].attribute for name in sorted(names)] + ([STAGED] if schema.fanouts else [])
    return {attribute: current.get(attribute) for attribute in attributes}


def _condition(context: OperationContext, write: Write[Any], guards: Guards) -> Condition | None:
    schema = write.schema
    table, parts = schema.table, [equals(attribute, value) for attribute, value in guards.items()]
    alive: Condition | None = None
    if schema.expires is not None:
        alive = Comparison((schema.expires.attribute,), ">", {"N": str(context.epoch())})
        alive = alive | absent(schema.expires.attribute)
    if write.verb == "create":
        parts.insert(0, absent(table.pk) if alive is None else absent(table.pk) | ~alive)
    elif write.verb in ("update", "patch", "check"):
        parts.insert(0, exists(table.pk))
        parts += [] if alive is None else [alive]
    if schema.version is not None and write.version is not None:
        version = {"N": str(write.version)} if write.version else None
        parts.append(equals(schema.version.attribute, version))
    return all_of(*parts, write.when)


def explain_refusal(context: OperationContext, write: Write[Any], guards: Guards, stored_item: Item | None) -> Refusal:
    """Why the condition of a write was false, judged by the item that the service returned."""
    schema, what = write.schema, repr(write.ref)
    gone = stored_item is None or is_expired(schema, stored_item, context.epoch())
    if write.verb == "create" and not gone:
        return AlreadyExists(f"{what} already exists.", stored_item)
    if write.verb in ("update", "patch", "check") and gone:
        return DoesNotExist(f"{what} does not exist.")
    if (
        schema.version is not None
        and write.version is not None
        and _stored_version(schema, stored_item) != write.version
    ):
        return VersionConflict(f"{what} was changed by somebody else; read it again.", stored_item)
    if any((stored_item or {}).get(attribute) != value for attribute, value in guards.items()):
        return StaleRead(stored_item)
    return ConditionFailed(f"The condition on {what} is false.", stored_item)


def _stored_version(schema: EntitySchema, stored_item: Item | None) -> int:
    value = (stored_item or {}).get(schema.version.attribute) if schema.version is not None else None
    return int(value["N"]) if value is not None and "N" in value else 0
