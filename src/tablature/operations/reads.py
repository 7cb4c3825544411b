"""Reads one item, by key or by a unique value, and pages of a query. The limit counts results after filtering."""

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
from tablature.operations.deserialization import decode_item, deserialize, deserialize_all, is_visible
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
    """Some results, and the cursor that continues after them; no cursor means that there are no more."""

    items: list[E]
    cursor: str | None = None

    def __iter__(self) -> Iterator[E]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def get(context: OperationContext, ref: Ref[E], *, consistent: bool) -> Steps[E | None]:
    """The entity, or None where there is none or its time is over."""
    schema, table = ref.schema, ref.schema.table
    request: Request = {"TableName": context.physical(table), "Key": ref.key, "ReturnConsumedCapacity": "TOTAL"}
    if consistent:
        request["ConsistentRead"] = True
    response = yield ServiceCall(schema.get_name, "GetItem", request)
    item: Item | None = response.get("Item")
    if item is None or MARKER in item or (table.ttl is not None and is_expired(schema, item, context.epoch())):
        return None
    found: E | None = (yield from deserialize(context, schema, item)) if schema.blobs else decode_item(schema, item)
    return found


def require(context: OperationContext, ref: Ref[E], *, consistent: bool) -> Steps[E]:
    """The entity, which must exist."""
    found = yield from get(context, ref, consistent=consistent)
    if found is None:
        raise DoesNotExist(f"{ref!r} does not exist.")
    return found


@mutable_record
class PartitionReader:
    """What was read ahead of one partition. `after` is the position behind the last item handed out."""

    request: Request
    after: Position = None
    ahead: list[tuple[Item, Item]] = record_field(default_factory=list)
    goes_on: bool = True
    start: Item | None = None

    @property
    def is_done(self) -> bool:
        return not self.ahead and not self.goes_on

    def position(self) -> Position:
        """Where to go on: behind the last item handed out, or behind everything read where nothing is left over."""
        if self.is_done:
            return True
        return self.after if self.ahead or self.start is None else self.start


def query_page(context: OperationContext, query: Query[E], *, limit: int | None, cursor: str | None) -> Steps[Page[E]]:
    """One page: as many results as the limit says, if there are that many."""
    limit = query.pattern.page if limit is None else limit
    if not 1 <= limit <= LARGEST_PAGE:
        raise InputError(f"A page has 1 to {LARGEST_PAGE} items, not {limit}.")
    plan = plan_query(context, query)
    streams = [PartitionReader(request) for request in plan.requests]
    if cursor is not None:
        _resume_readers(streams, decode_cursor(context, query, cursor, len(streams)))
    found = yield from _next_items(context, plan, streams, limit)
    results: list[E] = yield from _results(context, query.pattern, found)
    if not plan.has_filter and not any(stream.ahead for stream in streams):
        yield from _read_ahead(context, plan, streams, 1)
    is_over = all(stream.is_done for stream in streams)
    return Page(results, None if is_over else encode_cursor(context, query, [stream.position() for stream in streams]))


def count_results(context: OperationContext, query: Query[Any], *, upto: int | None) -> Steps[int]:
    """How many results there are, or `upto` where there are more; they are read, but no entities are made of them."""
    plan = plan_query(context, query)
    streams = [PartitionReader(request) for request in plan.requests]
    most, found = float("inf") if upto is None else upto, 0
    while found < most and not all(stream.is_done for stream in streams):
        yield from _read_ahead(context, plan, streams, LARGEST_PAGE if upto is None else upto - found)
        for stream in streams:
            found += len(stream.ahead)
            stream.ahead.clear()
    return int(min(found, most))


def _resume_readers(streams: list[PartitionReader], positions: list[Position]) -> None:
    for stream, position in zip(streams, positions, strict=True):
        if position is True:
            stream.goes_on = False
        elif isinstance(position, dict):
            stream.start = stream.after = position


def _next_items(
    context: OperationContext, plan: QueryPlan, streams: list[PartitionReader], limit: int
) -> Steps[list[Item]]:
    """The next items in order over all partitions."""
    found: list[Item] = []
    while len(found) < limit:
        yield from _read_ahead(context, plan, streams, limit - len(found))
        ready = [stream for stream in streams if stream.ahead]
        if not ready:
            break
        if len(ready) == 1 and len(streams) == 1:
            taken, ready[0].ahead = ready[0].ahead[: limit - len(found)], ready[0].ahead[limit - len(found) :]
            found += [shown for _, shown in taken]
            ready[0].after = _position_of(plan.pattern, taken[-1][0])
            continue
        found += _merge_ordered(plan.pattern, ready, limit - len(found))
    return found


def _merge_ordered(pattern: PatternSchema, streams: list[PartitionReader], limit: int) -> list[Item]:
    """The next items of several partitions in order, until there are enough or one of them must be read on."""
    attribute = pattern.path.sort.attribute if pattern.path.sort else None
    orders = [[_sort_value(attribute, raw) for raw, _ in stream.ahead[:limit]] for stream in streams]
    choose = max if pattern.order == "descending" else min
    places, left = [0] * len(streams), list(range(len(streams)))
    found: list[Item] = []
    while left and len(found) < limit:
        best = choose(left, key=lambda stream: orders[stream][places[stream]])
        found.append(streams[best].ahead[places[best]][1])
        places[best] += 1
        if places[best] == len(orders[best]):
            if streams[best].goes_on:
                break
            left.remove(best)
    for stream, place in zip(streams, places, strict=True):
        if place:
            stream.after = _position_of(pattern, stream.ahead[place - 1][0])
            del stream.ahead[:place]
    return found


def _sort_value(attribute: str | None, item: Item) -> Any:
    """What partitions are merged by; numbers compare as numbers, to the last digit, and all else by its bytes."""
    if attribute is None:
        return 0
    ((kind, value),) = item[attribute].items()
    if kind == "N":
        return Decimal(value)
    return b64decode(value) if kind == "B" else value.encode()


def _read_ahead(context: OperationContext, plan: QueryPlan, streams: list[PartitionReader], wanted: int) -> Steps[None]:
    """Read on wherever nothing is left ahead; a page may hold nothing that can be seen."""
    while True:
        dry = [stream for stream in streams if not stream.ahead and stream.goes_on]
        if not dry:
            return
        size = _request_size(plan, wanted, len(streams))
        yield Parallel(tuple(_read(context, plan, stream, size) for stream in dry))


def _request_size(plan: QueryPlan, wanted: int, partitions: int) -> int:
    """One more than wanted, so that the last page is known to be the last; a filter needs a longer look."""
    share = wanted + 1 if partitions == 1 else ceil(wanted / partitions) + 2
    return min(LARGEST_PAGE, max(share, plan.pattern.page) if plan.has_filter else share)


def _read(context: OperationContext, plan: QueryPlan, stream: PartitionReader, size: int) -> Steps[None]:
    request = {**stream.request, "Limit": size}
    if stream.start is not None:
        request["ExclusiveStartKey"] = stream.start
    response = yield from call(plan.pattern.name, "Query", request)
    stream.start = response.get("LastEvaluatedKey")
    stream.goes_on = stream.start is not None
    items: list[Item] = response["Items"]
    stream.ahead += yield from _visible_items(context, plan.pattern, items)


def _visible_items(
    context: OperationContext, pattern: PatternSchema, items: list[Item]
) -> Steps[list[tuple[Item, Item]]]:
    """The items that the pattern's entity can see, each as read and as it is to be shown."""
    schema, path = pattern.entity, pattern.path
    if not isinstance(path, FanoutPath):
        return [(item, item) for item in items if is_visible(context, schema, item)]
    epoch = context.epoch()
    mine = [i for i in items if MARKER not in i and _is_copy(path, i) and not is_expired(schema, i, epoch)]
    generations = yield from _generations(context, schema, mine)
    shown = []
    for item in mine:
        main = main_item_key(item)
        seen: Item | None = item
        if main is not None:
            known = generations.get(key_text(schema.table, main))
            seen = visible_copy(item, (known or {}).get(GENERATION), main_exists=known is not None)
        if seen is not None:
            shown.append((item, seen))
    return shown


def _is_copy(path: FanoutPath, item: Item) -> bool:
    return all(part.template.matches(next(iter(item[part.attribute].values()))) for part in path.parts)


def _generations(
    context: OperationContext, schema: EntitySchema, items: list[Item]
) -> Steps[dict[tuple[str, ...], Item]]:
    """The main items that decide which state of a staged copy counts."""
    mains = {key_text(schema.table, main): main for item in items if (main := main_item_key(item)) is not None}
    if not mains:
        return {}
    found = yield from batch_get("staging", context.physical(schema.table), list(mains.values()), consistent=True)
    return {key_text(schema.table, item): item for item in found}


def _position_of(pattern: PatternSchema, item: Item) -> Item:
    """The key from which the service goes on after this item."""
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
    """The items themselves, where the index holds only a part of them."""
    table = pattern.entity.table
    keys = {key_text(table, item): primary_key(table, item) for item in items}
    found = yield from batch_get(pattern.name, context.physical(table), list(keys.values()), consistent=False)
    by_key = {key_text(table, item): item for item in found}
    return [by_key[key] for key in keys if key in by_key]


def _decode_copy(schema: EntitySchema, path: FanoutPath, item: Item) -> Any:
    told = dict[str, Any]()
    for part in path.parts:
        told.update(part.template.parse(next(iter(item[part.attribute].values()))) or {})
    values = {name: _copied_value(schema, schema.fields[name], item, told) for name in path.fields}
    if path.view is not None:
        return path.view(**values)
    return Thin(**values, **({"each": told["each"]} if "each" in told else {}))


def _copied_value(schema: EntitySchema, field: FieldSchema, item: Item, told: dict[str, Any]) -> Any:
    """A field of a copy; one that another program left out may be told by the copy's key."""
    value = current_value(schema, field, item)
    return value if value is not None else told.get(field.name, absent_value(field))


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
    found = yield from get(context, Ref(cls, schema, held, values), consistent=True)
    # A window leaves its sentinel behind; what it names may say something else by now.
    same = found is not None and all(getattr(found, name) == value for name, value in values.items())
    return found if same else None


def _matching_constraint(schema: EntitySchema, values: Mapping[str, Any]) -> UniqueSchema:
    for unique in schema.uniques:
        if set(unique.fields) == set(values):
            return unique
    raise InputError(f"{schema.name} has nothing unique made of {', '.join(sorted(values)) or 'nothing'}.")
