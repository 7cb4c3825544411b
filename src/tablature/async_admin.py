"""`db.admin` of an `AsyncDatabase`: what touches whole tables, kept apart from the verbs of everyday."""

from __future__ import annotations

from typing import TypeVar

from tablature.async_runner import AsyncEffectRunner
from tablature.expressions.conditions import Condition
from tablature.operations import tables
from tablature.operations.backfill import Progress, rewrite_items
from tablature.operations.context import OperationContext
from tablature.operations.staged_fanout import repair_item
from tablature.operations.tables import scan
from tablature.operations.writes import ref_to
from tablature.schema.entity import Entity, schema_of
from tablature.schema.model import Table
from tablature.schema.refs import Ref

E = TypeVar("E", bound=Entity)


class AsyncAdmin:
    """What an administrator does, awaited: tables, scans, migrations, backfills and repairs."""

    def __init__(self, context: OperationContext, runner: AsyncEffectRunner) -> None:
        self._context = context
        self._runner = runner

    async def create_table(self, table: Table, *, if_missing: bool = False) -> bool:
        """Create a table and wait until it can be used; False where it was there already."""
        return await self._runner.run(tables.create_table(self._context, table, if_missing=if_missing))

    async def delete_table(self, table: Table, *, if_exists: bool = False) -> bool:
        """Remove a table with everything in it; False where there was none."""
        return await self._runner.run(tables.delete_table(self._context, table, if_exists=if_exists))

    async def scan(self, entity: type[E], *, segments: int = 1, where: Condition | None = None) -> list[E]:
        """Every entity of a kind, by reading the whole table in parallel segments."""
        return await self._runner.run(scan(self._context, schema_of(entity), segments=segments, where=where))

    async def migrate(
        self, entity: type[Entity], *, rate: float | None = None, most_pages: int | None = None
    ) -> Progress:
        """Write back every item that is of an older schema version; an interrupted run is continued by the next."""
        schema = schema_of(entity)
        return await self._runner.run(
            rewrite_items(self._context, schema, only_older=True, rate=rate, most_pages=most_pages)
        )

    async def backfill(
        self, entity: type[Entity], *, rate: float | None = None, most_pages: int | None = None
    ) -> Progress:
        """Bring keys, copies and sentinels of every item to what the declarations imply; resumable like `migrate`."""
        schema = schema_of(entity)
        return await self._runner.run(
            rewrite_items(self._context, schema, only_older=False, rate=rate, most_pages=most_pages)
        )

    async def repair(self, target: E | Ref[E]) -> bool:
        """Finish or undo a large fan-out that was interrupted; True where there was one."""
        ref = ref_to(target)
        return await self._runner.run(repair_item(self._context, ref.schema, ref))
