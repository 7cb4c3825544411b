"""One page of a Query or Scan. Limit and size count items before the filter."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from tablature.engine.capacity import CapacityTally, attach_capacity, read_units
from tablature.engine.encoding.values import Item, item_size
from tablature.engine.expressions.bound_expressions import BoundCondition
from tablature.engine.reads.key_positions import page_key
from tablature.engine.reads.selection import ItemSelection
from tablature.engine.storage import IndexLayout, Rows, StoredItem, StoredTable

LARGEST_PAGE = 1_048_576


class ResultPage:
    """Collects items until the limit is reached or the next item would exceed one megabyte."""

    def __init__(
        self, table: StoredTable, selection: ItemSelection, condition: BoundCondition | None, limit: int | None
    ) -> None:
        self.table = table
        self.selection = selection
        self.condition = condition
        self.limit = limit
        self.items: list[Item] = []
        self.count = 0
        self.scanned = 0
        self.size = 0
        self.reached_back: list[int] = []
        self.last: Item | None = None

    def fill(self, rows: Rows) -> None:
        """Read rows until the page is full or there are no more."""
        previous: Item = {}
        with closing(rows):
            for stored in rows:
                measured = self._measure(stored)
                if self.scanned and self.size + measured > LARGEST_PAGE:
                    self.last = page_key(self.table, self.selection.index, previous)
                    break
                previous = stored.item
                self.size += measured
                self._take(stored)
                if self.scanned == self.limit:
                    self.last = page_key(self.table, self.selection.index, previous)
                    break

    def _take(self, stored: StoredItem) -> None:
        selection = self.selection
        self.scanned += 1
        if selection.reaches_back:
            self.reached_back.append(stored.size)
        visible = selection.visible(stored.item)
        if self.condition is None or self.condition(visible):
            self.count += 1
            if not selection.counts_only:
                self.items.append(selection.project(visible))

    def _measure(self, stored: StoredItem) -> int:
        index = self.selection.index
        if index is None or index.is_whole:
            return stored.size
        return item_size(index.project(stored.item))

    def to_response(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The response of the operation that read the page."""
        response: dict[str, Any] = {"Count": self.count, "ScannedCount": self.scanned}
        if not self.selection.counts_only:
            response["Items"] = self.items
        if self.last is not None:
            response["LastEvaluatedKey"] = self.last
        if "ReturnConsumedCapacity" in request:
            attach_capacity(
                response, request["ReturnConsumedCapacity"], self._tally(bool(request.get("ConsistentRead")))
            )
        return response

    def _tally(self, consistent: bool) -> CapacityTally:
        tally = CapacityTally(self.table)
        index: IndexLayout | None = self.selection.index
        units = read_units(self.size, consistent=consistent)
        if index is None:
            tally.units = units
        else:
            tally.add_index(index.schema, units)
            tally.units = sum(read_units(size, consistent=consistent) for size in self.reached_back)
        return tally
