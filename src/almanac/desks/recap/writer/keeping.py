"""What a run leaves behind while it writes, so that a crash repeats no finished pack."""

from typing import Protocol

from almanac.desks.recap.chunking import Pack, Plan


class Keeping(Protocol):
    """Where the desk's task keeps the packs. A plan may come a second time, with smaller packs."""

    async def planned(self, plan: Plan) -> None:
        """The packs are known; those of an earlier plan no longer count."""
        ...

    async def find(self, pack: Pack, key: str) -> bytes | None:
        """The kept result of this pack under this key, if there is one."""
        ...

    async def keep(self, pack: Pack, key: str, result: bytes) -> None:
        """Keep a finished pack."""
        ...


class NothingKept:
    """For writing in one go: nothing to come back to."""

    async def planned(self, plan: Plan) -> None:
        """Nothing to note."""

    async def find(self, pack: Pack, key: str) -> bytes | None:  # noqa: ARG002 - the port names them
        return None

    async def keep(self, pack: Pack, key: str, result: bytes) -> None:
        """Nothing to keep."""
