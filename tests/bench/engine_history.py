"""What keeping a history costs: durable writes with and without it, the archive at work as in production."""

import itertools
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from engine_work import TABLE, definition, item

from measure import Line, Work, rates
from tablature.engine.engine import Engine
from tablature.engine.history import HistoryArchive, recover
from tablature.engine.housekeeping import Housekeeper

CHANGES = 20_000


def lines(folder: Path, seconds: float = 3.0) -> list[Line]:
    return [
        *_compare(folder, "a durable put, wall clock", seconds, time.perf_counter, 1),
        *_compare(folder, "a durable put, processor time", seconds, time.process_time, 1),
        *_compare(folder, "a transaction of ten puts, processor time", seconds, time.process_time, 10),
        _recovery(folder),
    ]


def _compare(folder: Path, what: str, seconds: float, clock: Callable[[], float], items: int) -> list[Line]:
    with ExitStack() as stack:
        works: dict[str, Work] = {}
        for name in ("without", "with"):
            engine = stack.enter_context(Engine(folder / f"{name}-{what[:20]}-{clock.__name__}-{items}.db"))
            engine.call("CreateTable", definition())
            history = HistoryArchive(engine.storage)
            if name == "with":
                history.start(7)
            housekeeper = Housekeeper(engine.storage, history=history)
            housekeeper.start()
            stack.callback(housekeeper.stop)
            works[name] = _put(engine, items)
        best = rates(works, seconds, clock)
    figures = f"{best['without']:,.0f}/s and {best['with']:,.0f}/s"
    # The disk writes one page more for each commit, and other programs disturb it; the processor's share is steady.
    bar = 2 if clock is time.perf_counter else 1.3
    ratio = best["without"] / best["with"]
    return [Line(f"{what}: with a history against without", figures, ratio, bar, at_most=True)]


def _put(engine: Engine, items: int) -> Work:
    fresh = itertools.count()

    def put() -> None:
        if items == 1:
            engine.call("PutItem", {"TableName": TABLE, "Item": item(f"p{next(fresh)}", "1")})
            return
        writes = [{"Put": {"TableName": TABLE, "Item": item(f"p{next(fresh)}", "1")}} for _ in range(items)]
        engine.call("TransactWriteItems", {"TransactItems": writes})

    return put


def _recovery(folder: Path) -> Line:
    """Recovering many changes, against having made them."""
    with Engine(folder / "recovery.db") as engine:
        engine.call("CreateTable", definition())
        history = HistoryArchive(engine.storage)
        history.start(7)
        put = _put(engine, 10)
        start = time.perf_counter()
        for _ in range(CHANGES // 10):
            put()
        written = time.perf_counter() - start
        history.advance()
        start = time.perf_counter()
        recover(history.folder, time.time(), folder / "recovered.db")
        recovered = time.perf_counter() - start
    figures = f"{CHANGES:,} changes written in {written:.1f} s, recovered and checked in {recovered:.1f} s"
    return Line("recovering changes against making them", figures, recovered / written, 1, at_most=True)
