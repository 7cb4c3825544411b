"""Starts each server as a process of its own on a free port, and stops it again."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
PEERS = HERE.parents[1] / ".venv-bench" / "bin"
START_SECONDS = 60


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def running(command: list[str], url: str, **environment: str) -> Iterator[str]:
    """Run a server until the block ends; enters once it answers."""
    process = subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_until_it_answers(process, url)
        yield url
    finally:
        process.terminate()
        process.wait()


def _wait_until_it_answers(process: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except urllib.error.HTTPError:
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"{process.args!r} did not start; run it by hand to see why.")


@contextlib.contextmanager
def _announced(command: list[str]) -> Iterator[str]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait()


def ours(folder: Path) -> contextlib.AbstractContextManager[str]:
    return _announced([sys.executable, "-m", "tablature.engine", "--port", "0", "--path", str(folder / "ours.db")])


def floor(_folder: Path) -> contextlib.AbstractContextManager[str]:
    return _announced([sys.executable, str(HERE / "engine_floor.py")])


def moto(_folder: Path) -> contextlib.AbstractContextManager[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    return running([str(PEERS / "moto_server"), "-p", str(port)], f"{url}/moto-api/", MOTO_PORT=str(port))


def ministack(_folder: Path) -> contextlib.AbstractContextManager[str]:
    port = free_port()
    environment = {"GATEWAY_PORT": str(port), "SERVICES": "dynamodb", "PERSIST_STATE": "0"}
    return running([str(PEERS / "ministack")], f"http://127.0.0.1:{port}", **environment)


def dynalite(folder: Path) -> contextlib.AbstractContextManager[str]:
    port = free_port()
    command = [os.environ["DYNALITE"], "--port", str(port), "--path", str(folder / "dynalite")]
    return running([*command, "--createTableMs", "0"], f"http://127.0.0.1:{port}")


PEER_SERVERS = {"moto": moto, "ministack": ministack, "dynalite": dynalite}
