"""A process that publishes an article again and again: `publishing_process.py <settings as JSON>`; meant to be killed.

It says `ready` when it begins. The two forms of the article differ in everything that it is filed under.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from almanac.bootstrap import running
from almanac.config import Settings
from almanac.desks.recap.publishing import publish
from almanac.desks.recap.sources.diet_record import meeting_of
from almanac.desks.recap.writing.keeping import NothingKept
from almanac.desks.recap.writing.recapping import write_recap
from almanac.llm.extracting import ExtractiveWriter


async def main(wanted: dict[str, Any]) -> None:
    settings = Settings(data=Path(wanted["data"]), database_url=wanted["database_url"], mail_url="memory:")
    async with running(settings) as services:
        writer = ExtractiveWriter(services.clock)
        forms = []
        for record in wanted["records"]:
            meeting = meeting_of(record)
            recap = await write_recap(meeting, writer=writer, clock=services.clock, keeping=NothingKept())
            forms.append((meeting, recap))
        print("ready", flush=True)
        while True:
            for meeting, recap in forms:
                await publish(services, meeting, recap, record_url="")


asyncio.run(main(json.loads(sys.argv[1])))
