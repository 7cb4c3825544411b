"""What a page costs: processor time and statements of each request on the demo, beside the bare mechanism of the same
page; then sixteen clients without a pause.

The demo is loaded anew for each run, which takes a minute, unless `BENCH_DATA` names a folder to keep it in.
`BENCH_PAGES` are the names of some pages, by their beginning (`BENCH_PAGES="news API"`); the clients are left out then.
"""

import asyncio
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "load"))

import aiohttp
from counting import counting
from driver import driven
from installation import Installation, served
from pages_bare import FIXED_BYTES_PER_ROW
from pages_visitor import Visitor, find_pages, one_time_link, processor_seconds
from served_here import opened, serving

from almanac.kit.clock import SystemClock
from almanac.relational import EmbeddedPostgres
from measure import Line

BARE = Path(__file__).with_name("pages_bare.py")
WARM_UP, ROUNDS = 15, 60
PAGE_MS, API_MS, RATIO = 4.0, 2.0, 3.0
CLIENTS, LOAD_SECONDS, SEED = 16, 20.0, 1
REQUESTS_A_SECOND, P95_MS = 200.0, 150.0
ROWS = re.compile(r"<(?:tr|li|article|dt)\b")


def lines(folder: Path) -> list[Line]:
    folder.chmod(0o755)
    bring_demo(folder)
    wanted = tuple(os.environ.get("BENCH_PAGES", "").split())
    with served(folder, whole_demo=True) as installation, signed_in(installation) as visitor:
        pages = {name: path for name, path in find_pages(visitor).items() if not wanted or name.startswith(wanted)}
        with bare_server(folder / "data") as (bare, bare_process):
            costs = {
                name: compared(visitor, installation.process, bare, bare_process, path) for name, path in pages.items()
            }
        under_load = [] if wanted else loaded(installation, "1 process")
        cookie = visitor.cookie
    if not wanted:
        with served(folder, whole_demo=True, processes=2) as installation:
            under_load += loaded(installation, "2 processes")
    statements = asyncio.run(count_statements(folder / "data", pages, cookie))
    return [line for name, cost in costs.items() for line in described(name, cost, statements[name])] + under_load


def bring_demo(folder: Path) -> None:
    """A copy of the demo that was kept, which is loaded and kept if this is the first time."""
    if (kept := os.environ.get("BENCH_DATA")) is None:
        return
    if not (Path(kept) / "data").exists():
        Path(kept).mkdir(mode=0o755, parents=True, exist_ok=True)
        with served(Path(kept), whole_demo=True):
            pass
    # The files of PostgreSQL belong to another account where this one is root's.
    subprocess.run(["cp", "-a", str(Path(kept) / "data"), str(folder)], check=True)


@contextmanager
def signed_in(installation: Installation) -> Iterator[Visitor]:
    visitor = Visitor(int(installation.url.rpartition(":")[2]))
    visitor.sign_in(one_time_link(installation.data))
    yield visitor
    visitor.close()


@contextmanager
def bare_server(data: Path) -> Iterator[tuple[Visitor, int]]:
    command = [sys.executable, str(BARE), EmbeddedPostgres(data / "postgres").url()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        bare = Visitor(int(process.stdout.readline()))
        try:
            yield bare, process.pid
        finally:
            bare.close()
            process.terminate()


def compared(visitor: Visitor, process: int, bare: Visitor, bare_process: int, path: str) -> tuple[float, float]:
    """Milliseconds of processor time at the median: of the page, and of its bare mechanism. They take turns."""
    answer = visitor.get(path)
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}.")
    bare_path = bare_page(path, answer.text)
    for _ in range(WARM_UP):
        visitor.get(path)
        bare.get(bare_path)
    costs, bare_costs = [], []
    for _ in range(ROUNDS):
        costs.append(cost_of(visitor, process, path))
        bare_costs.append(cost_of(bare, bare_process, bare_path))
    return statistics.median(costs), statistics.median(bare_costs)


def cost_of(visitor: Visitor, process: int, path: str) -> float:
    before = processor_seconds(process)
    visitor.get(path)
    return 1000 * (processor_seconds(process) - before)


def bare_page(path: str, text: str) -> str:
    """The bare page with as many rows and bytes; what repeats in a page is a row, an item of a list or an article."""
    size = len(text.encode())
    if path.startswith("/api"):
        rows = max(text.count('{"id":'), 1)
        return f"/json?rows={rows}&width={max(size // rows - FIXED_BYTES_PER_ROW // 2, 1)}"
    main = text.partition("<main")[2]
    rows = max(len(ROWS.findall(main)), 1)
    width = max(len(main.encode()) // rows - FIXED_BYTES_PER_ROW, 1)
    return f"/page?rows={rows}&width={width}&frame={size - len(main.encode())}"


async def count_statements(data: Path, pages: dict[str, str], cookie: str) -> dict[str, tuple[int, int]]:
    """Statements to PostgreSQL and calls to the tables for each page, counted in this process: no worker runs here."""
    counts: dict[str, tuple[int, int]] = {}
    async with opened(data, None, SystemClock()) as services:
        with counting(services, keeping=True) as meter:
            async with serving(services) as url, aiohttp.ClientSession(url, headers={"Cookie": cookie}) as http:
                for name, path in pages.items():
                    for _ in range(3):
                        with meter.watch() as work:
                            async with http.get(path) as answer:
                                answer.raise_for_status()
                                await answer.read()
                    counts[name] = (len(work.statements), work.calls)
    return counts


def described(name: str, cost: tuple[float, float], counts: tuple[int, int]) -> list[Line]:
    mine, bare = cost
    bar = API_MS if name.startswith("API") else PAGE_MS
    figures = f"{mine:.2f} ms, {counts[0]} statements, {counts[1]} table calls"
    return [
        Line(f"{name}, ms of processor time", figures, mine, bar, at_most=True),
        Line(f"{name}, against the bare mechanism", f"{mine:.2f} and {bare:.2f} ms", mine / bare, RATIO, at_most=True),
    ]


def loaded(installation: Installation, served_by: str) -> list[Line]:
    """Sixteen clients without a pause; they share the processor with the product."""
    with driven(installation, CLIENTS, SEED) as driver:
        driver.order("read-mostly", LOAD_SECONDS / 4)
        figures = driver.order("read-mostly", LOAD_SECONDS)
    times = sorted(time for action in figures.times.values() for time in action)
    p50, p95 = times[len(times) // 2], times[len(times) * 95 // 100]
    faults = f", {sum(figures.faults.values())} faults" if figures.faults else ""
    return [
        Line(
            f"requests/s, {CLIENTS} clients, {served_by}",
            f"{len(times):,} answers{faults}",
            figures.rate,
            REQUESTS_A_SECOND,
        ),
        Line(f"p95 there, ms, {served_by}", f"p50 {p50:.0f} ms", p95, P95_MS, at_most=True),
    ]
