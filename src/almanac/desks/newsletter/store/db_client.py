"""The newsletter table as plain dicts under its documented item names; async, or blocking with `_sync`."""

from collections.abc import Mapping
from typing import Any

from almanac.desks.newsletter.store.table import NewsletterRecord, newsletters
from almanac.kit.messages import gettext
from tablature.async_runner import AsyncEffectRunner
from tablature.errors import ConditionRefused, DoesNotExist, InputError
from tablature.expressions.builder import ExpressionBuilder
from tablature.expressions.conditions import FunctionCondition, equals, exists
from tablature.objects import Objects
from tablature.operations import effects
from tablature.operations.blobs import delete_unused_blobs, load_blobs
from tablature.operations.context import OperationContext, make_context
from tablature.operations.cost import Meter
from tablature.operations.derived_keys import check_allowed_changes
from tablature.operations.effects import Parallel, Steps
from tablature.operations.items import MARKER, check_size
from tablature.operations.writes import raw
from tablature.runner import EffectRunner
from tablature.schema.collections import matches_primary_key
from tablature.schema.entity import schema_of, values_of
from tablature.schema.model import EntitySchema
from tablature.transport.port import Transport
from tablature.wire import Item, Request, from_wire, to_wire

PlainItem = dict[str, object]
_NEWSLETTER = schema_of(NewsletterRecord)


def get_item_steps(context: OperationContext, pk: str, sk: str) -> Steps[PlainItem | None]:
    """The item under a key, or None."""
    item = yield from effects.get_item("db_client.get_item", context.physical(newsletters), _key(pk, sk))
    return None if item is None else (yield from _plain(item))


def put_item_steps(context: OperationContext, item: Mapping[str, object]) -> Steps[None]:
    """Store an item as it is, with index keys derived from its fields if it has none."""
    wire = {name: to_wire(value) for name, value in item.items()}
    if not {"PK", "SK"} <= wire.keys():
        raise InputError(gettext("An item needs both PK and SK."))
    schema = _ours(wire)
    entity = schema.cls.__codec__.decode(wire)  # type: ignore[attr-defined]  # every entity class has a codec
    wire = {**_implied_keys(schema, wire, values_of(entity)), **wire}
    check_size(context, schema, wire)
    request = _request(context, Item=wire, ReturnValues="ALL_OLD")
    response = yield from effects.call("db_client.put_item", "PutItem", request)
    yield from delete_unused_blobs(response.get("Attributes"), wire, schema)


def update_item_steps(
    context: OperationContext, pk: str, sk: str, expression: str, values: Mapping[str, object], names: Mapping[str, str]
) -> Steps[PlainItem]:
    """Apply an update expression; a missing step is created, a missing newsletter raises DoesNotExist."""
    schema = _ours(_key(pk, sk))
    update = raw(expression, values=dict(values), names=dict(names))
    check_allowed_changes(schema, (), update.attributes())
    blobs = {blob.attribute for blob in schema.blobs} & update.attributes()
    old = (yield from _stored(context, pk, sk)) if blobs else None
    expressions = ExpressionBuilder()
    expressions.merge(update.names, update.values)
    condition = exists("PK").render(expressions) if schema is _NEWSLETTER else None
    request = _request(context, Key=_key(pk, sk), ReturnValues="ALL_NEW")
    expressions.into(request, UpdateExpression=expression, ConditionExpression=condition)
    try:
        response = yield from effects.call("db_client.update_item", "UpdateItem", request)
    except ConditionRefused as refusal:
        raise DoesNotExist(gettext("There is no newsletter %(pk)s; create it before updating it.", pk=pk)) from refusal
    yield from delete_unused_blobs(old, response["Attributes"], schema)
    return (yield from _plain(response["Attributes"]))


def delete_item_steps(context: OperationContext, pk: str, sk: str) -> Steps[None]:
    """Delete an item of a newsletter, if it exists."""
    schema = _ours(_key(pk, sk))
    request = _request(context, Key=_key(pk, sk), ReturnValues="ALL_OLD")
    response = yield from effects.call("db_client.delete_item", "DeleteItem", request)
    yield from delete_unused_blobs(response.get("Attributes"), {}, schema)


def query_items_steps(
    context: OperationContext,
    pk: str,
    index_name: str | None,
    sk_begins_with: str | None,
    *,
    forward: bool,
    limit: int | None,
) -> Steps[list[PlainItem]]:
    """Every item of a partition or of an index's partition, up to the limit."""
    index = None if index_name is None else newsletters.index(index_name)
    pk_name, sk_name = ("PK", "SK") if index is None else (index.pk, str(index.sk))
    expressions = ExpressionBuilder()
    key = equals(pk_name, {"S": pk}).render(expressions)
    if sk_begins_with is not None:
        key += f" AND {FunctionCondition('begins_with', (sk_name,), {'S': sk_begins_with}).render(expressions)}"
    request = expressions.into(_request(context, ScanIndexForward=forward), KeyConditionExpression=key)
    if index_name is not None:
        request["IndexName"] = index_name
    items = yield from _pages(request, limit)
    plain_items: list[PlainItem] = yield Parallel(tuple(_plain(item) for item in items))
    return plain_items


def _pages(request: Request, limit: int | None) -> Steps[list[Item]]:
    items: list[Item] = []
    while limit is None or len(items) < limit:
        if limit is not None:
            request["Limit"] = limit - len(items)
        response = yield from effects.call("db_client.query_items", "Query", request)
        items += [item for item in response["Items"] if MARKER not in item]
        if "LastEvaluatedKey" not in response:
            break
        request["ExclusiveStartKey"] = response["LastEvaluatedKey"]
    return items


def _request(context: OperationContext, **members: Any) -> Request:
    return {"TableName": context.physical(newsletters), "ReturnConsumedCapacity": "TOTAL", **members}


def _key(pk: str, sk: str) -> Item:
    return {"PK": {"S": pk}, "SK": {"S": sk}}


def _stored(context: OperationContext, pk: str, sk: str) -> Steps[Item | None]:
    return (yield from effects.get_item("db_client.update_item", context.physical(newsletters), _key(pk, sk)))


def _entity_of(item: Item) -> EntitySchema | None:
    return next((schema for schema in newsletters.entities.values() if matches_primary_key(schema, item)), None)


def _ours(item: Item) -> EntitySchema:
    """The entity of an item. Raises InputError for items of other programs in the shared table."""
    schema = _entity_of(item)
    if schema is None:
        pk, sk = item["PK"].get("S"), item["SK"].get("S")
        raise InputError(
            gettext("%(pk)s / %(sk)s isn't an item of a newsletter; only those can be changed here.", pk=pk, sk=sk)
        )
    return schema


def _implied_keys(schema: EntitySchema, item: Item, values: Mapping[str, object]) -> Item:
    """The keys derived from the fields. Raises InputError if the item has different ones."""
    implied: Item = schema.cls.__codec__.keys(values)  # type: ignore[attr-defined]  # every entity class has a codec
    for path in (schema.primary, *schema.indexes):
        for part in path.parts:
            stored, wanted = item.get(part.attribute), implied.get(part.attribute)
            if stored not in (None, wanted) and not part.means_the_same(stored, values):
                expected = "nothing" if wanted is None else repr(wanted["S"])
                raise InputError(
                    gettext(
                        "%(attribute)s must be %(expected)s, as the item's fields say; correct one of them.",
                        attribute=part.attribute,
                        expected=expected,
                    )
                )
    return implied


def _plain(item: Item) -> Steps[PlainItem]:
    """Plain values, with large ones loaded from the object store."""
    schema = _entity_of(item)
    loaded = item if schema is None or not schema.blobs else (yield from load_blobs(schema, item))
    return {name: from_wire(value) for name, value in loaded.items()}


class DbClient:
    """Reads and writes newsletter items. Items of other programs can be read but not changed."""

    def __init__(
        self, transport: Transport, *, names: Mapping[str, str] | None = None, objects: Objects | None = None
    ) -> None:
        """`names` maps declared to physical table names, as for a tablature database."""
        self._context = make_context(names=names)
        self._awaiting = AsyncEffectRunner(transport, objects, Meter())
        self._waiting = EffectRunner(transport, objects, Meter())

    async def get_item(self, pk: str, sk: str) -> PlainItem | None:
        """The item under a key, or None."""
        return await self._awaiting.run(get_item_steps(self._context, pk, sk))

    def get_item_sync(self, pk: str, sk: str) -> PlainItem | None:
        return self._waiting.run(get_item_steps(self._context, pk, sk))

    async def put_item(self, item: Mapping[str, object]) -> None:
        """Store an item; missing index keys are derived, wrong ones raise InputError."""
        await self._awaiting.run(put_item_steps(self._context, item))

    def put_item_sync(self, item: Mapping[str, object]) -> None:
        self._waiting.run(put_item_steps(self._context, item))

    async def update_item(
        self,
        pk: str,
        sk: str,
        update_expression: str,
        expression_attribute_values: Mapping[str, object] | None = None,
        expression_attribute_names: Mapping[str, str] | None = None,
    ) -> PlainItem:
        """Apply an update expression and return the updated item; changing a key raises InputError."""
        values, names = expression_attribute_values or {}, expression_attribute_names or {}
        steps = update_item_steps(self._context, pk, sk, update_expression, values, names)
        return await self._awaiting.run(steps)

    def update_item_sync(
        self,
        pk: str,
        sk: str,
        update_expression: str,
        expression_attribute_values: Mapping[str, object] | None = None,
        expression_attribute_names: Mapping[str, str] | None = None,
    ) -> PlainItem:
        values, names = expression_attribute_values or {}, expression_attribute_names or {}
        steps = update_item_steps(self._context, pk, sk, update_expression, values, names)
        return self._waiting.run(steps)

    async def delete_item(self, pk: str, sk: str) -> None:
        """Delete an item, if it exists."""
        await self._awaiting.run(delete_item_steps(self._context, pk, sk))

    def delete_item_sync(self, pk: str, sk: str) -> None:
        self._waiting.run(delete_item_steps(self._context, pk, sk))

    async def query_items(
        self,
        pk: str,
        index_name: str | None = None,
        sk_begins_with: str | None = None,
        *,
        scan_index_forward: bool = True,
        limit: int | None = None,
    ) -> list[PlainItem]:
        """The items of a partition in the order of their sort keys."""
        steps = query_items_steps(
            self._context, pk, index_name, sk_begins_with, forward=scan_index_forward, limit=limit
        )
        return await self._awaiting.run(steps)

    def query_items_sync(
        self,
        pk: str,
        index_name: str | None = None,
        sk_begins_with: str | None = None,
        *,
        scan_index_forward: bool = True,
        limit: int | None = None,
    ) -> list[PlainItem]:
        steps = query_items_steps(
            self._context, pk, index_name, sk_begins_with, forward=scan_index_forward, limit=limit
        )
        return self._waiting.run(steps)
