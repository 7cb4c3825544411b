"""Capacity units of calls: as the service reports them, estimated from sizes, and budgets for both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import ceil
from typing import Any

from tablature.errors import BudgetExceeded
from tablature.operations.effects import ServiceCall
from tablature.records import mutable_record, record_field
from tablature.wire import Item, Response, size_of_item

_READS = frozenset({"GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems"})
_WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})
READ_UNIT, WRITE_UNIT = 4096, 1024


@mutable_record
class Cost:
    """Capacity units: as reported by the service, and as estimated from request and response sizes."""

    calls: int = 0
    rcu: float = 0.0
    wcu: float = 0.0
    estimated_rcu: float = 0.0
    estimated_wcu: float = 0.0


@mutable_record
class Spent:
    """Capacity spent while measuring: in total, and by pattern or verb."""

    total: Cost = record_field(default_factory=Cost)
    by_name: dict[str, Cost] = record_field(default_factory=dict)

    def add(self, name: str, rcu: float, wcu: float, estimated_rcu: float = 0, estimated_wcu: float = 0) -> None:
        named = self.by_name.get(name)
        if named is None:
            named = self.by_name[name] = Cost()
        for cost in (self.total, named):
            cost.calls += 1
            cost.rcu += rcu
            cost.wcu += wcu
            if estimated_rcu or estimated_wcu:
                cost.estimated_rcu += estimated_rcu
                cost.estimated_wcu += estimated_wcu

    def __str__(self) -> str:
        lines = [f"{name}: {c.calls} calls, {c.rcu:g} RCU, {c.wcu:g} WCU" for name, c in self.by_name.items()]
        return "; ".join(lines) or "nothing"


class Meter:
    """Counts the capacity that a database uses. `watch` counts only the calls made inside its block."""

    def __init__(self) -> None:
        self.spent = Spent()
        self._watchers: ContextVar[tuple[Spent, ...]] = ContextVar("watchers", default=())

    def record_call(self, call: ServiceCall, response: Response) -> None:
        rcu, wcu = consumed_units(call.operation, response)
        watchers = self._watchers.get()
        if not watchers and (rcu or wcu):
            self.spent.add(call.name, rcu, wcu)
            return
        estimated_rcu, estimated_wcu = estimate_units(call, response)
        if not (rcu or wcu):
            rcu, wcu = estimated_rcu, estimated_wcu
        for account in (self.spent, *watchers):
            account.add(call.name, rcu, wcu, estimated_rcu, estimated_wcu)

    @contextmanager
    def watch(self) -> Iterator[Spent]:
        spent = Spent()
        token = self._watchers.set((*self._watchers.get(), spent))
        try:
            yield spent
        finally:
            self._watchers.reset(token)

    @contextmanager
    def budget(self, rcu: float | None, wcu: float | None) -> Iterator[Spent]:
        """Raise BudgetExceeded if the calls inside cost more than this."""
        with self.watch() as spent:
            yield spent
        for name, allowed in (("rcu", rcu), ("wcu", wcu)):
            used = getattr(spent.total, name)
            if allowed is not None and used > allowed:
                raise BudgetExceeded(f"This cost {used:g} {name.upper()} and {allowed:g} were allowed ({spent}).")


def consumed_units(operation: str, response: Response) -> tuple[float, float]:
    """Read and write units as the service reports them; zero if it reports none."""
    reported = response.get("ConsumedCapacity")
    if not reported:
        return 0.0, 0.0
    units: float
    if isinstance(reported, list):
        units = sum([entry.get("CapacityUnits", 0.0) for entry in reported])
    else:
        units = reported.get("CapacityUnits", 0.0)
    return (units, 0.0) if operation in _READS else (0.0, units)


def estimate_units(call: ServiceCall, response: Response) -> tuple[float, float]:
    """Read and write units estimated from the sizes of request and response."""
    if call.operation in _READS:
        return _read_units(call, response), 0.0
    if call.operation in _WRITES:
        return 0.0, _write_units(call, response)
    return 0.0, 0.0


def read_units(size: int, *, consistent: bool) -> float:
    return max(1, ceil(size / READ_UNIT)) * (1.0 if consistent else 0.5)


def write_units(size: int) -> int:
    return max(1, ceil(size / WRITE_UNIT))


def _read_units(call: ServiceCall, response: Response) -> float:
    request = call.request
    consistent = bool(request.get("ConsistentRead"))
    if call.operation == "GetItem":
        return read_units(_size(response.get("Item")), consistent=consistent)
    if call.operation in ("Query", "Scan"):
        return read_units(sum(map(size_of_item, response["Items"])), consistent=consistent)
    if call.operation == "TransactGetItems":
        return sum(2 * read_units(_size(entry.get("Item")), consistent=True) for entry in response["Responses"])
    wanted = request["RequestItems"]
    return sum(
        read_units(size_of_item(item), consistent=wanted[table].get("ConsistentRead", False))
        for table, items in response.get("Responses", {}).items()
        for item in items
    )


def _write_units(call: ServiceCall, response: Response) -> float:
    request = call.request
    if call.operation == "TransactWriteItems":
        return sum(2 * write_units(action_size(next(iter(entry.values())))) for entry in request["TransactItems"])
    if call.operation == "BatchWriteItem":
        entries = [entry for entries in request["RequestItems"].values() for entry in entries]
        return sum(write_units(action_size(next(iter(entry.values())))) for entry in entries)
    return write_units(_size(request.get("Item") or response.get("Attributes") or request.get("Key")))


def action_size(action: dict[str, Any]) -> int:
    """Bytes of the item or key in an action."""
    return _size(action.get("Item") or action.get("Key"))


def _size(item: Item | None) -> int:
    return 0 if item is None else size_of_item(item)
