"""What a desk gives to bring demo content, and what it is given while it does."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import msgspec

from almanac.accounts.model import Principal
from almanac.demo.record import Loaded, write_record
from almanac.jobs.port import RunLedger
from almanac.kit.text import counted
from almanac.services import Services


@dataclass(slots=True, kw_only=True)
class DemoContent:
    """A desk's demo content as it is now: whose it is, and what was made of it."""

    services: Services
    desk: str
    owner: Principal
    loaded: Loaded

    @property
    def day(self) -> date:
        """The day from which the dates of the content are counted; it stays the same in every attempt."""
        return self.loaded.day

    def made(self, kind: str) -> dict[str, str]:
        """The ids of what was made, by name."""
        return self.loaded.made.get(kind, {})

    async def note(self, kind: str, name: str, made_id: str) -> None:
        """Remember that something was made, or is about to be."""
        await self.note_all(kind, {name: made_id})

    async def note_all(self, kind: str, made: Mapping[str, str]) -> None:
        """Remember several at once: ids by name."""
        await self._replace(made={**self.loaded.made, kind: {**self.made(kind), **made}})

    async def finish(self) -> None:
        """Everything is there."""
        await self._replace(complete=True)

    async def clear(self) -> None:
        """Nothing is there any more, and it is not to come back by itself."""
        await self._replace(made={}, complete=False, removed=True)

    async def _replace(self, **changes: object) -> None:
        self.loaded = msgspec.structs.replace(self.loaded, **changes)
        await write_record(self.services.objects, self.desk, self.loaded)


@dataclass(slots=True, kw_only=True)
class DemoRun(DemoContent):
    """One attempt at a step. What it makes is noted, so that the next attempt knows; `ledger` tells how far it is."""

    ledger: RunLedger

    async def _replace(self, **changes: object) -> None:
        """Only while this run has the job: one that was given up for dead must not overwrite its successor's notes."""
        async with self.ledger.unit():
            await DemoContent._replace(self, **changes)


DemoStep = Callable[[DemoRun], Awaitable[None]]
DemoRemoval = Callable[[DemoContent], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPart:
    """A desk's demo content: steps in their order, each a job of its own, and how all of it is removed.

    A step may be cut off and is then repeated, so it must find what is there already. It starts when every job that
    the step before it has queued was taken up. `kinds` are the nouns for what is made.
    """

    kinds: tuple[str, ...]
    steps: tuple[DemoStep, ...]
    remove: DemoRemoval


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoReport:
    """What a call did: how much there is of each kind, and whether this call has changed anything."""

    counts: dict[str, int]
    changed: bool

    @property
    def told(self) -> str:
        """As in `20 sources and 2 newsletters`; empty where there is nothing."""
        return _listed([counted(number, kind) for kind, number in self.counts.items() if number])


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
