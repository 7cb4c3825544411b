"""`AsyncDatabase`, the asyncio façade: the same names and signatures as `Database`, over the same core."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any, Self, TypeVar

from tablature.async_admin import AsyncAdmin
from tablature.async_runner import AsyncEffectRunner
from tablature.explain import Explanation, explain
from tablature.expressions.changes import FieldChange, RawUpdate
from tablature.expressions.conditions import Condition
from tablature.objects import Objects
from tablature.operations import batches, partitions, queues, reads
from tablature.operations.commit import Outcome, execute, execute_delete, execute_write, with_event
from tablature.operations.context import OperationContext, make_context
from tablature.operations.cost import Meter, Spent
from tablature.operations.effects import Steps
from tablature.operations.queues import Claim
from tablature.operations.reads import Page
from tablature.operations.writes import Write, create, delete, patch, put, update, upsert
from tablature.schema.collections import Collection
from tablature.schema.declarations import BoundQueue
from tablature.schema.entity import Entity
from tablature.schema.patterns import Query
from tablature.schema.refs import Ref
from tablature.transport.port import Transport, VersionedTransport

T = TypeVar("T")
E = TypeVar("E", bound=Entity)
C = TypeVar("C", bound=Collection)


class AsyncDatabase:
    """A database of entities: a transport, table names, and an optional object store for large values."""

    def __init__(
        self,
        transport: Transport,
        *,
        names: Mapping[str, str] | None = None,
        objects: Objects | None = None,
        clock: Callable[[], datetime] | None = None,
        cursor_secret: bytes | None = None,
        warn_over: int | None = None,
        once_for: timedelta | None = None,
        spread: bool = True,
    ) -> None:
        """`names` maps declared to physical table names. Give `cursor_secret` so that cursors outlive the process.
        Without `spread`, indexes with `include_unsharded` are written and read in their unsharded form alone."""
        self.context: OperationContext = make_context(
            names=names,
            now=clock,
            cursor_secret=cursor_secret,
            warn_over=warn_over,
            once_for=once_for,
            spread=spread,
            has_objects=objects is not None,
        )
        self.transport = transport
        self._transport_version = transport.version if isinstance(transport, VersionedTransport) else None
        self._meter = Meter()
        self._runner = AsyncEffectRunner(transport, objects, self._meter)
        self.admin = AsyncAdmin(self.context, self._runner)

    async def _run(self, steps: Steps[T]) -> T:
        return await self._runner.run(steps)

    async def get(self, ref: Ref[E], *, consistent: bool = False) -> E | None:
        """The entity, or None."""
        steps = reads.get(self.context, ref, consistent=consistent)
        return await self._run(steps)

    async def require(self, ref: Ref[E], *, consistent: bool = False) -> E:
        """The entity. Raises DoesNotExist if there is none."""
        return await self._run(reads.require(self.context, ref, consistent=consistent))

    async def find_unique(self, cls: type[E], **values: Any) -> E | None:
        """The entity that has these values of a unique constraint, or None."""
        return await self._run(reads.find_unique(self.context, cls, values))

    async def get_many(self, refs: list[Ref[E]], *, consistent: bool = False) -> list[E | None]:
        """Many entities in few requests, in the order of the references, with None for missing ones."""
        return await self._run(batches.get_many(self.context, refs, consistent=consistent))

    async def snapshot(self, refs: list[Ref[E]]) -> list[E | None]:
        """Several entities as of one moment."""
        return await self._run(batches.get_snapshot(self.context, refs))

    async def create(self, entity: E, *, when: Condition | None = None, once: str | None = None) -> E:
        """Write an entity that must not exist yet."""
        return await self._run(execute_write(self.context, create(entity, when=when), once))

    async def put(self, entity: E, *, when: Condition | None = None, once: str | None = None) -> E:
        """Write an entity, replacing what is stored."""
        return await self._run(execute_write(self.context, put(entity, when=when), once))

    async def update(self, entity: E, *, when: Condition | None = None, once: str | None = None) -> E:
        """Write an entity that must exist, replacing what is stored."""
        return await self._run(execute_write(self.context, update(entity, when=when), once))

    async def upsert(self, entity: E, *, when: Condition | None = None, once: str | None = None) -> E:
        """Write an entity's fields into the stored item, or create it."""
        return await self._run(execute_write(self.context, upsert(entity, when=when), once))

    async def patch(
        self,
        target: E | Ref[E],
        *changes: FieldChange | RawUpdate,
        when: Condition | None = None,
        once: str | None = None,
        **fields: Any,
    ) -> E:
        """Change some fields of an entity that must exist, with everything derived from them."""
        return await self._run(execute_write(self.context, patch(target, *changes, when=when, **fields), once))

    async def delete(self, target: E | Ref[E], *, when: Condition | None = None) -> E | None:
        """Delete an entity. Returns the deleted entity, or None."""
        return await self._run(execute_delete(self.context, delete(target, when=when)))

    async def transact(self, *writes: Write[Any], once: str | None = None) -> Outcome:
        """Several writes, all or none; with `once`, at most once for that event."""
        return await self._run(execute(self.context, with_event(writes, once), "transact"))

    async def put_many(self, entities: list[E]) -> None:
        """Write many entities, without a transaction."""
        await self._run(batches.write_many(self.context, [put(entity) for entity in entities]))

    async def delete_many(self, targets: list[E | Ref[E]]) -> None:
        """Delete many entities, without a transaction."""
        await self._run(batches.write_many(self.context, [delete(target) for target in targets]))

    async def query(self, query: Query[T], *, limit: int | None = None, cursor: str | None = None) -> Page[T]:
        """One page of an access pattern; the limit counts results."""
        return await self._run(reads.query_page(self.context, query, limit=limit, cursor=cursor))

    async def first(self, query: Query[T]) -> T | None:
        """The first result, or None."""
        results = await self.query(query, limit=1)
        return results.items[0] if results.items else None

    async def each(self, query: Query[T], *, page: int | None = None) -> AsyncIterator[T]:
        """All results, read lazily page by page."""
        cursor: str | None = None
        while True:
            results = await self.query(query, limit=page, cursor=cursor)
            for item in results.items:
                yield item
            cursor = results.cursor
            if cursor is None:
                return

    async def count(self, query: Query[Any], *, upto: int | None = None) -> int:
        """How many results there are, at most `upto`. The service charges for reading them."""
        return await self._run(reads.count_results(self.context, query, upto=upto))

    async def collect(self, collection: type[C], *, consistent: bool = False, **inputs: Any) -> C | None:
        """Everything in one partition as a typed collection, or None."""
        return await self._run(partitions.collect(self.context, collection, consistent=consistent, inputs=inputs))

    async def delete_partition(self, collection: type[Collection], **inputs: Any) -> int:
        """Delete everything in one partition. Returns how many items there were."""
        return await self._run(partitions.delete_partition(self.context, collection, inputs=inputs))

    async def claim(
        self, queue: BoundQueue[E], owner: str, *, limit: int = 1, where: Condition | None = None, **inputs: Any
    ) -> list[Claim[E]]:
        """Claim free work under a lease; with `where` only items that meet the condition."""
        return await self._run(queues.claim(self.context, queue, owner, limit=limit, where=where, inputs=inputs))

    async def heartbeat(self, claim: Claim[E]) -> Claim[E]:
        """Extend a lease to its full time from now."""
        return await self._run(queues.heartbeat(self.context, claim))

    async def finish(self, claim: Claim[E], *changes: FieldChange, **fields: Any) -> E:
        """Record the result of claimed work and end the lease."""
        return await self._run(queues.finish(self.context, claim, changes, fields))

    async def release(self, claim: Claim[E], *, delay: timedelta = timedelta(0), **fields: Any) -> E:
        """Release claimed work, optionally with a delay."""
        return await self._run(queues.release(self.context, claim, delay=delay, fields=fields))

    async def leases(self, queue: BoundQueue[E], **inputs: Any) -> list[Claim[E]]:
        """All current leases with their owners. Release one if its owner is known to be gone."""
        return await self._run(queues.list_leases(self.context, queue, inputs=inputs))

    async def reset_expired(self, queue: BoundQueue[Any], **inputs: Any) -> int:
        """Release work whose lease expired. Returns how many items."""
        return await self._run(queues.reset_expired(self.context, queue, inputs=inputs))

    @property
    def version(self) -> int | None:
        """Changes with every change of any table, whoever made it; None where the transport can't tell."""
        return self._transport_version() if self._transport_version else None

    def explain(self, subject: Query[Any] | Write[Any]) -> Explanation:
        """What a query or a write would send, its expected cost, and warnings."""
        return explain(subject, self.context)

    @property
    def costs(self) -> Spent:
        """The cost of every pattern and verb since the database was opened."""
        return self._meter.spent

    def measure(self) -> AbstractContextManager[Spent]:
        """Measure the cost of the calls inside."""
        return self._meter.watch()

    def budget(self, *, rcu: float | None = None, wcu: float | None = None) -> AbstractContextManager[Spent]:
        """Raise BudgetExceeded if the calls inside cost more than this."""
        return self._meter.budget(rcu, wcu)

    async def close(self) -> None:

        await self.transport.close_async()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
