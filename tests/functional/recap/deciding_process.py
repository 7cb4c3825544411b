"""Holds and releases an article again and again, meant to be killed: `deciding_process.py <settings as JSON>`.

For each line on standard input it starts a process of its own kind and prints its number once that decides; when that
one was killed it prints `gone`.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from almanac.accounts.model import CONSOLE
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks.recap.service import editorial


async def main(wanted: dict[str, Any]) -> None:
    settings = Settings(data=Path(wanted["data"]), database_url=wanted["database_url"], mail_url="memory:")
    async with open_services(settings) as services:
        print(os.getpid(), flush=True)
        while True:
            for state in ("held", "published"):
                status = await editorial.get_status(services, wanted["article_id"])
                await editorial.decide_state(
                    services, CONSOLE, wanted["article_id"], state, "Under a check.", revision=status.revision
                )


for _ in sys.stdin:
    # Loading the product takes longer than the test; a fork has it already.
    if (child := os.fork()) == 0:
        asyncio.run(main(json.loads(sys.argv[1])))
    os.waitpid(child, 0)
    print("gone", flush=True)
