"""The interface of an object store for large values, and an implementation in memory."""

from __future__ import annotations

from typing import Protocol

from tablature.errors import ObjectMissing


class Objects(Protocol):
    """Large values by key, for both façades. `get` raises ObjectMissing; deleting a missing object does nothing."""

    def put(self, key: str, data: bytes) -> None: ...

    def get(self, key: str) -> bytes: ...

    def delete(self, key: str) -> None: ...

    async def put_async(self, key: str, data: bytes) -> None: ...

    async def get_async(self, key: str) -> bytes: ...

    async def delete_async(self, key: str) -> None: ...


class MemoryObjects:
    """An object store in memory, for tests and experiments."""

    def __init__(self) -> None:
        self.stored: dict[str, bytes] = {}

    def put(self, key: str, data: bytes) -> None:
        self.stored[key] = data

    def get(self, key: str) -> bytes:
        if key not in self.stored:
            raise ObjectMissing(key)
        return self.stored[key]

    def delete(self, key: str) -> None:
        self.stored.pop(key, None)

    async def put_async(self, key: str, data: bytes) -> None:
        self.put(key, data)

    async def get_async(self, key: str) -> bytes:
        return self.get(key)

    async def delete_async(self, key: str) -> None:
        self.delete(key)
