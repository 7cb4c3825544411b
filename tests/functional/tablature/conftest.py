"""A real server process on a free port, and the clients that speak to it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config

CREDENTIALS = {"region_name": "us-east-1", "aws_access_key_id": "any", "aws_secret_access_key": "any"}


class RunningServer:
    """A server as users start one: `python -m tablature.engine`."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tablature.engine", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[-1]

    def client(self, service: str = "dynamodb") -> Any:
        settings = Config(retries={"total_max_attempts": 1}, max_pool_connections=32)
        return boto3.client(service, endpoint_url=self.url, config=settings, **CREDENTIALS)

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Ask the process to end; returns its exit code and what it wrote to stderr."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors


@pytest.fixture
def serve() -> Iterator[Callable[..., RunningServer]]:
    started: list[RunningServer] = []

    def start(*arguments: str) -> RunningServer:
        started.append(RunningServer(*arguments))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)


@pytest.fixture
def server(serve: Callable[..., RunningServer], tmp_path: Path) -> RunningServer:
    return serve("--path", str(tmp_path / "data.db"))


@pytest.fixture(scope="session")
def lasting_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One server for tests that leave nothing behind in it."""
    server = RunningServer("--path", str(tmp_path_factory.mktemp("engine") / "data.db"))
    yield server
    server.stop()


@pytest.fixture
def client(server: RunningServer) -> Iterator[Any]:
    client = server.client()
    yield client
    client.close()


@pytest.fixture
def create_orders() -> Callable[[Any], None]:
    def create(client: Any) -> None:
        client.create_table(
            TableName="orders",
            AttributeDefinitions=[
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "N"},
            ],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            BillingMode="PAY_PER_REQUEST",
        )
        client.get_waiter("table_exists").wait(TableName="orders")

    return create


@pytest.fixture
def aws(server: RunningServer, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the AWS CLI against the server."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_PAGER": "",
    }
    command = Path(sys.executable).parent / "aws"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(command), "--endpoint-url", server.url, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    return run
