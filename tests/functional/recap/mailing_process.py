"""Queues the mails that are due and never ends its transaction, meant to be killed: `mailing_process.py <settings>`."""

import asyncio
import json
import sys
from pathlib import Path

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.mail import Mailer


async def main() -> None:
    wanted = json.loads(sys.argv[1])
    settings = Settings(
        data=Path(wanted["data"]), database_url=wanted["database_url"], mail_url="memory:", public="recap"
    )
    queue = Mailer.queue

    async def queue_and_wait(*args, **options):
        await queue(*args, **options)
        print("queued", flush=True)
        await asyncio.Event().wait()

    Mailer.queue = queue_and_wait
    async with open_services(settings) as services:
        await services.alert_mails.send_due()
    print("nothing due", flush=True)


asyncio.run(main())
