"""A process that uses an embedded server: it says the address, then waits for the end of its input."""

import asyncio
import sys
from pathlib import Path

from almanac.relational import MIGRATIONS, EmbeddedPostgres, migrate


async def main(folder: str) -> None:
    async with EmbeddedPostgres(Path(folder)) as url:
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


async def apply(url: str, *sources: str) -> None:
    applied = await migrate(url, *map(Path, sources), MIGRATIONS)
    sys.stdout.write(f"{len(applied)}\n")


if __name__ == "__main__":
    asyncio.run(apply(*sys.argv[2:]) if sys.argv[1] == "migrate" else main(sys.argv[1]))
