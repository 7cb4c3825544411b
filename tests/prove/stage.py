"""One installation as several machines have it: what it is made of, who works with it, and what is known of it.

How it is started is in `starting`.
"""

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from calling import Caller, Journal
from parts import Postgres, Process
from post_office import PostOffice
from report import Report

ADMIN_TOKEN = "a-token-of-the-administrator"
PASSWORD = "violet tramway under snow"
SCOPES = {"member": ["read", "write"], "editor": ["read", "write"], "admin": ["read", "write", "approve", "send"]}
FEEDS = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to go on, the pace of killing, how long to wait for rest, how much there is to do and by how many, and
    whether leases are short.
    """

    seconds: float = 300
    pause: tuple[float, float] = (2, 6)
    settle_seconds: float = 1500
    workers: int = 2
    pages_in_feeds: int = 30
    is_quick: bool = False
    seed: int = 11


@dataclass
class Stage:
    """Everything that a proof works with."""

    plan: Plan
    folder: Path
    journal: Journal
    office: PostOffice
    postgres: Postgres
    tables: Process
    webs: list[Process]
    workers: list[Process]
    addresses: list[str]
    local_web: str
    records: Path
    environment: dict[str, str]
    chance: random.Random
    admin: Caller = field(init=False)
    met: Counter[str] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)
    trouble: list[str] = field(default_factory=list)
    _callers: list[Caller] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.admin = self.caller(ADMIN_TOKEN)

    def caller(self, token: str) -> Caller:
        made = Caller(self.addresses, token, self.chance, self.met)
        self._callers.append(made)
        return made

    async def person(self, name: str, role: str) -> Caller:
        """Somebody of their own, with a token."""
        new = {"email": f"{name}@staff.example.org", "name": name, "role": role, "password": PASSWORD}
        user = await self.admin.post("/users", new)
        token = await self.admin.post("/tokens", {"name": "proof", "scopes": SCOPES[role], "owner_id": user["id"]})
        return self.caller(token["secret"])

    @property
    def programs(self) -> list[Process]:
        return [self.tables, *self.webs, *self.workers]

    async def close(self) -> None:
        for caller in self._callers:
            await caller.close()
        for process in (*self.webs, *self.workers, self.tables):
            await asyncio.to_thread(process.stop)


class Desk(Protocol):
    """What a desk's load consists of, and how what it acknowledged is found again."""

    writers: int

    async def set_up(self) -> None: ...

    async def write(self, writer: int) -> None:
        """One round of work; called again and again by each writer."""

    async def is_at_rest(self) -> bool:
        """Whether everything that was begun has ended."""

    async def check(self, report: Report) -> None: ...


async def until(fact: Callable[[], Awaitable[Any]], seconds: float, pause: float = 0.5) -> bool:
    """Whether it came about in time."""
    end = time.monotonic() + seconds
    while not await fact():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(pause)
    return True


def tell(words: str) -> None:
    """How far the proof is, for who waits for it."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {words}\n")
    sys.stderr.flush()
