"""Whole partitions: read as one typed aggregate, or deleted with everything derived from their items."""

from __future__ import annotations

from typing import Any, TypeVar

from tablature.errors import InputError
from tablature.expressions.builder import Expressions
from tablature.expressions.conditions import equals
from tablature.operations.actions import Action, delete_action, unconditional
from tablature.operations.commit import execute
from tablature.operations.context import Context
from tablature.operations.effects import Steps, call
from tablature.operations.items import MARKER, current_value
from tablature.operations.limits import MOST_ACTIONS
from tablature.operations.plan import Seen, plan
from tablature.operations.revival import is_visible, revive
from tablature.operations.writes import Write
from tablature.schema.collections import Collection, gather, recognises
from tablature.schema.model import CollectionSchema, EntitySchema, Table
from tablature.schema.refs import Ref
from tablature.wire import Item, Request

C = TypeVar("C", bound=Collection)


def collect(context: Context, collection: type[C], *, consistent: bool, inputs: dict[str, Any]) -> Steps[C | None]:
    """Everything in the partition, sorted into the collection's members; None where there is nothing."""
    schema = collection.__schema__
    items = yield from _partition(context, schema, inputs, consistent=consistent)
    found: list[tuple[EntitySchema, Any]] = []
    for item in items:
        member = next((m.entity for m in schema.members if is_visible(context, m.entity, item)), None)
        entity = None if member is None else (yield from revive(context, member, item))
        if member is not None and entity is not None:
            found.append((member, entity))
    aggregate: C | None = gather(schema, found)
    return aggregate


def _partition(
    context: Context, schema: CollectionSchema, inputs: dict[str, Any], *, consistent: bool
) -> Steps[list[Item]]:
    if inputs.keys() != set(schema.partition.fields):
        raise InputError(f"The collection {schema.name} is known by {', '.join(schema.partition.fields) or 'nothing'}.")
    expressions = Expressions()
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


def delete_partition(context: Context, collection: type[Collection], *, inputs: dict[str, Any]) -> Steps[int]:
    """Delete every item of the partition with its copies and sentinels: in one transaction where that is possible,
    else in several, the members that stand alone last. The answer is how many items there were."""
    schema = collection.__schema__
    items = yield from _partition(context, schema, inputs, consistent=True)
    writes = sorted((w for item in items if (w := _deletion(schema.table, item))), key=lambda w: _rank(schema, w))
    known = {id(write.known) for write in writes}
    strays = [
        delete_action(context, schema.table, item, None, unconditional)
        for item in items
        if id(item) not in known and MARKER not in item
    ]
    for some_writes, some_strays in _portions(context, writes, strays):
        yield from execute(context, tuple(some_writes), f"{schema.name}.delete_partition", tuple(some_strays))
    return len(writes) + len(strays)


def _deletion(table: Table, item: Item) -> Write[Any] | None:
    if MARKER in item:
        return None
    entity = next((entity for entity in table.entities.values() if recognises(entity, item)), None)
    if entity is None:
        return None
    values = dict[str, Any]()
    for part in entity.primary.parts:
        text = next(iter(item[part.attribute].values()))
        values.update(part.template.parse(text) or {})
    for name in entity.primary.sources - values.keys():
        values[name] = current_value(entity, entity.fields[name], item)
    key = {name: item[name] for name in table.key_attributes}
    return Write("delete", Ref(entity.cls, entity, key, values), known=item)


def _rank(schema: CollectionSchema, write: Write[Any]) -> bool:
    return any(member.entity is write.schema and member.arity == "one" for member in schema.members)


def _portions(
    context: Context, writes: list[Write[Any]], strays: list[Action]
) -> list[tuple[list[Write[Any]], list[Action]]]:
    """As few transactions as the limit of actions allows."""
    portions: list[tuple[list[Write[Any]], list[Action]]] = [([], [])]
    room = MOST_ACTIONS
    for stray in strays:
        if room == 0:
            portions, room = [*portions, ([], [])], MOST_ACTIONS
        portions[-1][1].append(stray)
        room -= 1
    for write in writes:
        planned = plan(context, write, Seen(write.known))
        needed = len(planned.actions) if planned is not None else 1
        if needed > room and (portions[-1][0] or portions[-1][1]):
            portions, room = [*portions, ([], [])], MOST_ACTIONS
        portions[-1][0].append(write)
        room -= needed
    return [portion for portion in portions if portion[0] or portion[1]]
