"""The newsletter table under its document's own names: plain items, awaited or, with `_sync`, waited for."""

from collections.abc import Mapping

from almanac.desks.newsletter import plain_items
from almanac.desks.newsletter.plain_items import PlainItem
from tablature.async_runner import AsyncEffectRunner
from tablature.objects import Objects
from tablature.operations.context import make_context
from tablature.operations.cost import Meter
from tablature.runner import EffectRunner
from tablature.transport.port import Transport


class DbClient:
    """Reads and writes items of newsletters. What belongs to other programs can be read and is never changed."""

    def __init__(
        self, transport: Transport, *, names: Mapping[str, str] | None = None, objects: Objects | None = None
    ) -> None:
        """`names` maps declared to physical table names, as for a tablature database."""
        self._context = make_context(names=names)
        self._awaiting = AsyncEffectRunner(transport, objects, Meter())
        self._waiting = EffectRunner(transport, objects, Meter())

    async def get_item(self, pk: str, sk: str) -> PlainItem | None:
        """The item under a key, or None."""
        return await self._awaiting.run(plain_items.get_item(self._context, pk, sk))

    def get_item_sync(self, pk: str, sk: str) -> PlainItem | None:
        return self._waiting.run(plain_items.get_item(self._context, pk, sk))

    async def put_item(self, item: Mapping[str, object]) -> None:
        """Store an item; index keys that it leaves out are filled in, wrong ones are refused."""
        await self._awaiting.run(plain_items.put_item(self._context, item))

    def put_item_sync(self, item: Mapping[str, object]) -> None:
        self._waiting.run(plain_items.put_item(self._context, item))

    async def update_item(
        self,
        pk: str,
        sk: str,
        update_expression: str,
        expression_attribute_values: Mapping[str, object] | None = None,
        expression_attribute_names: Mapping[str, str] | None = None,
    ) -> PlainItem:
        """Apply an update expression and answer with the item as it is then; one that touches a key is refused."""
        values, names = expression_attribute_values or {}, expression_attribute_names or {}
        steps = plain_items.update_item(self._context, pk, sk, update_expression, values, names)
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
        steps = plain_items.update_item(self._context, pk, sk, update_expression, values, names)
        return self._waiting.run(steps)

    async def delete_item(self, pk: str, sk: str) -> None:
        """Remove an item, if it is there."""
        await self._awaiting.run(plain_items.delete_item(self._context, pk, sk))

    def delete_item_sync(self, pk: str, sk: str) -> None:
        self._waiting.run(plain_items.delete_item(self._context, pk, sk))

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
        steps = plain_items.query_items(
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
        steps = plain_items.query_items(
            self._context, pk, index_name, sk_begins_with, forward=scan_index_forward, limit=limit
        )
        return self._waiting.run(steps)
