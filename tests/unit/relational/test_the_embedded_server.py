"""The embedded server starts in a folder, survives every kind of kill, is shared, and stops after its last user."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

import psutil
import psycopg
import pytest

from almanac.errors import SettingError, Unavailable
from almanac.relational import Database, EmbeddedPostgres

pytestmark = pytest.mark.lengthy

SCRIPT = Path(__file__).parent / "server_process.py"
Start = Callable[[], subprocess.Popen[str]]


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """Outside pytest's own folders, whose permissions it resets while other runs are going on."""
    with tempfile.TemporaryDirectory(prefix="almanac-pg-", ignore_cleanup_errors=True) as place:
        yield Path(place)


@pytest.fixture
def folder(place: Path) -> Path:
    """A server that the tests use one after the other, because making one takes long."""
    return place / "shared"


@pytest.fixture
def start_user(folder: Path) -> Iterator[Start]:
    """Start a process that uses the server, and wait until it says that it does."""
    started: list[subprocess.Popen[str]] = []

    def start() -> subprocess.Popen[str]:
        command = [sys.executable, str(SCRIPT), str(folder)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("postgresql://")
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def server_of(folder: Path) -> psutil.Process | None:
    note = folder / "server" / "postmaster.pid"
    return psutil.Process(int(note.read_text().split()[0])) if note.exists() else None


def works(server: psutil.Process) -> bool:
    """Where nobody collects ended processes they stay as zombies."""
    return server.is_running() and server.status() != psutil.STATUS_ZOMBIE


def write(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept AS SELECT 42 AS number")


def read(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT number FROM kept").fetchone()
        assert row is not None
        return int(row[0])


def kill(*processes: psutil.Process) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGKILL)
    psutil.wait_procs(processes, timeout=30)


async def test_data_stays_from_one_start_to_the_next(folder: Path) -> None:
    async with EmbeddedPostgres(folder) as url:
        write(url)
    assert server_of(folder) is None
    async with EmbeddedPostgres(folder) as url:
        assert read(url) == 42


async def test_nobody_else_on_the_machine_can_reach_it(folder: Path) -> None:
    async with EmbeddedPostgres(folder) as url:
        with psycopg.connect(url) as connection:
            addresses = connection.execute("SHOW listen_addresses").fetchone()
        assert addresses == ("",)
        assert (folder / "server").stat().st_mode & 0o077 == 0


async def test_two_processes_share_one_server_and_the_last_stops_it(folder: Path, start_user: Start) -> None:
    first, second = start_user(), start_user()
    server = server_of(folder)
    assert server is not None

    first.communicate()
    assert works(server)
    second.communicate()
    assert not works(server)


async def test_a_killed_user_does_not_keep_the_server_running(folder: Path, start_user: Start) -> None:
    start_user().kill()
    async with EmbeddedPostgres(folder) as url:
        write(url)
        server = server_of(folder)

    assert server is not None
    assert not works(server)


async def test_a_clean_start_follows_when_everything_was_killed(folder: Path, start_user: Start) -> None:
    user = start_user()
    write(EmbeddedPostgres(folder).url())
    server = server_of(folder)
    assert server is not None
    kill(psutil.Process(user.pid), server, *server.children())

    async with EmbeddedPostgres(folder) as url:
        assert read(url) == 42


async def test_a_server_that_was_killed_under_its_users_comes_back(folder: Path) -> None:
    async with EmbeddedPostgres(folder) as url, Database(url) as database:
        write(url)
        server = server_of(folder)
        assert server is not None
        kill(server)

        async with asyncio.timeout(60):
            while not await answers(database):
                pass
        assert read(url) == 42


class StumblingWatch(EmbeddedPostgres):
    """Cannot be looked at the first time, as when its note is just being written anew."""

    looks = 0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.looked_again = threading.Event()

    def _lives(self) -> bool:
        self.looks += 1
        if self.looks == 1:
            raise FileNotFoundError("postmaster.pid")
        self.looked_again.set()
        return super()._lives()


async def test_a_look_that_fails_does_not_end_the_watch(folder: Path) -> None:
    server = StumblingWatch(folder)
    async with server:
        assert await asyncio.to_thread(server.looked_again.wait, 60)


async def test_who_has_left_does_not_start_it_again(folder: Path) -> None:
    server = EmbeddedPostgres(folder)
    async with server:
        pass
    await asyncio.to_thread(server._revive)
    assert server_of(folder) is None


async def answers(database: Database) -> bool:
    try:
        return bool(await database.check())
    except Unavailable:
        return False


async def test_a_new_server_waits_for_the_children_of_a_killed_one(folder: Path) -> None:
    server = EmbeddedPostgres(folder)
    url = await server.start()
    with psycopg.connect(url) as busy:
        pid = busy.info.backend_pid
        os.kill(pid, signal.SIGSTOP)
        main = server_of(folder)
        assert main is not None
        main.send_signal(signal.SIGKILL)
        psutil.wait_procs([main], timeout=30)
        again = EmbeddedPostgres(folder)
        assert read(await again.start()) == 42
        assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
        busy.close()
    await again.stop()
    await server.stop()


async def test_a_note_that_names_a_foreign_process_is_ignored(folder: Path) -> None:
    async with EmbeddedPostgres(folder) as url:
        write(url)
    (folder / "server" / "postmaster.pid").write_text(f"{os.getpid()}\n{folder / 'server'}\n1\n5432\n\n\n1 1\nready\n")

    async with EmbeddedPostgres(folder) as url:
        assert read(url) == 42


async def test_notes_that_name_a_process_of_the_same_account_are_ignored(folder: Path) -> None:
    """As those of a killed server do, until somebody collects it."""
    async with EmbeddedPostgres(folder) as url:
        write(url)
    data = folder / "server"
    other = await asyncio.create_subprocess_exec("sleep", "60", user=data.stat().st_uid)
    (data / "postmaster.pid").write_text(f"{other.pid}\n{data}\n1\n5432\n\n\n1 1\nready\n")
    (data / ".s.PGSQL.5432.lock").write_text(f"{other.pid}\n{data}\n1\n5432\n{data}\n")
    try:
        async with EmbeddedPostgres(folder) as url:
            assert read(url) == 42
    finally:
        other.kill()
        await other.wait()


async def test_a_start_that_was_killed_halfway_is_repeated(place: Path) -> None:
    (place / "half" / "new-abandoned" / "server").mkdir(parents=True)

    async with EmbeddedPostgres(place / "half") as url:
        write(url)
        assert read(url) == 42


async def test_root_takes_over_the_server_of_another_account(folder: Path) -> None:
    async with EmbeddedPostgres(folder) as url:
        write(url)
    if os.geteuid() == 0:
        for path in (folder, folder / "server", *(folder / "server").rglob("*")):
            os.chown(path, 4711, 4711)

    async with EmbeddedPostgres(folder) as url:
        assert read(url) == 42


async def test_a_folder_with_a_very_long_name_works(place: Path) -> None:
    async with EmbeddedPostgres(place / ("x" * 100)) as url:
        write(url)
        assert read(url) == 42


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can make a folder of another account.")
def test_a_socket_folder_that_another_account_made_is_refused(place: Path) -> None:
    server = EmbeddedPostgres(place / ("y" * 100))
    socket_folder = Path(unquote(server.url().partition("host=")[2]))
    socket_folder.mkdir()
    os.chown(socket_folder, 4711, 4711)
    try:
        with pytest.raises(SettingError, match="belongs to another account"):
            asyncio.run(server.start())
    finally:
        socket_folder.rmdir()


async def test_a_folder_of_another_version_is_refused_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "PG_VERSION").write_text("9\n")

    with pytest.raises(SettingError, match="PostgreSQL 9 and this is 18; restore a backup"):
        await EmbeddedPostgres(tmp_path).start()


async def test_a_folder_that_cannot_be_made_is_refused_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(SettingError, match=r"data folder .* can't be written"):
        await EmbeddedPostgres(tmp_path / "file" / "postgres").start()
