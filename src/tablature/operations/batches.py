"""Batch reads and writes by key. Whatever the service leaves unprocessed is retried."""

from __future__ import annotations

from typing import Any

from tablature.errors import InputError, Throttled
from tablature.operations.commit import execute
from tablature.operations.context import OperationContext
from tablature.operations.derived_items import KeyText, key_text, primary_key
from tablature.operations.deserialization import deserialize, is_visible
from tablature.operations.effects import MAX_BATCH_ATTEMPTS, Parallel, Sleep, Steps, batch_get, call, chunks
from tablature.operations.plan import plan_write
from tablature.operations.writes import Write
from tablature.schema.model import EntitySchema
from tablature.schema.refs import Ref
from tablature.wire import Item, Request

MAX_WRITES, MAX_TRANSACT_GETS = 25, 100


def get_many(context: OperationContext, refs: list[Ref[Any]], *, consistent: bool) -> Steps[list[Any]]:
    """The entities in the order of the references, with None for missing ones."""
    items_by_key: dict[tuple[str, KeyText], Item] = {}
    for table in {ref.schema.table.name: ref.schema.table for ref in refs}.values():
        keys = {key_text(table, ref.key): ref.key for ref in refs if ref.schema.table is table}
        items = yield from batch_get("get_many", context.physical(table), list(keys.values()), consistent=consistent)
        items_by_key.update({(table.name, key_text(table, item)): item for item in items})
    results = []
    for ref in refs:
        item = items_by_key.get((ref.schema.table.name, key_text(ref.schema.table, ref.key)))
        visible = item is not None and is_visible(context, ref.schema, item)
        results.append((yield from deserialize(context, ref.schema, item)) if visible and item is not None else None)
    return results


def get_snapshot(context: OperationContext, refs: list[Ref[Any]]) -> Steps[list[Any]]:
    """The entities as of one moment (TransactGetItems), with None for missing ones."""
    if len(refs) > MAX_TRANSACT_GETS:
        raise InputError(f"At most {MAX_TRANSACT_GETS} items can be read at one moment, not {len(refs)}.")
    gets = [{"Get": {"TableName": context.physical(ref.schema.table), "Key": ref.key}} for ref in refs]
    request: Request = {"TransactItems": gets, "ReturnConsumedCapacity": "TOTAL"}
    response = yield from call("snapshot", "TransactGetItems", request)
    results = []
    for ref, entry in zip(refs, response["Responses"], strict=True):
        item = entry.get("Item")
        visible = item and is_visible(context, ref.schema, item)
        results.append((yield from deserialize(context, ref.schema, item)) if visible else None)
    return results


def write_many(context: OperationContext, writes: list[Write[Any]]) -> Steps[None]:
    """Send unconditional puts and deletes in batches, and every other write separately."""
    plain: list[Write[Any]] = []
    special: list[Write[Any]] = []
    for write in writes:
        (plain if _is_batchable(write) else special).append(write)
    requests: dict[tuple[str, KeyText], tuple[str, Request]] = {}
    for write in plain:
        table = write.schema.table
        requests[table.name, key_text(table, write.ref.key)] = (
            context.physical(table),
            _batch_request(context, write),
        )
    parts = chunks(list(requests.values()), MAX_WRITES)
    yield Parallel(tuple(_write_chunk(part) for part in parts))
    for write in special:
        yield from execute(context, (write,), write.name)


def _is_batchable(write: Write[Any]) -> bool:
    schema: EntitySchema = write.schema
    derived = schema.fanouts or schema.uniques or schema.blobs or schema.version is not None
    return write.verb in ("put", "delete") and not derived and write.when is None and write.event is None


def _batch_request(context: OperationContext, write: Write[Any]) -> Request:
    planned = plan_write(context, write, None)
    assert planned is not None
    if planned.item is not None:
        return {"PutRequest": {"Item": planned.item}}
    return {"DeleteRequest": {"Key": primary_key(write.schema.table, write.ref.key)}}


def _write_chunk(requests: list[tuple[str, Request]]) -> Steps[None]:
    left: dict[str, list[Request]] = {}
    for table, write in requests:
        left.setdefault(table, []).append(write)
    for turn in range(MAX_BATCH_ATTEMPTS):
        request = {"RequestItems": left, "ReturnConsumedCapacity": "TOTAL"}
        response = yield from call("write_many", "BatchWriteItem", request)
        left = response.get("UnprocessedItems") or {}
        if not left:
            return
        yield Sleep(0.025 * 2**turn)
    raise Throttled("UnprocessedItems", "the service left part of a batch undone every time; try again later")
