"""A real SMTP server of changing manners, which counts every mail that it took."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from weakref import WeakKeyDictionary

from aiosmtpd.smtp import SMTP, Envelope, Session

MANNERS = ["well"] * 16 + [
    "refuses",
    "puts off",
    "hangs up before",
    "silent before",
    "hangs up after",
    "hangs up unseen",
    "silent after",
    "silent unseen",
]
SECONDS_A_CLIENT_WAITS = 2


@dataclass
class PostOffice:
    """Refuses, puts off, hangs up or falls silent before or after the content. "Unseen" is a mail it didn't keep."""

    chance: random.Random
    taken: Counter[str] = field(default_factory=Counter)
    message_ids: Counter[str] = field(default_factory=Counter)
    refused: set[str] = field(default_factory=set)
    met: Counter[str] = field(default_factory=Counter)
    manners: WeakKeyDictionary[Session, str] = field(default_factory=WeakKeyDictionary)
    is_kind: bool = False
    url: str = ""
    never: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        manner = "well" if self.is_kind else self.chance.choice(MANNERS)
        self.manners[session] = manner
        self.met[manner] += 1
        if manner == "hangs up before":
            _hang_up(server)
        if manner == "silent before":
            await self.never.wait()
        envelope.rcpt_tos.append(address)
        if manner == "refuses":
            self.refused.add(address)
            return "550 5.1.1 nobody here"
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - the same
        manner = self.manners[session]
        if manner == "puts off":
            return "451 4.3.2 not now"
        if "unseen" not in manner:
            self._take(envelope)
        if manner.startswith("hangs up"):
            _hang_up(server)
        if manner.startswith("silent"):
            await self.never.wait()
        return "250 2.0.0 taken"

    def _take(self, envelope: Envelope) -> None:
        content = envelope.original_content
        assert isinstance(content, bytes)
        self.message_ids[str(message_from_bytes(content)["Message-ID"])] += 1
        self.taken.update(envelope.rcpt_tos)


def _hang_up(session: SMTP) -> None:
    if isinstance(session.transport, asyncio.Transport):
        session.transport.abort()


@asynccontextmanager
async def open_post_office(chance: random.Random) -> AsyncIterator[PostOffice]:
    office, sessions = PostOffice(chance), list[SMTP]()

    def session() -> SMTP:
        sessions.append(SMTP(office, hostname="mail.test"))
        return sessions[-1]

    server = await asyncio.get_running_loop().create_server(session, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    office.url = f"smtp://127.0.0.1:{port}?timeout={SECONDS_A_CLIENT_WAITS}&starttls=no"
    try:
        yield office
    finally:
        office.never.set()
        for each in sessions:
            _hang_up(each)
        server.close()
        await server.wait_closed()
