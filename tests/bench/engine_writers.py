"""Eight concurrent durable writers against one, in process and over HTTP."""

import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path

from engine_servers import ours
from engine_work import TABLE, connect, definition, item

from measure import ROUNDS, Line
from tablature.engine.engine import Engine

MANY = 8


def lines(folder: Path, seconds: float = 1.5) -> list[Line]:
    return [_in_process(folder, seconds), _over_http(folder, seconds)]


def _in_process(folder: Path, seconds: float) -> Line:
    with Engine(folder / "writers.db") as engine:
        engine.call("CreateTable", definition())
        fresh = itertools.count()

        def put() -> None:
            engine.call("PutItem", {"TableName": TABLE, "Item": item(f"p{next(fresh)}", "1")})

        alone, many = _together(put, 1, seconds), _together(put, MANY, seconds)
    return Line("8 durable writers against 1, in process", f"{alone:,.0f}/s and {many:,.0f}/s", many / alone, 4)


def _over_http(folder: Path, seconds: float) -> Line:
    with ours(folder) as url:
        client = connect(url, MANY)
        client.create_table(**definition())
        fresh = itertools.count()

        def put() -> None:
            client.put_item(TableName=TABLE, Item=item(f"p{next(fresh)}", "1"))

        alone, many = _together(put, 1, seconds), _together(put, MANY, seconds)
    return Line(
        "8 durable writers against 1, boto3 over HTTP (bound by the one client process)",
        f"{alone:,.0f}/s and {many:,.0f}/s",
        many / alone,
        1,
    )


def _together(work: Callable[[], None], threads: int, seconds: float) -> float:
    return max(_round(work, threads, seconds / ROUNDS) for _ in range(ROUNDS))


def _round(work: Callable[[], None], threads: int, seconds: float) -> float:
    counts = [0] * threads
    start = time.perf_counter()

    def run(position: int) -> None:
        while time.perf_counter() - start < seconds:
            work()
            counts[position] += 1

    workers = [threading.Thread(target=run, args=(position,)) for position in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(counts) / (time.perf_counter() - start)
