"""The processes of clients that put the product under load, apart from it: started, given orders, ended."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clients import Orders
from installation import Installation
from report import Figures, together

CLIENTS = Path(__file__).with_name("clients.py")
PROCESSES = 2


class Driver:
    """The processes of clients, each asked at the same moment."""

    def __init__(self, processes: list[subprocess.Popen[str]]) -> None:
        self._processes = processes

    def order(self, profile: str, seconds: float) -> Figures:
        for process in self._processes:
            tell(process, {"profile": profile, "seconds": seconds})
        return together([json.loads(heard(process)) for process in self._processes])


@contextmanager
def driven(installation: Installation, clients: int, seed: int) -> Iterator[Driver]:
    shares = [clients // PROCESSES + (number < clients % PROCESSES) for number in range(PROCESSES)]
    processes: list[subprocess.Popen[str]] = []
    try:
        for number, count in enumerate(share for share in shares if share):
            process = subprocess.Popen(
                [sys.executable, str(CLIENTS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            processes.append(process)
            orders = Orders(
                url=installation.url,
                token=installation.token,
                run=f"{process.pid}",
                first=number * clients,
                count=count,
                seed=seed,
                web_port=installation.web_port,
            )
            tell(process, vars(orders))
        for process in processes:
            heard(process)
        yield Driver(processes)
    finally:
        for process in processes:
            process.communicate()


def tell(process: subprocess.Popen[str], message: object) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    if line := process.stdout.readline():
        return line
    raise RuntimeError("A process of clients ended; what went wrong is above.")
