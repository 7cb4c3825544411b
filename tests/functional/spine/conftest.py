"""One installation seen from two processes: the test's own, and workers that it may kill."""

import asyncio
import itertools
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from almanac.bootstrap import open_services
from almanac.services import Services

SCRIPT = Path(__file__).parent / "worker_process.py"
Start = Callable[..., subprocess.Popen[bytes]]


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
async def services(
    module_at: Callable[[Path], Any], database_url: str, post_office: PostOffice, tmp_path: Path
) -> AsyncIterator[Services]:
    settings = module_at(SCRIPT).settings_for(database_url, post_office.url, tmp_path / "here")
    async with open_services(settings) as services:
        yield services


@pytest.fixture
def start_worker(start_program: Start, database_url: str, post_office: PostOffice, tmp_path: Path) -> Start:
    """Start a worker process with a data folder of its own."""
    numbers = itertools.count()
    return lambda: start_program(SCRIPT, database_url, post_office.url, tmp_path / f"worker-{next(numbers)}")
