"""What several contract suites share: a moto server, as a real process on loopback, for the AWS-like services."""

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

_ADDRESS = re.compile(r"Running on (http://127\.0\.0\.1:\d+)")


@pytest.fixture(scope="session")
def moto_url() -> Iterator[str]:
    """The address of a moto server that lives as long as this worker's tests."""
    command = [sys.executable, "-W", "ignore", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            yield next(found[1] for line in server.stderr if (found := _ADDRESS.search(line)))
        finally:
            server.kill()


@pytest.fixture
def aws_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials where AWS clients look for them; moto takes any."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
    monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
