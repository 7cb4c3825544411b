"""With an SMTP server that fails in every way and senders that are killed, no mail arrives twice."""

import asyncio
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from almanac.kit.clock import FixedClock, SystemClock
from almanac.mail import Address, Mailbox, Mailer, Message, SendPolicy, UnsubscribeLinks
from almanac.mail.smtp import SmtpServer, SmtpTransport
from almanac.relational import Database

LINKS = UnsubscribeLinks(b"key", "https://almanac.example.org")
SENDER = Address("almanac@example.org")

SENDER_PROCESS = """
import asyncio, sys
from almanac.kit.clock import SystemClock
from almanac.mail import Address, Mailer, UnsubscribeLinks
from almanac.mail.smtp import SmtpServer, SmtpTransport
from almanac.relational import Database

class FrozenTransport(SmtpTransport):
    async def send(self, envelope):
        print("claimed", flush=True)
        await asyncio.Event().wait()

async def send():
    url, port, kind = sys.argv[1:]
    transport = {"frozen": FrozenTransport, "smtp": SmtpTransport}[kind](
        SmtpServer("127.0.0.1", int(port), starttls="no")
    )
    async with Database(url) as database:
        links = UnsubscribeLinks(b"key", "https://almanac.example.org")
        mailer = Mailer(database, transport, clock=SystemClock(), sender=Address("almanac@example.org"), links=links)
        await mailer.deliver_due()

asyncio.run(send())
"""


def mailer_on(database: Database, port: int, clock=None) -> Mailer:
    transport = SmtpTransport(SmtpServer("127.0.0.1", port, starttls="no", timeout=5))
    policy = SendPolicy(first_wait_seconds=0)
    return Mailer(database, transport, clock=clock or SystemClock(), sender=SENDER, links=LINKS, policy=policy)


async def queue(mailer: Mailer, database: Database, number: int) -> list[str]:
    async with database.unit() as unit:
        return [(await mailer.queue(_message(n), key=f"mail-{n}", unit=unit)).id for n in range(number)]


def _message(number: int) -> Message:
    return Message(to=(Address(f"p{number}@example.com"),), subject=f"Mail {number}", text="Hi\n", topic="test")


async def send_until_nothing_waits(*mailers: Mailer) -> None:
    async def work(mailer: Mailer) -> None:
        while await mailer.deliver_due():
            pass

    await asyncio.gather(*(work(mailer) for mailer in mailers))


async def test_two_senders_on_one_queue_send_each_mail_once(database, database_url, post_office) -> None:
    async with Database(database_url, max_connections=4) as second:
        first = mailer_on(database, post_office.port)
        await queue(first, database, 100)
        await send_until_nothing_waits(first, first, mailer_on(second, post_office.port))
    arrivals = Counter(received.recipients[0] for received in post_office.received)
    assert arrivals == {f"p{n}@example.com": 1 for n in range(100)}
    assert await Mailbox(database, b"k").counts() == {"sent": 100}


async def test_a_server_that_fails_in_every_way_gets_no_mail_twice(database, database_url, post_office) -> None:
    turns = count()

    async def misbehave(server, envelope) -> str:
        turn = next(turns) % 5
        if turn == 1:
            return "451 4.3.0 later"
        if turn in {2, 3}:
            if turn == 3:
                post_office.take(envelope)
            server.transport.abort()
        return "250 taken" if turn in {0, 4} else "451 never heard"

    post_office.on_data = misbehave
    async with Database(database_url, max_connections=4) as second:
        first = mailer_on(database, post_office.port)
        ids = await queue(first, database, 60)
        await send_until_nothing_waits(first, mailer_on(second, post_office.port))
    arrivals = Counter(received.recipients[0] for received in post_office.received)
    assert max(arrivals.values()) == 1
    mailbox = Mailbox(database, b"k")
    lines = [(await mailbox.get(mail_id)).line for mail_id in ids]
    assert {line.status for line in lines} == {"sent", "unknown"}
    assert all(arrivals[line.recipients[0]] == 1 for line in lines if line.status == "sent")


async def killed_sender(url: str, port: int, kind: str, reached: asyncio.Event | None = None) -> None:
    """A process of its own that is killed at its worst moment: after the claim, or after the content was taken."""
    command = [sys.executable, "-c", SENDER_PROCESS, url, str(port), kind]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    if reached is None:
        assert await process.stdout.readline() == b"claimed\n"
    else:
        await reached.wait()
    process.kill()
    await process.wait()


@pytest.mark.parametrize("moment", ["before it is sent", "after it is taken"])
async def test_a_mail_whose_sender_was_killed_is_unknown_and_not_sent_again(
    database, database_url, post_office, moment: str
) -> None:
    taken, later = asyncio.Event(), FixedClock(datetime.now(UTC) + timedelta(minutes=11))

    async def take_in_silence(_server, envelope) -> str:
        post_office.take(envelope)
        taken.set()
        await asyncio.Event().wait()
        return "250 never said"

    [mail_id] = await queue(mailer_on(database, post_office.port), database, 1)
    if moment == "before it is sent":
        await killed_sender(database_url, post_office.port, "frozen")
    else:
        post_office.on_data = take_in_silence
        await killed_sender(database_url, post_office.port, "smtp", taken)
    arrived = len(post_office.received)

    survivor = mailer_on(database, post_office.port)
    assert (await survivor.deliver(mail_id)).status == "sending"
    assert (await survivor.reconcile()).leases_lost == 0
    eleven_minutes_on = mailer_on(database, post_office.port, later)
    assert (await eleven_minutes_on.reconcile()).leases_lost == 1
    assert (await eleven_minutes_on.deliver(mail_id)).status == "unknown"
    assert await eleven_minutes_on.deliver_due() == []
    assert len(post_office.received) == arrived
