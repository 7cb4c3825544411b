"""Lanes within one process: those who want to do something about the same thing wait in a row for each other."""

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class Lanes:
    """A lock for each thing, as long as anybody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def of(self, thing: Hashable) -> asyncio.Lock:
        """To be held while one does it; who comes first is first."""
        lock = self._locks.get(thing)
        if lock is None:
            lock = self._locks[thing] = asyncio.Lock()
        return lock
