"""What several contract suites share: servers as processes of their own, one of them moto, for AWS-like services."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from almanac.kit.ids import new_id

SECONDS_TO_START = 60


@contextmanager
def _served(*module: str) -> Iterator[str]:
    """The address of a module that runs as a program and takes the port on loopback as its last argument."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    command = [sys.executable, "-W", "ignore", "-m", *module, str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_until_it_listens(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()


def _wait_until_it_listens(port: int) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < deadline, "the server never listened"
            time.sleep(0.05)


@pytest.fixture(scope="session")
def served() -> Callable[..., AbstractContextManager[str]]:
    return _served


@pytest.fixture(scope="session")
def moto_url() -> Iterator[str]:
    """The address of a moto server that lives as long as this worker's tests."""
    with _served("moto.server", "-H", "127.0.0.1", "-p") as address:
        yield address


@pytest.fixture
def aws_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials where AWS clients look for them; moto takes any."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
    monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
    monkeypatch.setenv("AWS_REGION", "eu-west-1")


@pytest.fixture
def s3_url(moto_url: str, aws_keys: None) -> str:
    """A fresh bucket, with a prefix of its own inside."""
    bucket = f"bucket-{new_id()}"
    request = Request(f"{moto_url}/{bucket}", method="PUT")
    urlopen(request, timeout=10).close()
    return f"s3://{bucket}/some/prefix?{urlencode({'endpoint': moto_url, 'region': 'us-east-1'})}"
