"""Many items by key in few requests, with whatever the service left undone asked for again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from tablature.errors import InputError, Throttled
from tablature.operations.commit import execute
from tablature.operations.context import Context
from tablature.operations.copies import KeyText, key_of, key_text
from tablature.operations.effects import Steps, Together, Wait, call
from tablature.operations.plan import plan
from tablature.operations.revival import is_visible, revive
from tablature.operations.writes import Write
from tablature.schema.model import EntitySchema
from tablature.schema.refs import Ref
from tablature.wire import Item, Request

T = TypeVar("T")
MOST_GETS, MOST_WRITES, MOST_TRANSACT_GETS = 100, 25, 100
_MOST_TURNS = 12


def chunks(values: list[T], size: int) -> Iterable[list[T]]:
    return (values[at : at + size] for at in range(0, len(values), size))


def get_many(context: Context, refs: list[Ref[Any]], *, consistent: bool) -> Steps[list[Any]]:
    """The entities in the order of the references, None where there is none."""
    found: dict[tuple[str, KeyText], Item] = {}
    for table in {ref.schema.table.name: ref.schema.table for ref in refs}.values():
        keys = {key_text(table, ref.key): ref.key for ref in refs if ref.schema.table is table}
        items = yield from batch_get("get_many", context.physical(table), list(keys.values()), consistent=consistent)
        found.update({(table.name, key_text(table, item)): item for item in items})
    results = []
    for ref in refs:
        item = found.get((ref.schema.table.name, key_text(ref.schema.table, ref.key)))
        visible = item is not None and is_visible(context, ref.schema, item)
        results.append((yield from revive(context, ref.schema, item)) if visible and item is not None else None)
    return results


def batch_get(name: str, table: str, keys: list[Item], *, consistent: bool) -> Steps[list[Item]]:
    """The stored items under these keys, in no order; each key must be there once."""
    parts = yield Together(tuple(_get_chunk(name, table, part, consistent) for part in chunks(keys, MOST_GETS)))
    return [item for part in parts for item in part]


def _get_chunk(name: str, table: str, keys: list[Item], consistent: bool) -> Steps[list[Item]]:
    wanted: Request = {table: {"Keys": keys, "ConsistentRead": consistent}}
    found: list[Item] = []
    for turn in range(_MOST_TURNS):
        response = yield from call(name, "BatchGetItem", {"RequestItems": wanted, "ReturnConsumedCapacity": "TOTAL"})
        found += response.get("Responses", {}).get(table, [])
        wanted = response.get("UnprocessedKeys") or {}
        if not wanted:
            return found
        yield Wait(0.025 * 2**turn)
    raise Throttled("UnprocessedKeys", "the service left part of a batch undone every time; try again later")


def get_together(context: Context, refs: list[Ref[Any]]) -> Steps[list[Any]]:
    """The entities as they were at one moment, None where there is none."""
    if len(refs) > MOST_TRANSACT_GETS:
        raise InputError(f"At most {MOST_TRANSACT_GETS} items can be read at one moment, not {len(refs)}.")
    gets = [{"Get": {"TableName": context.physical(ref.schema.table), "Key": ref.key}} for ref in refs]
    request: Request = {"TransactItems": gets, "ReturnConsumedCapacity": "TOTAL"}
    response = yield from call("snapshot", "TransactGetItems", request)
    results = []
    for ref, answer in zip(refs, response["Responses"], strict=True):
        item = answer.get("Item")
        visible = item and is_visible(context, ref.schema, item)
        results.append((yield from revive(context, ref.schema, item)) if visible else None)
    return results


def write_many(context: Context, writes: list[Write[Any]]) -> Steps[None]:
    """Puts and deletes without conditions in batches; whatever needs a condition or a transaction goes by itself."""
    plain: list[Write[Any]] = []
    special: list[Write[Any]] = []
    for write in writes:
        (plain if _is_plain(write) else special).append(write)
    requests: dict[tuple[str, KeyText], tuple[str, Request]] = {}
    for write in plain:
        table = write.schema.table
        requests[table.name, key_text(table, write.ref.key)] = (context.physical(table), _request(context, write))
    parts = chunks(list(requests.values()), MOST_WRITES)
    yield Together(tuple(_write_chunk(part) for part in parts))
    for write in special:
        yield from execute(context, (write,), write.name)


def _is_plain(write: Write[Any]) -> bool:
    schema: EntitySchema = write.schema
    derived = schema.fanouts or schema.uniques or schema.blobs or schema.version is not None
    return write.verb in ("put", "delete") and not derived and write.when is None and write.event is None


def _request(context: Context, write: Write[Any]) -> Request:
    planned = plan(context, write, None)
    assert planned is not None
    if planned.item is not None:
        return {"PutRequest": {"Item": planned.item}}
    return {"DeleteRequest": {"Key": key_of(write.schema.table, write.ref.key)}}


def _write_chunk(requests: list[tuple[str, Request]]) -> Steps[None]:
    left: dict[str, list[Request]] = {}
    for table, request in requests:
        left.setdefault(table, []).append(request)
    for turn in range(_MOST_TURNS):
        whole = {"RequestItems": left, "ReturnConsumedCapacity": "TOTAL"}
        response = yield from call("write_many", "BatchWriteItem", whole)
        left = response.get("UnprocessedItems") or {}
        if not left:
            return
        yield Wait(0.025 * 2**turn)
    raise Throttled("UnprocessedItems", "the service left part of a batch undone every time; try again later")
