"""What was loaded, desk by desk, in object storage: read by the next attempt, by a second load and by the removal."""

from datetime import date

import msgspec

from almanac.errors import NotFound
from almanac.objects import ObjectStore

_FOLDER = "demo"


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """The demo content of one desk: whose it is, the day its dates count from, and what was made.

    `made` holds the ids by kind and name, as in `{"source": {"observatory": "01…"}}`. Once removed, an entry stays, so
    that the content doesn't come back by itself.
    """

    owner_id: str
    day: date
    made: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    complete: bool = False
    removed: bool = False

    def count(self, kind: str) -> int:
        return len(self.made.get(kind, {}))


async def read_record(objects: ObjectStore, desk: str) -> Loaded | None:
    """What is known of a desk's demo content; None where it was never loaded."""
    try:
        return msgspec.json.decode(await objects.get(_key(desk)), type=Loaded)
    except NotFound:
        return None


async def write_record(objects: ObjectStore, desk: str, loaded: Loaded) -> None:
    await objects.put(_key(desk), msgspec.json.encode(loaded))


def _key(desk: str) -> str:
    return f"{_FOLDER}/{desk}.json"
