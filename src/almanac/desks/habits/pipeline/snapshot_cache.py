"""Keeps what was computed from people's logs as long as it holds, since a view of a page changes nothing in it.

The key is the version of the owner's log, which is random and changes with every change: nobody finds by it what was
computed from another log, be it an older one or somebody else's.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from datetime import date
from typing import TypeAlias

from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.store.people import HabitOwner

# A judged span is about 200 bytes; a year of daily entries is 365 of them.
MAX_SPANS = 50_000

SnapshotKey: TypeAlias = tuple[str, date, str]
LoadSnapshots: TypeAlias = Callable[[], Awaitable[list[HabitSnapshot]]]


class SnapshotCache:
    """The latest snapshots, up to a number of judged spans in all."""

    def __init__(self, max_spans: int = MAX_SPANS) -> None:
        self._max_spans = max_spans
        self._spans = 0
        self._kept: OrderedDict[SnapshotKey, tuple[list[HabitSnapshot], int]] = OrderedDict()

    async def get(self, owner: HabitOwner, habits: str, load: LoadSnapshots) -> list[HabitSnapshot]:
        """The snapshots of an owner's habits today, loaded unless they are here. `habits` names which of them.

        A transaction that is changing the log loads them, and leaves nothing here.
        """
        if owner.person.log_version is None:
            return await load()
        key = (owner.person.log_version, owner.today, habits)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][0]
        snapshots = await load()
        self._keep(key, snapshots)
        return snapshots

    def _keep(self, key: SnapshotKey, snapshots: list[HabitSnapshot]) -> None:
        spans = sum(len(snapshot.stats.judged) for snapshot in snapshots) + 1
        if key in self._kept or spans > self._max_spans:
            return
        self._kept[key] = snapshots, spans
        self._spans += spans
        while self._spans > self._max_spans:
            self._spans -= self._kept.popitem(last=False)[1][1]
