"""The embedded PostgreSQL: starts the server of the wheel, shares it between processes, stops it after the last.

Who uses the server is known by file locks, which the kernel drops when a process dies in any way; so nothing stale
remains after a kill, and a folder copied or restarted on another machine starts clean.
"""

import asyncio
import fcntl
import hashlib
import logging
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
from psycopg import sql

from almanac.errors import AlmanacError, SettingError, Unavailable
from almanac.relational.server_programs import (
    ServerAccount,
    choose_server_account,
    find_installation,
    grant_folder,
    run_program,
)

_START_SECONDS = 120
_ORPHAN_SECONDS = 5.0
_LOOK_SECONDS = 3.0
_SOCKET_PATH_LIMIT = 90
_SOCKET_NOTE = ".s.PGSQL.5432.lock"
_BETWEEN_STATES = "the database system is"
_NEW_CLUSTER = (
    *("--username=postgres", "--auth=trust", "--encoding=utf8"),
    *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
)
_OPTIONS = {"listen_addresses": "", "unix_socket_permissions": "0700", "max_connections": "200"}

logger = logging.getLogger(__name__)


class EmbeddedPostgres:
    """A PostgreSQL server in a folder. Use as an async context manager, or `start` and `stop`."""

    def __init__(self, folder: Path, *, options: dict[str, str] | None = None) -> None:
        self.folder = folder.resolve()
        self._data = self.folder / "server"
        self._options = {**_OPTIONS, **(options or {})}
        self._users: int | None = None
        self._watch: asyncio.Task[None] | None = None

    def url(self, database: str = "almanac") -> str:
        """Where a database of this server is reached: a socket that only this account can open."""
        return f"postgresql://postgres@/{quote(database)}?host={quote(str(self._socket_folder), safe='')}"

    async def start(self) -> str:
        """Start the server, or join the one that runs; returns the address of the database."""
        address = await asyncio.to_thread(self._start)
        self._watch = asyncio.create_task(self._keep_running(), name="embedded PostgreSQL")
        return address

    async def stop(self) -> bool:
        """Leave; the last to leave stops the server. Returns whether that was us."""
        if self._watch:
            self._watch.cancel()
        return await asyncio.to_thread(self._leave)

    async def __aenter__(self) -> str:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _keep_running(self) -> None:
        """Start the server again if somebody killed it; clients reconnect by themselves."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                if not await asyncio.to_thread(self._lives):
                    logger.warning("The embedded PostgreSQL stopped; it is restarted.")
                    await asyncio.to_thread(self._revive)
            except (AlmanacError, OSError):
                logger.exception("The embedded PostgreSQL can't be checked; it is tried again.")

    @property
    def _socket_folder(self) -> Path:
        """The data folder, unless its path is too long for a socket address."""
        if len(os.fsencode(self._data)) < _SOCKET_PATH_LIMIT:
            return self._data
        name = hashlib.sha256(os.fsencode(self._data)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"almanac-{os.getuid()}-{name}"

    def _start(self) -> str:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._turn():
                self._join()
                self._prepare(choose_server_account(self._data))
        except OSError as error:
            self._drop_users_lock()
            raise SettingError(f"The data folder {self.folder} can't be written ({error.strerror}).") from error
        except BaseException:
            self._drop_users_lock()
            raise
        return self.url()

    def _prepare(self, account: ServerAccount) -> None:
        grant_folder(self.folder, account)
        self._initialise(account)
        if not self._answers():
            self._launch(account)
        self._create_database("almanac")

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One process at a time starts or stops the server."""
        with (self.folder / "turn.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _join(self) -> None:
        self._users = os.open(self.folder / "users.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._users, fcntl.LOCK_SH)

    def _leave(self) -> bool:
        if self._users is None:
            return False
        with self._turn():
            last = self._is_last()
            self._drop_users_lock()
            if last and self._data.exists():
                self._shut_down()
        return last

    def _is_last(self) -> bool:
        assert self._users is not None
        try:
            fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _drop_users_lock(self) -> None:
        if self._users is not None:
            os.close(self._users)
            self._users = None

    def _initialise(self, account: ServerAccount) -> None:
        """Make the cluster beside its place and move it there, so that a kill leaves no half-made one."""
        version = self._data / "PG_VERSION"
        if version.exists():
            _check_version(version.read_text().strip(), self._data)
            return
        with tempfile.TemporaryDirectory(prefix="new-", dir=self.folder, ignore_cleanup_errors=True) as fresh:
            grant_folder(Path(fresh), account)
            made = Path(fresh) / "server"
            run_program("initdb", "-D", made, *_NEW_CLUSTER, account=account)
            made.rename(self._data)

    def _launch(self, account: ServerAccount) -> None:
        self._forget_dead_server()
        socket_folder = self._socket_folder
        if socket_folder != self._data:
            _make_socket_folder(socket_folder, account)
        settings = {**self._options, "unix_socket_directories": str(socket_folder)}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        wait = ("-w", "-t", str(_START_SECONDS))
        log = ("-l", self._data / "server.log")
        run_program("pg_ctl", *wait, *log, "-D", self._data, "-o", options, "start", account=account)

    def _forget_dead_server(self) -> None:
        """Remove the notes of a server that died: its number may belong to any process by now."""
        note = self._data / "postmaster.pid"
        if note.exists() and not self._runs(note):
            self._await_orphans()
            (self._socket_folder / _SOCKET_NOTE).unlink(missing_ok=True)
            note.unlink()

    def _await_orphans(self) -> None:
        """Let the children of a killed server end before another starts: two servers would ruin the data.

        They notice the death by themselves; one that is deep in a long statement may not, and is killed too.
        """
        patience = time.monotonic() + _ORPHAN_SECONDS
        while orphans := [process for process in psutil.process_iter() if self._works_here(process)]:
            if time.monotonic() > patience:
                for process in orphans:
                    with suppress(psutil.Error):
                        process.kill()
            time.sleep(0.05)

    def _works_here(self, process: psutil.Process) -> bool:
        try:
            return Path(process.cwd()) == self._data and process.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            return False

    def _runs(self, note: Path) -> bool:
        """Whether the noted process is a server in this very folder."""
        number = note.read_text().partition("\n")[0].strip()
        try:
            return number.isdigit() and self._works_here(psutil.Process(int(number)))
        except psutil.NoSuchProcess:
            return False

    def _answers(self) -> bool:
        """Whether a server listens here; one that is still starting or stopping is waited for."""
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            try:
                with psycopg.connect(self.url("postgres"), connect_timeout=10):
                    return True
            except psycopg.OperationalError as error:
                if _BETWEEN_STATES not in str(error):
                    return False
                time.sleep(0.05)
        return False

    def _lives(self) -> bool:
        """Whether the server's process is there; a deleted folder is nothing to start again in."""
        note = self._data / "postmaster.pid"
        return not self._data.exists() or (note.exists() and self._runs(note))

    def _revive(self) -> None:
        """Not after we left: cancelling the watch doesn't stop a thread of its, and nobody would stop that server."""
        with self._turn():
            if self._users is not None and not self._answers():
                self._launch(choose_server_account(self._data))

    def _create_database(self, name: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone()
            if exists is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))

    def _shut_down(self) -> None:
        try:
            run_program(
                "pg_ctl", "-w", "-m", "fast", "-D", self._data, "stop", account=choose_server_account(self._data)
            )
        except Unavailable:
            if self._answers():
                raise
        if self._socket_folder != self._data:
            shutil.rmtree(self._socket_folder, ignore_errors=True)


def _make_socket_folder(folder: Path, account: ServerAccount) -> None:
    """A private folder outside the data folder. Whoever made it before us could pass as the server."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (os.geteuid(), account.user):
        raise SettingError(f"{folder} belongs to another account; remove it, or choose a shorter ALMANAC_DATA.")
    folder.chmod(0o700)
    grant_folder(folder, account)


def _check_version(version: str, data: Path) -> None:
    shipped = find_installation().version
    if version != str(shipped):
        raise SettingError(
            f"The database in {data} was made by PostgreSQL {version} and this is {shipped};"
            " restore a backup into an empty data folder."
        )
