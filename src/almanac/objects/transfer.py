"""Copies everything from one store to another, for backups, restores and moving house."""

from collections.abc import Callable
from dataclasses import dataclass

from almanac.objects.port import ListedObject, Objects


@dataclass(frozen=True, slots=True)
class Transferred:
    """How much was copied."""

    objects: int
    bytes: int


async def copy_all(
    source: Objects, target: Objects, prefix: str = "", *, seen: Callable[[ListedObject], None] | None = None
) -> Transferred:
    """Copy every object below a prefix with its content type; `seen` is told of each one, for a progress bar."""
    count = size = 0
    async for listed in source.iterate(prefix):
        opened = await source.open(listed.key)
        stored = await target.put(listed.key, opened.chunks, content_type=opened.info.content_type)
        count, size = count + 1, size + stored.size
        if seen is not None:
            seen(listed)
    return Transferred(count, size)
