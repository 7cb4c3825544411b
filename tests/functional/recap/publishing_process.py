"""Publishes an article again and again, meant to be killed: `publishing_process.py <settings as JSON>`.

For each line on standard input it starts a process of its own kind and prints its number once that publishes; when that
one was killed it prints `gone`. The two forms of the article differ in everything that it is filed under.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.llm.extractive.writer import ExtractiveWriter


async def main(wanted: dict[str, Any]) -> None:
    settings = Settings(data=Path(wanted["data"]), database_url=wanted["database_url"], mail_url="memory:")
    async with open_services(settings) as services:
        writer = ExtractiveWriter(services.clock)
        forms = []
        for record in wanted["records"]:
            meeting = parse_meeting(record)
            recap = await write_recap(meeting, writer=writer, clock=services.clock, pack_store=NoPackStore())
            forms.append((meeting, recap))
        await publish_recap(services, *forms[0], record_url="")
        print(os.getpid(), flush=True)
        while True:
            for meeting, recap in reversed(forms):
                await publish_recap(services, meeting, recap, record_url="")


for _ in sys.stdin:
    # Loading the product takes longer than the test; a fork has it already.
    if (child := os.fork()) == 0:
        asyncio.run(main(json.loads(sys.argv[1])))
    os.waitpid(child, 0)
    print("gone", flush=True)
