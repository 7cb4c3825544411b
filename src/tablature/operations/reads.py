"""Reads one item, by key or by a unique value, and pages of a query. The limit counts results."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from decimal import Decimal
from math import ceil
from typing import Any, Generic, TypeVar

from tablature.errors import DoesNotExist, InputError
from tablature.operations.context import OperationContext
from tablature.operations.cursors import Position, decode_cursor, encode_cursor
from tablature.operations.derived_items import key_text, primary_key, sentinel_holder, sentinel_key
from tablature.operations.deserialization import decode_item, deserialize, deserialize_all, visible_items
from tablature.operations.effects import Parallel, ServiceCall, Steps, batch_get, call
from tablature.operations.items import GENERATION, MARKER, current_value, is_expired
from tablature.operations.query_plan import QueryPlan, plan_query
from tablature.operations.staged_fanout import main_item_key, visible_copy
from tablature.records import mutable_record, record, record_field
from tablature.schema.codec import absent_value
from tablature.schema.declarations import Thin
from tablature.schema.fields import FieldSchema
from tablature.schema.model import EntitySchema, FanoutPath, PatternSchema, UniqueSchema
from tablature.schema.patterns import LARGEST_PAGE, Query
from tablature.schema.refs import Ref
from tablature.wire import Item, Request

E = TypeVar("E")


@record
class Page(Generic[E]):
    """Some results, and the cursor for the next page; no cursor means that there are no more."""

    items: list[E]
    cursor: str | None = None

    def __iter__(self) -> Iterator[E]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def get(context: OperationContext, ref: Ref[E], *, consistent: bool) -> Steps[E | None]:
    """The entity, or None if it doesn't exist or has expired."""
    schema, table = ref.schema, ref.schema.table
    request: Request = {"TableName": context.physical(table), "Key": ref.key, "ReturnConsumedCapacity": "TOTAL"}
    if consistent:
        request["ConsistentRead"] = True
    response = yield ServiceCall(schema.get_name, "GetItem", request)
    item: Item | None = response.get("Item")
    if item is None or MARKER in item or (table.ttl is not None and is_expired(schema, item, context.epoch())):
        return None
    entity: E | None = (yield from deserialize(context, schema, item)) if schema.blobs else decode_item(schema, item)
    return entity


def require(context: OperationContext, ref: Ref[E], *, consistent: bool) -> Steps[E]:
    """The entity. Raises DoesNotExist if there is none."""
    entity = yield from get(context, ref, consistent=consistent)
    if entity is None:
        raise DoesNotExist(f"{ref!r} does not exist.")
    return entity


@mutable_record
class PartitionReader:
    """Reads one partition ahead. `last_returned` is the position of the last item returned."""

    request: Request
    last_returned: Position = None
    buffered: list[tuple[Item, Item]] = record_field(default_factory=list)
    has_more: bool = True
    start: Item | None = None

    @property
    def is_done(self) -> bool:
        return not self.buffered and not self.has_more

    def position(self) -> Position:
        """Where the next page continues: after the last item returned, or after everything read."""
        if self.is_done:
            return True
        return self.last_returned if self.buffered or self.start is None else self.start


def query_page(context: OperationContext, query: Query[E], *, limit: int | None, cursor: str | None) -> Steps[Page[E]]:
    """One page of results: exactly `limit` of them if there are that many."""
    limit = query.pattern.page if limit is None else limit
    if not 1 <= limit <= LARGEST_PAGE:
        raise InputError(f"A page has 1 to {LARGEST_PAGE} items, not {limit}.")
    plan = plan_query(context, query)
    readers = [PartitionReader(request) for request in plan.requests]
    if cursor is not None:
        _resume_readers(readers, decode_cursor(context, query, cursor, len(readers)))
    items = yield from _next_items(context, plan, readers, limit)
    results: list[E] = yield from _results(context, query.pattern, items)
    if not plan.has_filter and not any(reader.buffered for reader in readers):
        yield from _read_ahead(context, plan, readers, 1)
    is_over = all(reader.is_done for reader in readers)
    return Page(results, None if is_over else encode_cursor(context, query, [reader.position() for reader in readers]))


def count_results(context: OperationContext, query: Query[Any], *, upto: int | None) -> Steps[int]:
    """How many results there are, at most `upto`. Items are read, but not decoded."""
    plan = plan_query(context, query)
    readers = [PartitionReader(request) for request in plan.requests]
    limit, count = float("inf") if upto is None else upto, 0
    while count < limit and not all(reader.is_done for reader in readers):
        yield from _read_ahead(context, plan, readers, LARGEST_PAGE if upto is None else upto - count)
        for reader in readers:
            count += len(reader.buffered)
            reader.buffered.clear()
    return int(min(count, limit))


def _resume_readers(readers: list[PartitionReader], positions: list[Position]) -> None:
    for reader, position in zip(readers, positions, strict=True):
        if position is True:
            reader.has_more = False
        elif isinstance(position, dict):
            reader.start = reader.last_returned = position


def _next_items(
    context: OperationContext, plan: QueryPlan, readers: list[PartitionReader], limit: int
) -> Steps[list[Item]]:
    """The next items in order over all partitions."""
    items: list[Item] = []
    while len(items) < limit:
        yield from _read_ahead(context, plan, readers, limit - len(items))
        ready = [reader for reader in readers if reader.buffered]
        if not ready:
            break
        if len(ready) == 1 and len(readers) == 1:
            taken, ready[0].buffered = ready[0].buffered[: limit - len(items)], ready[0].buffered[limit - len(items) :]
            items += [shown for _, shown in taken]
            ready[0].last_returned = _position_of(plan.pattern, taken[-1][0])
            continue
        items += _merge_ordered(plan.pattern, ready, limit - len(items))
    return items


def _merge_ordered(pattern: PatternSchema, readers: list[PartitionReader], limit: int) -> list[Item]:
    """Merge the buffered items of several partitions in order, until there are enough or a buffer runs out."""
    attribute = pattern.path.sort.attribute if pattern.path.sort else None
    orders = [[_sort_value(attribute, raw) for raw, _ in reader.buffered[:limit]] for reader in readers]
    choose = max if pattern.order == "descending" else min
    places, left = [0] * len(readers), list(range(len(readers)))
    merged: list[Item] = []
    while left and len(merged) < limit:
        best = choose(left, key=lambda reader: orders[reader][places[reader]])
        merged.append(readers[best].buffered[places[best]][1])
        places[best] += 1
        if places[best] == len(orders[best]):
            if readers[best].has_more:
                break
            left.remove(best)
    for reader, place in zip(readers, places, strict=True):
        if place:
            reader.last_returned = _position_of(pattern, reader.buffered[place - 1][0])
            del reader.buffered[:place]
    return merged


def _sort_value(attribute: str | None, item: Item) -> Any:
    """The value that partitions are merged by: numbers exactly, everything else by its bytes."""
    if attribute is None:
        return 0
    ((kind, value),) = item[attribute].items()
    if kind == "N":
        return Decimal(value)
    return b64decode(value) if kind == "B" else value.encode()


def _read_ahead(context: OperationContext, plan: QueryPlan, readers: list[PartitionReader], wanted: int) -> Steps[None]:
    """Fill empty buffers. Repeats, because a page may contain no visible item."""
    while True:
        dry = [reader for reader in readers if not reader.buffered and reader.has_more]
        if not dry:
            return
        size = _request_size(plan, wanted, len(readers))
        if len(dry) == 1:
            yield from _read(context, plan, dry[0], size)
            continue
        yield Parallel(tuple(_read(context, plan, reader, size) for reader in dry))


def _request_size(plan: QueryPlan, wanted: int, partitions: int) -> int:
    """One more than wanted, to recognize the last page; more with a filter, because it drops items."""
    share = wanted + 1 if partitions == 1 else ceil(wanted / partitions) + 2
    return min(LARGEST_PAGE, max(share, plan.pattern.page) if plan.has_filter else share)


def _read(context: OperationContext, plan: QueryPlan, reader: PartitionReader, size: int) -> Steps[None]:
    request = {**reader.request, "Limit": size}
    if reader.start is not None:
        request["ExclusiveStartKey"] = reader.start
    response = yield from call(plan.pattern.name, "Query", request)
    reader.start = response.get("LastEvaluatedKey")
    reader.has_more = reader.start is not None
    items: list[Item] = response["Items"]
    reader.buffered += yield from _visible_items(context, plan.pattern, items)


def _visible_items(
    context: OperationContext, pattern: PatternSchema, items: list[Item]
) -> Steps[list[tuple[Item, Item]]]:
    """The visible items, each as read and as it will be returned."""
    schema, path = pattern.entity, pattern.path
    if not isinstance(path, FanoutPath):
        visible = visible_items(context, schema, items)
        return list(zip(visible, visible, strict=True))
    epoch = context.epoch()
    copies = [i for i in items if MARKER not in i and _is_copy(path, i) and not is_expired(schema, i, epoch)]
    generations = yield from _generations(context, schema, copies)
    shown = []
    for item in copies:
        main = main_item_key(item)
        seen: Item | None = item
        if main is not None:
            main_item = generations.get(key_text(schema.table, main))
            seen = visible_copy(item, (main_item or {}).get(GENERATION), main_exists=main_item is not None)
        if seen is not None:
            shown.append((item, seen))
    return shown


def _is_copy(path: FanoutPath, item: Item) -> bool:
    return all(part.template.matches(next(iter(item[part.attribute].values()))) for part in path.parts)


def _generations(
    context: OperationContext, schema: EntitySchema, items: list[Item]
) -> Steps[dict[tuple[str, ...], Item]]:
    """The main items of staged copies, whose generation decides which state of a copy is valid."""
    mains = {key_text(schema.table, main): main for item in items if (main := main_item_key(item)) is not None}
    if not mains:
        return {}
    main_items = yield from batch_get("staging", context.physical(schema.table), list(mains.values()), consistent=True)
    return {key_text(schema.table, item): item for item in main_items}


def _position_of(pattern: PatternSchema, item: Item) -> Item:
    """The key from which the service continues after this item."""
    attributes = dict.fromkeys(part.attribute for part in pattern.path.parts)
    return {name: item[name] for name in (*attributes, *pattern.entity.table.key_attributes)}


def _results(context: OperationContext, pattern: PatternSchema, items: list[Item]) -> Steps[list[Any]]:
    schema, path = pattern.entity, pattern.path
    if isinstance(path, FanoutPath):
        return [_decode_copy(schema, path, item) for item in items]
    if path.index is not None and schema.table.index(path.index).projection != "ALL":
        items = yield from _full_items(context, pattern, items)
    return (yield from deserialize_all(context, schema, items))


def _full_items(context: OperationContext, pattern: PatternSchema, items: list[Item]) -> Steps[list[Item]]:
    """The complete items, if the index stores only some attributes."""
    table = pattern.entity.table
    keys = {key_text(table, item): primary_key(table, item) for item in items}
    full_items = yield from batch_get(pattern.name, context.physical(table), list(keys.values()), consistent=False)
    by_key = {key_text(table, item): item for item in full_items}
    return [by_key[key] for key in keys if key in by_key]


def _decode_copy(schema: EntitySchema, path: FanoutPath, item: Item) -> Any:
    key_values = dict[str, Any]()
    for part in path.parts:
        key_values.update(part.template.parse(next(iter(item[part.attribute].values()))) or {})
    values = {name: _copied_value(schema, schema.fields[name], item, key_values) for name in path.fields}
    if path.view is not None:
        return path.view(**values)
    return Thin(**values, **({"each": key_values["each"]} if "each" in key_values else {}))


def _copied_value(schema: EntitySchema, field: FieldSchema, item: Item, key_values: dict[str, Any]) -> Any:
    """A field of a copy. If the attribute is missing, its value is taken from the copy's key or the default."""
    value = current_value(schema, field, item)
    return value if value is not None else key_values.get(field.name, absent_value(field))


def find_unique(context: OperationContext, cls: type[E], values: Mapping[str, Any]) -> Steps[E | None]:
    """The entity with these values of a unique constraint, or None."""
    schema: EntitySchema = cls.__schema__  # type: ignore[attr-defined]  # every entity class has a schema
    unique, table = _matching_constraint(schema, values), schema.table
    key: Item = sentinel_key(schema, unique, values)
    request: Request = {"TableName": context.physical(table), "Key": key, "ReturnConsumedCapacity": "TOTAL"}
    response = yield ServiceCall(f"{schema.name}.{unique.name}", "GetItem", {**request, "ConsistentRead": True})
    holder = sentinel_holder(response.get("Item"))
    if holder is None:
        return None
    held: Item = {name: {"S": text} for name, text in zip(table.key_attributes, holder, strict=True)}
    entity = yield from get(context, Ref(cls, schema, held, values), consistent=True)
    # A sentinel with a window outlives its value, so the item may have other values by now.
    same = entity is not None and all(getattr(entity, name) == value for name, value in values.items())
    return entity if same else None


def _matching_constraint(schema: EntitySchema, values: Mapping[str, Any]) -> UniqueSchema:
    for unique in schema.uniques:
        if set(unique.fields) == set(values):
            return unique
    raise InputError(f"{schema.name} has no unique constraint on {', '.join(sorted(values)) or 'nothing'}.")
