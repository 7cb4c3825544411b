"""The transports under test, each with its receiving end: memory, outbox folder, a real SMTP server, moto's SES."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from almanac.mail.outbox import FROM_HEADER, TO_HEADER, MemoryTransport, OutboxFolder
from almanac.mail.port import MailTransport
from almanac.mail.ses import SesAccount, SesTransport
from almanac.mail.smtp import SmtpServer, SmtpTransport
from certificates import Certificate, make_certificate

Hook = Callable[[SMTP, Envelope], Awaitable[str]]


@dataclass(frozen=True)
class Received:
    """A mail as it arrived at the other side."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes


@dataclass
class PostOffice:
    """An SMTP server that keeps what it takes; `on_rcpt` and `on_data` decide otherwise when a test sets them."""

    received: list[Received] = field(default_factory=list)
    on_rcpt: dict[str, str] = field(default_factory=dict)
    on_data: Hook | None = None
    port: int = 0

    async def handle_RCPT(self, server: SMTP, _session: Session, envelope: Envelope, address: str, _options) -> str:  # noqa: N802 - aiosmtpd's name
        answer = self.on_rcpt.get(address, "250 OK")
        if answer == "hang up":
            server.transport.abort()
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - the same
        answer = await self.on_data(server, envelope) if self.on_data else "250 2.0.0 taken"
        if answer.startswith("250"):
            self.take(envelope)
        return answer

    def take(self, envelope: Envelope) -> None:
        content = envelope.original_content
        assert isinstance(content, bytes)
        self.received.append(Received(envelope.mail_from or "", tuple(envelope.rcpt_tos), content))


@pytest.fixture
async def post_office() -> AsyncIterator[PostOffice]:
    office = PostOffice()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(office, enable_SMTPUTF8=True, hostname="mail.test", data_size_limit=None), "127.0.0.1", 0
    )
    office.port = server.sockets[0].getsockname()[1]
    yield office
    server.close()
    await server.wait_closed()


@pytest.fixture
def smtp(post_office: PostOffice) -> SmtpTransport:
    return SmtpTransport(SmtpServer("127.0.0.1", post_office.port, starttls="no", timeout=5))


@dataclass
class Route:
    """One way out and a look at the other end."""

    transport: MailTransport
    received: Callable[[], Awaitable[list[Received]]]


@pytest.fixture(params=["memory", "outbox", "smtp", "ses"])
def route(request: pytest.FixtureRequest) -> Route:
    return request.getfixturevalue(f"{request.param}_route")


@pytest.fixture
def memory_route() -> Route:
    transport = MemoryTransport()

    async def received() -> list[Received]:
        return [Received(e.sender, e.recipients, e.raw) for e in transport.sent]

    return Route(transport, received)


@pytest.fixture
def outbox_route(tmp_path: Path) -> Route:
    outbox = OutboxFolder(tmp_path / "outbox")

    async def received() -> list[Received]:
        files = [await outbox.read(entry.message_id) for entry in (await outbox.entries()).items]
        return [_opened(file) for file in reversed(files)]

    return Route(outbox, received)


def _opened(file: bytes) -> Received:
    first, second, raw = file.split(b"\r\n", 2)
    sender = first.decode().removeprefix(f"{FROM_HEADER}: ")
    return Received(sender, tuple(second.decode().removeprefix(f"{TO_HEADER}: ").split(", ")), raw)


@pytest.fixture
def smtp_route(smtp: SmtpTransport, post_office: PostOffice) -> Route:
    async def received() -> list[Received]:
        return post_office.received

    return Route(smtp, received)


@pytest.fixture
async def ses_route(moto_url: str, aws_keys: None) -> AsyncIterator[Route]:
    async with httpx.AsyncClient(base_url=moto_url) as moto:
        await moto.post("/moto-api/reset")
        scope = "Credential=test/20260101/eu-west-1/ses/aws4_request"
        headers = {"Authorization": f"AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=0"}
        await moto.post("/v2/email/identities", json={"EmailIdentity": "example.org"}, headers=headers)

        async def received() -> list[Received]:
            messages = (await moto.get("/moto-api/data.json")).json()["ses"]["RawMessage"]
            return [_from_moto(message) for message in messages]

        yield Route(SesTransport(SesAccount.from_url(f"ses://eu-west-1?endpoint={moto_url}")), received)


def _from_moto(message: dict[str, Any]) -> Received:
    """Moto lists the addresses in the headers after those of the envelope; each counts once."""
    addresses = [parseaddr(text)[1] for text in message["destinations"]]
    return Received(message["source"], tuple(dict.fromkeys(addresses)), message["raw_data"].encode())


@pytest.fixture(scope="session")
def server_certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """For a server named localhost; its own authority."""
    return make_certificate(tmp_path_factory.mktemp("certificate"))
