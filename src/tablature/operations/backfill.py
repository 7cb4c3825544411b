"""Migrations and backfills: rewrite stored items to match the declarations, resumable and rate-limited."""

from __future__ import annotations

from typing import Any

from tablature.errors import ConditionRefused, InputError, TransactionRefused
from tablature.expressions.conditions import absent, all_of, equals
from tablature.operations.actions import MAX_ACTIONS, TransactAction, put_action, sentinel_actions, unexpected_refusal
from tablature.operations.context import OperationContext
from tablature.operations.derived_items import bookkeeping_item, fanout_copies, key_text, primary_key, unique_sentinels
from tablature.operations.deserialization import upcast_item, visible_items
from tablature.operations.effects import Sleep, Steps, batch_get, call, chunks, get_item
from tablature.operations.items import GENERATION, STAGED, build_item, check_size
from tablature.operations.tables import scan_request
from tablature.records import record
from tablature.schema.codec import VERSION_ATTRIBUTE
from tablature.schema.entity import values_of
from tablature.schema.model import EntitySchema
from tablature.wire import AttributeValue, Item, Request

_MAX_ATTEMPTS = 5
_PAGE = 100


@record
class Progress:
    """How far a rewrite got. If `is_done` is False, the next run continues from here."""

    scanned: int
    changed: int
    is_done: bool


def rewrite_items(
    context: OperationContext, schema: EntitySchema, *, only_older: bool, rate: float | None, most_pages: int | None
) -> Steps[Progress]:
    """Scan the table and rewrite every item of the entity that differs from what the declarations imply.

    A checkpoint is stored in the table, so the next run continues an interrupted one."""
    if rate is not None and rate <= 0:
        raise InputError("A rate is a number of items per second above zero.")
    checkpoint = _checkpoint(schema, only_older=only_older)
    physical = context.physical(schema.table)
    saved = yield from get_item("migrate", physical, primary_key(schema.table, checkpoint))
    start: Item | None = saved["place"]["M"] if saved is not None else None
    scanned = changed = pages = 0
    while most_pages is None or pages < most_pages:
        page, start = yield from _scan_page(context, schema, start)
        scanned, pages = scanned + len(page), pages + 1
        for item in page:
            if not only_older or VERSION_ATTRIBUTE not in item or _version(item) < schema.schema_version:
                changed += yield from _rewrite_item(context, schema, item)
        if start is None:
            yield from call(
                "migrate", "DeleteItem", {"TableName": physical, "Key": primary_key(schema.table, checkpoint)}
            )
            return Progress(scanned, changed, is_done=True)
        yield from call("migrate", "PutItem", {"TableName": physical, "Item": {**checkpoint, "place": {"M": start}}})
        if rate is not None:
            yield Sleep(len(page) / rate)
    return Progress(scanned, changed, is_done=False)


def _version(item: Item) -> int:
    return int(item[VERSION_ATTRIBUTE]["N"])


def _checkpoint(schema: EntitySchema, *, only_older: bool) -> Item:
    purpose = "migrate" if only_older else "backfill"
    key = schema.table.delimiter.join(("REWRITE", schema.name, purpose, str(schema.schema_version)))
    return bookkeeping_item(schema.table, "rewrite", key)


def _scan_page(
    context: OperationContext, schema: EntitySchema, start: Item | None
) -> Steps[tuple[list[Item], Item | None]]:
    request: Request = {**scan_request(context, schema, None), "Limit": _PAGE, "ConsistentRead": True}
    if start is not None:
        request["ExclusiveStartKey"] = start
    response = yield from call("migrate", "Scan", request)
    items: list[Item] = response["Items"]
    return visible_items(context, schema, items), response.get("LastEvaluatedKey")


def _rewrite_item(context: OperationContext, schema: EntitySchema, item: Item) -> Steps[bool]:
    """Rewrite one item. False if it is already correct, was deleted, or kept changing."""
    current: Item | None = item
    for _ in range(_MAX_ATTEMPTS):
        if current is None or STAGED in current:
            return False
        actions = yield from _correcting_actions(context, schema, current)
        if not actions:
            return False
        try:
            yield from _send_corrections(actions)
        except (ConditionRefused, TransactionRefused):
            key = primary_key(schema.table, item)
            current = yield from get_item("migrate", context.physical(schema.table), key)
        else:
            return True
    return False


def _correcting_actions(context: OperationContext, schema: EntitySchema, stored: Item) -> Steps[list[TransactAction]]:
    """The writes that correct the item, its copies and its sentinels; empty if all are correct."""
    current = upcast_item(schema, stored)
    kept = {blob.attribute: current[blob.attribute] for blob in schema.blobs if blob.attribute in current}
    plain = {name: value for name, value in current.items() if name not in kept}
    entity = schema.cls.__codec__.decode({**plain, **_placeholders(schema, kept)})  # type: ignore[attr-defined]  # every entity class has a codec
    wanted = build_item(context, entity, plain, kept)
    wanted.update(primary_key(schema.table, stored))
    check_size(context, schema, wanted)
    values = values_of(entity)
    actions: list[TransactAction] = []
    if wanted != {name: value for name, value in stored.items() if name != GENERATION}:
        same = all_of(*(equals(name, value) for name, value in stored.items()), absent(STAGED))
        actions.append(put_action(context, schema.table, wanted, same, unexpected_refusal))
    expected = fanout_copies(schema, values, wanted)
    held = unique_sentinels(context, schema, values, wanted)
    missing = yield from _missing_keys(context, schema, [*expected.values(), *(item for _, item in held.values())])
    actions += [
        put_action(context, schema.table, expected[key], None, unexpected_refusal) for key in expected if key in missing
    ]
    lost = {key: held[key] for key in held if key in missing}
    return actions + sentinel_actions(context, schema, {}, lost, frozenset())


def _placeholders(schema: EntitySchema, kept: dict[str, AttributeValue]) -> Item:
    """Empty values in place of blobs, which a rewrite neither needs nor changes."""
    empty: dict[str, AttributeValue] = {"S": {"S": ""}, "L": {"L": []}, "M": {"M": {}}, "B": {"B": ""}, "*": {"S": ""}}
    return {name: empty.get(schema.attributes[name].kind.wire, {"N": "0"}) for name in kept}


def _missing_keys(context: OperationContext, schema: EntitySchema, wanted: list[Item]) -> Steps[set[tuple[str, ...]]]:
    """The keys of the wanted items that are missing or stored differently."""
    if not wanted:
        return set()
    table = schema.table
    keys = [primary_key(table, item) for item in wanted]
    items = yield from batch_get("migrate", context.physical(table), keys, consistent=True)
    stored = {key_text(table, item): item for item in items}
    return {key_text(table, item) for item in wanted if stored.get(key_text(table, item)) != item}


def _send_corrections(actions: list[TransactAction]) -> Steps[None]:
    """Send the item with its condition first, then derived items, in as few transactions as possible."""
    for part in chunks(actions, MAX_ACTIONS):
        items: list[dict[str, Any]] = [{action.kind: action.request} for action in part]
        yield from call("migrate", "TransactWriteItems", {"TransactItems": items})
