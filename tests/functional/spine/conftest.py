"""One installation seen from two processes: the test's own, and workers that it may kill."""

import asyncio
import importlib.util
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from almanac.bootstrap import running
from almanac.services import Services

SCRIPT = Path(__file__).parent / "worker_process.py"


class PostOffice:
    """An SMTP server that keeps what it takes."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.url = ""

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's
        content = envelope.original_content
        assert isinstance(content, bytes)
        self.received.append(content)
        return "250 2.0.0 taken"


@pytest.fixture
async def post_office() -> AsyncIterator[PostOffice]:
    office = PostOffice()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(office, hostname="mail.test"), "127.0.0.1", 0)
    office.url = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield office
    server.close()
    await server.wait_closed()


@pytest.fixture
async def services(database_url: str, post_office: PostOffice, tmp_path: Path) -> AsyncIterator[Services]:
    spec = importlib.util.spec_from_file_location("worker_process", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    async with running(module.settings_for(database_url, post_office.url, tmp_path / "here")) as services:
        yield services


@pytest.fixture
def start_worker(
    database_url: str, post_office: PostOffice, tmp_path: Path
) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Start a worker process; whatever is left of it at the end is killed."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        data = str(tmp_path / f"worker-{len(started)}")
        started.append(subprocess.Popen([sys.executable, SCRIPT, database_url, post_office.url, data]))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
