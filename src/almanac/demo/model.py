"""Demo content of a desk: its steps, the record of what was created, and the report."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date

import msgspec

from almanac.accounts.model import Principal
from almanac.errors import NotFound
from almanac.jobs.port import RunLedger
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext, join_texts
from almanac.objects import ObjectStore
from almanac.services import Services

_FOLDER = "demo"


class DemoRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The stored record of a desk's demo content: its owner, the day its dates are relative to, and what was created.

    `made` holds ids by kind and name, such as `{"source": {"observatory": "01…"}}`. The record stays after removal, so
    that the content isn't loaded again automatically.
    """

    owner_id: str
    day: date
    made: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    complete: bool = False
    removed: bool = False

    def count(self, kind: str) -> int:
        return len(self.made.get(kind, {}))


async def read_record(objects: ObjectStore, desk: str) -> DemoRecord | None:
    """The record of a desk's demo content; None if it was never loaded."""
    try:
        return msgspec.json.decode(await objects.get(_key(desk)), type=DemoRecord)
    except NotFound:
        return None


async def write_record(objects: ObjectStore, desk: str, loaded: DemoRecord) -> None:
    await objects.put(_key(desk), encode_json(loaded))


def _key(desk: str) -> str:
    return f"{_FOLDER}/{desk}.json"


@dataclass(slots=True, kw_only=True)
class DemoContent:
    """A desk's demo content: its owner and the record of what was created."""

    services: Services
    desk: str
    owner: Principal
    loaded: DemoRecord

    @property
    def day(self) -> date:
        """The day that dates of the content are relative to; the same in every attempt."""
        return self.loaded.day

    def made(self, kind: str) -> dict[str, str]:
        """Ids of created things of a kind, by name."""
        return self.loaded.made.get(kind, {})

    async def note(self, kind: str, name: str, made_id: str) -> None:
        """Record something that was created or is about to be."""
        await self.note_all(kind, {name: made_id})

    async def note_all(self, kind: str, made: Mapping[str, str]) -> None:
        """Record several things: ids by name."""
        await self._replace(made={**self.loaded.made, kind: {**self.made(kind), **made}})

    async def finish(self) -> None:
        """Mark the content as complete."""
        await self._replace(complete=True)

    async def clear(self) -> None:
        """Mark the content as removed, so that it isn't loaded again automatically."""
        await self._replace(made={}, complete=False, removed=True)

    async def _replace(self, **changes: object) -> None:
        self.loaded = msgspec.structs.replace(self.loaded, **changes)
        await write_record(self.services.objects, self.desk, self.loaded)


@dataclass(slots=True, kw_only=True)
class DemoRun(DemoContent):
    """One attempt at a step. What it creates is recorded for the next attempt; `ledger` reports progress."""

    ledger: RunLedger

    async def _replace(self, **changes: object) -> None:
        """Write only while this run holds the job, so that a run presumed dead doesn't overwrite its successor."""
        async with self.ledger.unit():
            await DemoContent._replace(self, **changes)


DemoStep = Callable[[DemoRun], Awaitable[None]]
CountText = Callable[[int], str]
DemoRemoval = Callable[[DemoContent], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPart:
    """A desk's demo content: its steps in order, each a job, and how to remove all of it.

    An interrupted step is repeated, so it must skip what exists already. It starts when every job that the previous
    step queued has started. `kinds` are the kinds of what is created, each with the text that
    counts it.
    """

    kinds: Mapping[str, CountText]
    steps: tuple[DemoStep, ...]
    remove: DemoRemoval


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoReport:
    """How much demo content there is of each kind, and whether the call changed anything."""

    counts: dict[str, int]
    texts: Mapping[str, CountText]
    changed: bool

    @property
    def summary(self) -> str:
        """Such as `20 sources and 2 newsletters`; empty if there is nothing."""
        words = [self.texts[kind](number) for kind, number in self.counts.items() if number]
        if len(words) < 2:
            return words[0] if words else ""
        return gettext("%(others)s and %(last)s", others=join_texts(words[:-1]), last=words[-1])
