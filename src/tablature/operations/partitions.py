"""Reads a whole partition as one typed collection, or deletes it with everything derived from its items."""

from __future__ import annotations

from typing import Any, TypeVar

from tablature.errors import InputError
from tablature.expressions.builder import ExpressionBuilder
from tablature.expressions.conditions import equals
from tablature.operations.actions import MAX_ACTIONS, TransactAction, delete_action, unexpected_refusal
from tablature.operations.commit import execute
from tablature.operations.context import OperationContext
from tablature.operations.deserialization import deserialize, is_visible
from tablature.operations.effects import Steps, call
from tablature.operations.items import MARKER, current_value
from tablature.operations.plan import ObservedItem, plan_write
from tablature.operations.writes import Write
from tablature.schema.collections import Collection, build_collection, matches_primary_key
from tablature.schema.model import CollectionSchema, EntitySchema, Table
from tablature.schema.refs import Ref
from tablature.wire import Item, Request

C = TypeVar("C", bound=Collection)


def collect(
    context: OperationContext, collection: type[C], *, consistent: bool, inputs: dict[str, Any]
) -> Steps[C | None]:
    """Everything in the partition as one collection; None if it is empty."""
    schema = collection.__schema__
    items = yield from _read_partition(context, schema, inputs, consistent=consistent)
    members: list[tuple[EntitySchema, Any]] = []
    for item in items:
        member = next((m.entity for m in schema.members if is_visible(context, m.entity, item)), None)
        entity = None if member is None else (yield from deserialize(context, member, item))
        if member is not None and entity is not None:
            members.append((member, entity))
    aggregate: C | None = build_collection(schema, members)
    return aggregate


def _read_partition(
    context: OperationContext, schema: CollectionSchema, inputs: dict[str, Any], *, consistent: bool
) -> Steps[list[Item]]:
    if inputs.keys() != set(schema.partition.fields):
        raise InputError(
            f"The collection {schema.name} needs the inputs {', '.join(schema.partition.fields) or 'nothing'}."
        )
    expressions = ExpressionBuilder()
    request: Request = {"TableName": context.physical(schema.table), "ReturnConsumedCapacity": "TOTAL"}
    if consistent:
        request["ConsistentRead"] = True
    key = equals(schema.partition.attribute, schema.partition.value(inputs)).render(expressions)
    expressions.into(request, KeyConditionExpression=key)
    items: list[Item] = []
    while True:
        response = yield from call(f"{schema.name}.collect", "Query", request)
        items += response["Items"]
        if "LastEvaluatedKey" not in response:
            return items
        request["ExclusiveStartKey"] = response["LastEvaluatedKey"]


def delete_partition(context: OperationContext, collection: type[Collection], *, inputs: dict[str, Any]) -> Steps[int]:
    """Delete every item of the partition with its copies and sentinels, and return how many there were.

    Uses one transaction if possible, otherwise several, with the single members last."""
    schema = collection.__schema__
    items = yield from _read_partition(context, schema, inputs, consistent=True)
    writes = sorted(
        (w for item in items if (w := _delete_write(schema.table, item))), key=lambda w: _is_single_member(schema, w)
    )
    entity_items = {id(write.last_read) for write in writes}
    strays = [
        delete_action(context, schema.table, item, None, unexpected_refusal)
        for item in items
        if id(item) not in entity_items and MARKER not in item
    ]
    for some_writes, some_strays in _split_transactions(context, writes, strays):
        yield from execute(context, tuple(some_writes), f"{schema.name}.delete_partition", tuple(some_strays))
    return len(writes) + len(strays)


def _delete_write(table: Table, item: Item) -> Write[Any] | None:
    if MARKER in item:
        return None
    entity = next((entity for entity in table.entities.values() if matches_primary_key(entity, item)), None)
    if entity is None:
        return None
    values = dict[str, Any]()
    for part in entity.primary.parts:
        text = next(iter(item[part.attribute].values()))
        values.update(part.template.parse(text) or {})
    for name in entity.primary.sources - values.keys():
        values[name] = current_value(entity, entity.fields[name], item)
    key = {name: item[name] for name in table.key_attributes}
    return Write("delete", Ref(entity.cls, entity, key, values), last_read=item)


def _is_single_member(schema: CollectionSchema, write: Write[Any]) -> bool:
    return any(member.entity is write.schema and member.arity == "one" for member in schema.members)


def _split_transactions(
    context: OperationContext, writes: list[Write[Any]], strays: list[TransactAction]
) -> list[tuple[list[Write[Any]], list[TransactAction]]]:
    """The writes split into as few transactions as the action limit allows."""
    portions: list[tuple[list[Write[Any]], list[TransactAction]]] = [([], [])]
    room = MAX_ACTIONS
    for stray in strays:
        if room == 0:
            portions, room = [*portions, ([], [])], MAX_ACTIONS
        portions[-1][1].append(stray)
        room -= 1
    for write in writes:
        planned = plan_write(context, write, ObservedItem(write.last_read))
        needed = len(planned.actions) if planned is not None else 1
        if needed > room and (portions[-1][0] or portions[-1][1]):
            portions, room = [*portions, ([], [])], MAX_ACTIONS
        portions[-1][0].append(write)
        room -= needed
    return [portion for portion in portions if portion[0] or portion[1]]
