"""Bringing stored items to what the declarations imply now: migrations and backfills, resumable and rate-limited."""

from __future__ import annotations

from typing import Any

from tablature.errors import ConditionRefused, InputError, TransactionRefused
from tablature.expressions.conditions import absent, all_of, equals
from tablature.operations.actions import Action, put_action, sentinel_actions, unconditional
from tablature.operations.batches import batch_get, chunks
from tablature.operations.context import Context
from tablature.operations.copies import bookkeeping, copies, key_of, key_text, sentinels
from tablature.operations.effects import Steps, Wait, call, get_item
from tablature.operations.items import GENERATION, STAGED, check_size, whole_item
from tablature.operations.limits import MOST_ACTIONS
from tablature.operations.revival import brought_up_to_date, is_visible
from tablature.operations.scanning import scan_request
from tablature.records import record
from tablature.schema.codec import VERSION_ATTRIBUTE
from tablature.schema.entity import values_of
from tablature.schema.model import EntitySchema
from tablature.wire import AttributeValue, Item, Request

_MOST_ATTEMPTS = 5
_PAGE = 100


@record
class Progress:
    """How far a rewrite came; where `is_done` is False the next run goes on from here."""

    scanned: int
    changed: int
    is_done: bool


def rewrite(
    context: Context, schema: EntitySchema, *, only_older: bool, rate: float | None, most_pages: int | None
) -> Steps[Progress]:
    """Walk over the table and write back every item of the entity that differs from what it should be. The place is
    kept in the table, so an interrupted run is continued by the next one."""
    if rate is not None and rate <= 0:
        raise InputError("A rate is a number of items per second above zero.")
    checkpoint = _checkpoint(schema, only_older=only_older)
    physical = context.physical(schema.table)
    saved = yield from get_item("migrate", physical, key_of(schema.table, checkpoint))
    start: Item | None = saved["place"]["M"] if saved is not None else None
    scanned = changed = pages = 0
    while most_pages is None or pages < most_pages:
        page, start = yield from _page(context, schema, start)
        scanned, pages = scanned + len(page), pages + 1
        for item in page:
            if not only_older or VERSION_ATTRIBUTE not in item or _version(item) < schema.schema_version:
                changed += yield from _bring_up(context, schema, item)
        if start is None:
            yield from call("migrate", "DeleteItem", {"TableName": physical, "Key": key_of(schema.table, checkpoint)})
            return Progress(scanned, changed, is_done=True)
        yield from call("migrate", "PutItem", {"TableName": physical, "Item": {**checkpoint, "place": {"M": start}}})
        if rate is not None:
            yield Wait(len(page) / rate)
    return Progress(scanned, changed, is_done=False)


def _version(item: Item) -> int:
    return int(item[VERSION_ATTRIBUTE]["N"])


def _checkpoint(schema: EntitySchema, *, only_older: bool) -> Item:
    purpose = "migrate" if only_older else "backfill"
    key = schema.table.delimiter.join(("REWRITE", schema.name, purpose, str(schema.schema_version)))
    return bookkeeping(schema.table, "rewrite", key)


def _page(context: Context, schema: EntitySchema, start: Item | None) -> Steps[tuple[list[Item], Item | None]]:
    request: Request = {**scan_request(context, schema, None), "Limit": _PAGE, "ConsistentRead": True}
    if start is not None:
        request["ExclusiveStartKey"] = start
    response = yield from call("migrate", "Scan", request)
    items: list[Item] = response["Items"]
    return [item for item in items if is_visible(context, schema, item)], response.get("LastEvaluatedKey")


def _bring_up(context: Context, schema: EntitySchema, item: Item) -> Steps[bool]:
    """Rewrite one item if it needs it; False where it is right already, or gone."""
    found: Item | None = item
    for _ in range(_MOST_ATTEMPTS):
        if found is None or STAGED in found:
            return False
        actions = yield from _corrections(context, schema, found)
        if not actions:
            return False
        try:
            yield from _send(actions)
        except (ConditionRefused, TransactionRefused):
            key = key_of(schema.table, item)
            found = yield from get_item("migrate", context.physical(schema.table), key)
        else:
            return True
    return False


def _corrections(context: Context, schema: EntitySchema, stored: Item) -> Steps[list[Action]]:
    """What must be written so that the item, its copies and its sentinels are as implied."""
    current = brought_up_to_date(schema, stored)
    kept = {blob.attribute: current[blob.attribute] for blob in schema.blobs if blob.attribute in current}
    plain = {name: value for name, value in current.items() if name not in kept}
    entity = schema.cls.__codec__.decode({**plain, **_placeholders(schema, kept)})  # type: ignore[attr-defined]  # every entity class has a codec
    wanted = whole_item(context, entity, plain, kept)
    wanted.update(key_of(schema.table, stored))
    check_size(context, schema, wanted)
    values = values_of(entity)
    actions: list[Action] = []
    if wanted != {name: value for name, value in stored.items() if name != GENERATION}:
        same = all_of(*(equals(name, value) for name, value in stored.items()), absent(STAGED))
        actions.append(put_action(context, schema.table, wanted, same, unconditional))
    expected = copies(schema, values, wanted)
    held = sentinels(context, schema, values, wanted)
    missing = yield from _missing(context, schema, [*expected.values(), *(item for _, item in held.values())])
    actions += [
        put_action(context, schema.table, expected[key], None, unconditional) for key in expected if key in missing
    ]
    lost = {key: held[key] for key in held if key in missing}
    return actions + sentinel_actions(context, schema, {}, lost, frozenset())


def _placeholders(schema: EntitySchema, kept: dict[str, AttributeValue]) -> Item:
    """Stand-ins for values that are kept elsewhere, which a rewrite neither needs nor changes."""
    empty: dict[str, AttributeValue] = {"S": {"S": ""}, "L": {"L": []}, "M": {"M": {}}, "B": {"B": ""}, "*": {"S": ""}}
    return {name: empty.get(schema.attributes[name].kind.wire, {"N": "0"}) for name in kept}


def _missing(context: Context, schema: EntitySchema, wanted: list[Item]) -> Steps[set[tuple[str, ...]]]:
    """The keys under which something else, or nothing, is stored."""
    if not wanted:
        return set()
    table = schema.table
    keys = [key_of(table, item) for item in wanted]
    found = yield from batch_get("migrate", context.physical(table), keys, consistent=True)
    stored = {key_text(table, item): item for item in found}
    return {key_text(table, item) for item in wanted if stored.get(key_text(table, item)) != item}


def _send(actions: list[Action]) -> Steps[None]:
    """The item first with its condition; what is derived follows, in as few transactions as possible."""
    for part in chunks(actions, MOST_ACTIONS):
        items: list[dict[str, Any]] = [{action.kind: action.request} for action in part]
        yield from call("migrate", "TransactWriteItems", {"TransactItems": items})
