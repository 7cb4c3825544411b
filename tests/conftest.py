"""What tests of every kind share: one embedded PostgreSQL, a fresh database per test, a clock, a server of models."""

import asyncio
import fcntl
import gc
import json
import os
import shutil
import socket
import tempfile
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from aiohttp import web
from hypothesis.internal.conjecture import providers

from almanac.jobs import SCHEMA
from almanac.kit.clock import FixedClock
from almanac.kit.ids import new_id
from almanac.kit.lazy import lazy_module
from almanac.relational import MIGRATIONS, Database, EmbeddedPostgres, migrate
from debian_packages import program

# With every page and route of the product, which few tests need.
uvicorn, web_server = lazy_module("uvicorn"), lazy_module("almanac.cli.web_server")

SPEED = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "max_wal_size": "1GB",
    "checkpoint_timeout": "1h",
}
TEMPLATE = "migrated"
MEMORY = Path("/dev/shm")
LEAST_FREE_BYTES = 4 * 1024**3
SLOWEST_FILES = 10


def has_room_in_memory() -> bool:
    """Whether files can be kept in memory, where nothing waits for a disk."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return False
    place = os.statvfs(MEMORY)
    return not place.f_flag & os.ST_NOEXEC and place.f_bavail * place.f_frsize > LEAST_FREE_BYTES


# Hypothesis also tries constants from the code that is loaded by then. That makes what is tried depend on which tests
# ran before, and looking for those that fit takes longer than trying the rest.
providers.is_local_module_file = lambda _path: False
# What tests start as processes of their own loads in half the time from bytecode.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Set for this process and for those it starts; whoever names a folder for temporary files gets it used.
if "TMPDIR" not in os.environ and has_room_in_memory():
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def pytest_collection_finish() -> None:
    """What is loaded stays until the end, and needn't be searched for garbage again and again."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the ten slowest files of a run of many: setup, calls and teardown together."""
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0]] += report.duration
    if len(seconds) > SLOWEST_FILES:
        terminalreporter.section(f"{SLOWEST_FILES} slowest files")
        for name, duration in seconds.most_common(SLOWEST_FILES):
            terminalreporter.write_line(f"{duration:7.1f} s  {name}")


@pytest.fixture(scope="session")
def postgres_folder() -> Path:
    """Shared by the workers of one run, and short enough for a socket."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or new_id()
    return Path(tempfile.gettempdir()) / f"almanac-test-{run[-12:]}"


@pytest.fixture(scope="session")
async def postgres(postgres_folder: Path) -> AsyncIterator[EmbeddedPostgres]:
    """A running server with a migrated, empty database to copy from."""
    server = EmbeddedPostgres(postgres_folder, options=SPEED)
    await server.start()
    with (postgres_folder / "template.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        await make_template(server)
    yield server
    if await server.stop():
        shutil.rmtree(postgres_folder, ignore_errors=True)


async def make_template(server: EmbeddedPostgres) -> None:
    """Nobody may be connected to a template while it is copied, so it gets its name when it is complete."""
    async with await psycopg.AsyncConnection.connect(server.url("postgres"), autocommit=True) as connection:
        made = await connection.execute("SELECT FROM pg_database WHERE datname = %s", (TEMPLATE,))
        if made.rowcount == 0:
            await connection.execute("CREATE DATABASE in_the_making")
            await migrate(server.url("in_the_making"), SCHEMA, MIGRATIONS)
            await connection.execute(f"ALTER DATABASE in_the_making RENAME TO {TEMPLATE}")


class Databases:
    """Makes databases by copying one, as a rule the migrated and empty. One that is given back is dropped later: its
    last connections end meanwhile.
    """

    def __init__(self, server: EmbeddedPostgres, connection: psycopg.AsyncConnection[Any]) -> None:
        self._server = server
        self._connection = connection
        self._given_back: list[str] = []
        # Copying files is the quicker way in memory, and the slower one on a disk.
        self._strategy = "file_copy" if MEMORY in server.folder.parents else "wal_log"

    @asynccontextmanager
    async def lend(self, template: str = TEMPLATE) -> AsyncIterator[str]:
        """The address of a database of one's own; to copy another than the empty one, nobody may be connected to it."""
        while self._given_back:
            await self._connection.execute(f'DROP DATABASE "{self._given_back.pop()}" WITH (FORCE)')
        name = f"test_{new_id().replace('-', '')}"
        await self._connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY {self._strategy}')
        yield self._server.url(name)
        self._given_back.append(name)


@pytest.fixture(scope="session")
async def databases(postgres: EmbeddedPostgres) -> AsyncIterator[Databases]:
    async with await psycopg.AsyncConnection.connect(postgres.url("postgres"), autocommit=True) as connection:
        yield Databases(postgres, connection)


@pytest.fixture
async def database_url(databases: Databases) -> AsyncIterator[str]:
    """The address of a migrated, empty database that lives as long as the test."""
    async with databases.lend() as address:
        yield address


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated, empty database."""
    async with Database(database_url, max_connections=6) as database:
        yield database


@pytest.fixture
def clock() -> FixedClock:
    """Stands still at a Monday morning until the test moves it."""
    return FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


@pytest.fixture(scope="session")
def debian_program() -> Callable[[str], str]:
    """The path of a program of tests/debian_packages.py by its name there; skips the test where it is missing."""

    def find(name: str) -> str:
        wanted = program(name)
        return wanted.find() or pytest.skip(wanted.missing())

    return find


Reply = Callable[[web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]


@dataclass
class ModelServer:
    """Speaks the OpenAI protocol on loopback. `script` holds the next replies; when it is empty, `reply` answers."""

    url: str = ""
    reply: Reply | None = None
    script: deque[Reply] = field(default_factory=deque)
    asked: list[dict[str, Any]] = field(default_factory=list)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    broken_off: asyncio.Event = field(default_factory=asyncio.Event)

    def then(self, *replies: Reply) -> None:
        self.script.extend(replies)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(body)
        self.reached.set()
        reply = self.script.popleft() if self.script else self.reply
        assert reply is not None, "Nothing is scripted for this request."
        return await reply(request, body)

    def says(self, content: object, *, finish: str = "stop", **message: object) -> Reply:
        """Answers with this content, as a call of the tool that was offered or as text."""

        async def reply(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
            text = content if isinstance(content, str) else json.dumps(content)
            statements: dict[str, Any] = {"role": "assistant", "content": None, **message}
            if tools := body.get("tools"):
                call = {"name": tools[0]["function"]["name"], "arguments": text}
                statements["tool_calls"] = [{"id": f"call_{len(self.asked)}", "type": "function", "function": call}]
            else:
                statements["content"] = text
            return web.json_response(completion(body, statements, finish))

        return reply

    def talks(self, text: str | None, *, finish: str = "stop", **message: object) -> Reply:
        """Answers with plain text whatever was offered."""

        async def reply(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
            return web.json_response(completion(body, {"role": "assistant", "content": text, **message}, finish))

        return reply

    def fails(self, status: int, code: str = "", headers: dict[str, str] | None = None) -> Reply:
        async def reply(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
            error = {"message": "SECRET of the provider", "type": code or "error", "code": code or None}
            return web.json_response({"error": error}, status=status, headers=headers)

        return reply

    def cuts(self) -> Reply:
        """Breaks the connection in the middle of the answer."""

        async def reply(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "5000"})
            await response.prepare(request)
            await response.write(b'{"id": "chatcmpl')
            assert request.transport is not None
            request.transport.close()
            return response

        return reply

    def hangs(self) -> Reply:
        """Never answers; notes when the other side gives up."""

        async def reply(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
            try:
                await asyncio.Event().wait()
            finally:
                self.broken_off.set()
            raise AssertionError

        return reply


def completion(body: dict[str, Any], message: dict[str, Any], finish: str) -> dict[str, Any]:
    """A chat completion that took 100 tokens in and 20 out."""
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": body["model"],
        "choices": [choice],
        "usage": usage,
    }


@asynccontextmanager
async def on_loopback(*routes: web.RouteDef, host: str = "127.0.0.1", **options: Any) -> AsyncIterator[str]:
    """A site that others reach over a real connection; its address is the value."""
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, **options)
    await runner.setup()
    await web.TCPSite(runner, host, 0).start()
    try:
        yield f"http://{host}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.fixture(scope="session")
def loopback() -> Callable[..., AbstractAsyncContextManager[str]]:
    """Serves routes of aiohttp on a free port."""
    return on_loopback


@asynccontextmanager
async def served(app: Any, port: int = 0) -> AsyncIterator[str]:
    stopping = asyncio.Event()
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1)
    # Named as TCP, or asyncio leaves Nagle's algorithm on and every answer waits 40 ms for an acknowledgement.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen()
        serving = asyncio.create_task(web_server.WebServer(config).serve_until(stopping, listener))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            stopping.set()
            await serving


@pytest.fixture(scope="session")
def serve_app() -> Callable[..., AbstractAsyncContextManager[str]]:
    """Puts the application behind a port, a free one unless it is named, for who needs a real connection to it."""
    return served


@pytest.fixture
async def model_server() -> AsyncIterator[ModelServer]:
    """A server of models that says what the test tells it to."""
    server = ModelServer()
    async with on_loopback(web.post("/v1/{path:.*}", server.answer), handler_cancellation=True) as address:
        server.url = f"{address}/v1"
        yield server
