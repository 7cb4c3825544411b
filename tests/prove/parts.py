"""The parts under test, each a process that is killed without warning and comes back at the same address."""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

import psutil
import psycopg

from almanac.relational import EmbeddedPostgres

SECONDS_TO_START = 120


def free_port() -> int:
    """A port that nobody listens on; a part keeps it over all its lives."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class Part(Protocol):
    """Something that can be killed."""

    kind: str

    def is_up(self) -> bool:
        """Whether it does its work; what still starts isn't killed, or on a slow machine nothing would run."""

    def kill(self) -> str:
        """Kill it as it stands; returns what was killed, in words."""

    def revive(self) -> None:
        """Start it again, without waiting until it answers."""


@dataclass
class Process:
    """A program of ours. Only the process itself is killed: what it started must notice by itself."""

    kind: str
    command: list[str]
    environment: dict[str, str]
    log: Path
    greeting: str
    lives: list[subprocess.Popen[bytes]] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    _log_before: int = 0

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._log_before = log.tell()
            self.lives.append(self._spawn(log))

    def is_up(self) -> bool:
        return self.greeting.encode() in self.log.read_bytes()[self._log_before :]

    def _spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def kill(self) -> str:
        self.lives[-1].send_signal(signal.SIGKILL)
        self.lives[-1].wait()
        return self.kind

    def revive(self) -> None:
        self.start()

    def start_again_if_ended(self) -> None:
        """One that can't start because what it needs is down ends with a sentence; one that was up must stay so."""
        code = self.lives[-1].poll()
        if code is not None:
            (self.ended if self.is_up() else self.late).append(code)
            self.start()

    def stop(self) -> None:
        """End it and whatever any of its lives started."""
        for life in self.lives:
            with suppress(ProcessLookupError):
                os.killpg(life.pid, signal.SIGKILL)
            life.wait()

    def orphans(self) -> list[str]:
        """What dead lives of this part left running."""
        dead = {life.pid for life in self.lives if life.poll() is not None}
        return [" ".join(item.cmdline())[:100] for item in psutil.process_iter() if _session_of(item) in dead]


def _session_of(process: psutil.Process) -> int | None:
    try:
        return None if process.status() == psutil.STATUS_ZOMBIE else os.getsid(process.pid)
    except (psutil.Error, OSError):
        return None


@dataclass
class Postgres:
    """The server, of which either one connection's process is killed, or the whole; both end every connection."""

    folder: Path
    chance: random.Random
    kind: str = "PostgreSQL"
    server: EmbeddedPostgres = field(init=False)

    def __post_init__(self) -> None:
        self.server = EmbeddedPostgres(self.folder)

    def is_up(self) -> bool:
        try:
            with psycopg.connect(self.server.url(), connect_timeout=2):
                return True
        except psycopg.OperationalError:
            return False

    def kill(self) -> str:
        with suppress(OSError, psutil.Error):
            main = psutil.Process(int((self.folder / "server" / "postmaster.pid").read_text().split("\n", 1)[0]))
            connections = [item for item in main.children() if "almanac [local]" in " ".join(item.cmdline())]
            if connections and self.chance.random() < 1 / 2:
                self.chance.choice(connections).kill()
                return "PostgreSQL connection"
            main.kill()
            return "PostgreSQL server"
        return "PostgreSQL while it was down"

    def revive(self) -> None:
        """Who started it watches over it; a single process is replaced by the server itself."""


async def until_listening(port: int) -> None:
    """Wait until somebody takes connections."""
    async with asyncio.timeout(SECONDS_TO_START):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return


def python(*arguments: object) -> list[str]:
    return [sys.executable, *map(str, arguments)]
