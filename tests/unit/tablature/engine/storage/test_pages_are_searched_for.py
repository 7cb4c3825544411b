"""Every page begins with a search in a key, however far into a table it is, so that its cost never grows."""

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from tablature.engine.engine import Engine
from tablature.engine.storage import Snapshot
from tablature.engine.storage.reader import SortKeyBounds

POSITION = (b"m", b"", b"", b"")


class Plans:
    """A connection that tells how SQLite would run each statement, instead of running it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.told: list[str] = []

    def execute(self, statement: str, values: Any = ()) -> Any:
        plan = self.connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
        self.told = [row[3] for row in plan]
        return iter(())


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize(
    "bounds", [SortKeyBounds(), SortKeyBounds(b"a", b"z"), SortKeyBounds(b"a"), SortKeyBounds(None, b"z")]
)
def test_a_page_of_a_partition_is_searched_for_from_its_position(
    engine: Engine, create: Callable[..., str], forward: bool, bounds: SortKeyBounds
) -> None:
    create("things", "pk:S", "sk:N", gsis={"by_owner": ("ALL", "owner:S", "sk:N")})
    table = engine.storage.table("things")
    assert table is not None
    plans = Plans(engine.storage._writing)
    snapshot = Snapshot(plans)  # type: ignore[arg-type]  # a stand-in that explains
    symbol = ">" if forward else "<"
    list(snapshot.partition(table, None, b"h", bounds, forward=forward, after=POSITION[:1]))
    assert "SEARCH" in plans.told[0]
    assert f"r{symbol}?" in plans.told[0]
    list(snapshot.partition(table, table.indexes[0], b"h", bounds, forward=forward, after=POSITION))
    assert f"(r,t,th,tr){symbol}(?,?,?,?)" in plans.told[0]
    assert "SEARCH b" in plans.told[1]


def test_a_page_of_a_scan_is_searched_for_from_its_position(engine: Engine, create: Callable[..., str]) -> None:
    create("things", "pk:S", gsis={"by_owner": ("ALL", "owner:S")})
    table = engine.storage.table("things")
    assert table is not None
    plans = Plans(engine.storage._writing)
    snapshot = Snapshot(plans)  # type: ignore[arg-type]  # a stand-in that explains
    list(snapshot.everything(table, None, low=b"a", high=b"z", after=(b"m", b"")))
    assert "SEARCH" in plans.told[0]
    assert "(h,r)>(?,?)" in plans.told[0]
    list(snapshot.everything(table, table.indexes[0], high=b"z", after=(b"m", *POSITION)))
    assert "(h,r,t,th,tr)>(?,?,?,?,?)" in plans.told[0]
