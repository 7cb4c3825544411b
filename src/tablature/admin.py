"""`db.admin`: operations on whole tables."""

from __future__ import annotations

from typing import TypeVar

from tablature.expressions.conditions import Condition
from tablature.operations import table_setup, tables
from tablature.operations.backfill import Progress, rewrite_items
from tablature.operations.context import OperationContext
from tablature.operations.staged_fanout import repair_item
from tablature.operations.table_check import TableProblem, check_table
from tablature.operations.table_setup import SetupListener, TableSetup
from tablature.operations.tables import scan
from tablature.operations.writes import ref_to
from tablature.runner import EffectRunner
from tablature.schema.entity import Entity, schema_of
from tablature.schema.model import Table
from tablature.schema.refs import Ref

E = TypeVar("E", bound=Entity)


class Admin:
    """Administration: tables, scans, migrations, backfills and repairs."""

    def __init__(self, context: OperationContext, runner: EffectRunner) -> None:
        self._context = context
        self._runner = runner

    def create_table(self, table: Table, *, if_missing: bool = False) -> bool:
        """Create a table and wait until it is active. False if it already existed."""
        return self._runner.run(table_setup.create_table(self._context, table, if_missing=if_missing))

    def ensure_table(
        self, table: Table, *, build_indexes: bool = True, listener: SetupListener | None = None
    ) -> TableSetup:
        """Create a table, or complete what is missing of it; the result says what was done and what still differs.

        Building an index over many items takes a while; `listener` is given a sentence on its progress.
        """
        steps = table_setup.ensure_table(self._context, table, build_indexes=build_indexes, listener=listener)
        return self._runner.run(steps)

    def check_table(self, table: Table) -> list[TableProblem]:
        """How the table at the service differs from its declaration: one sentence each."""
        return self._runner.run(check_table(self._context, table))

    def delete_table(self, table: Table, *, if_exists: bool = False) -> bool:
        """Delete a table with all its items. False if it didn't exist."""
        return self._runner.run(tables.delete_table(self._context, table, if_exists=if_exists))

    def scan(self, entity: type[E], *, segments: int = 1, where: Condition | None = None) -> list[E]:
        """All entities of a type. Scans the whole table, in parallel segments."""
        return self._runner.run(scan(self._context, schema_of(entity), segments=segments, where=where))

    def migrate(self, entity: type[Entity], *, rate: float | None = None, most_pages: int | None = None) -> Progress:
        """Rewrite every item of an older schema version. The next run continues an interrupted one."""
        schema = schema_of(entity)
        return self._runner.run(rewrite_items(self._context, schema, only_older=True, rate=rate, most_pages=most_pages))

    def backfill(self, entity: type[Entity], *, rate: float | None = None, most_pages: int | None = None) -> Progress:
        """Rewrite keys, copies and sentinels of every item to match the declarations. Resumable like `migrate`."""
        schema = schema_of(entity)
        return self._runner.run(
            rewrite_items(self._context, schema, only_older=False, rate=rate, most_pages=most_pages)
        )

    def repair(self, target: E | Ref[E]) -> bool:
        """Finish or undo an interrupted large fan-out. False if there was none."""
        ref = ref_to(target)
        return self._runner.run(repair_item(self._context, ref.schema, ref))
