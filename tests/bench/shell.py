"""The web shell as one process: how soon a second start answers, how long /healthz takes, how much memory it needs."""

import http.client
import os
import re
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import psutil

from measure import Line

PATIENCE = 120
REQUESTS = 1000
IDLE_SECONDS = 10


def lines(folder: Path) -> list[Line]:
    # As root, PostgreSQL runs under an account of its own that must be able to pass through.
    folder.chmod(0o755)
    with served(folder):
        pass
    started = time.perf_counter()
    with served(folder) as (process, port):
        first_page = wait_for_page(port, started)
        connection = kept_alive(port)
        health = [timed_request(connection) for _ in range(REQUESTS)]
        connection.close()
        time.sleep(IDLE_SECONDS)
        memory = psutil.Process(process.pid).memory_info().rss / 1024**2
    median = statistics.median(health) * 1000
    return [
        Line("second start to first page, s", f"{first_page:.2f} s", first_page, 2.5, at_most=True),
        Line("/healthz p50, ms", f"{median:.2f} ms over {REQUESTS} requests", median, 3.0, at_most=True),
        Line("idle memory of the process, MB", f"{memory:.0f} MB", memory, 150.0, at_most=True),
    ]


@contextmanager
def served(folder: Path):
    """`almanac serve` on a free port; stopped in the orderly way."""
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "ALMANAC_DATA": str(folder / "data"),
        "ALMANAC_PORT": "0",
        "ALMANAC_DEMO": "no",
        "ALMANAC_LOG_LEVEL": "error",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "almanac", "serve"], env=environment, cwd=folder, text=True, stdout=subprocess.PIPE
    )
    try:
        for line in process.stdout:
            if match := re.search(r"Almanac is at http://127\.0\.0\.1:(\d+)", line):
                break
        yield process, int(match[1])
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def wait_for_page(port: int, started: float) -> float:
    while time.perf_counter() - started < PATIENCE:
        connection = kept_alive(port)
        connection.request("GET", "/sign-in")
        answer = connection.getresponse()
        if answer.status == 200 and answer.read():
            return time.perf_counter() - started
    raise RuntimeError("the page never came")


def kept_alive(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=30)


def timed_request(connection: http.client.HTTPConnection) -> float:
    start = time.perf_counter()
    connection.request("GET", "/healthz")
    connection.getresponse().read()
    return time.perf_counter() - start
