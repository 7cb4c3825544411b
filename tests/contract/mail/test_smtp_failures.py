"""The answer of an SMTP server, or its absence, decides between refused, deferred and unknown."""

import asyncio
import contextlib
import socket
import ssl

import pytest
from aiosmtpd.smtp import SMTP, AuthResult

from almanac.errors import SettingError, Unavailable
from almanac.mail.port import Envelope, MailDeferred, MailRefused, OutcomeUnknown
from almanac.mail.smtp import SmtpServer, SmtpTransport

ANNA, BEN = "anna@example.com", "ben@example.com"
MAIL = Envelope("1", "<1@example.org>", "desk@example.org", (ANNA,), b"Subject: Hi\r\n\r\nHi\r\n")
FOR_TWO = Envelope("1", "<1@example.org>", "desk@example.org", (ANNA, BEN), MAIL.raw)


async def test_a_recipient_refused_for_good_is_refused(smtp, post_office) -> None:
    post_office.on_rcpt = {ANNA: "550 5.1.1 no such mailbox"}
    with pytest.raises(MailRefused, match=r"refused every recipient: 550 5\.1\.1 no such mailbox"):
        await smtp.send(MAIL)


async def test_the_others_get_the_mail_when_one_is_refused_for_good(smtp, post_office) -> None:
    post_office.on_rcpt = {ANNA: "550 5.1.1 no such mailbox"}
    receipt = await smtp.send(FOR_TWO)
    assert receipt.refused == {ANNA: "550 5.1.1 no such mailbox"}
    assert [r.recipients for r in post_office.received] == [(BEN,)]


async def test_one_recipient_put_off_puts_off_the_whole_mail(smtp, post_office) -> None:
    post_office.on_rcpt = {BEN: "451 4.7.1 come back later"}
    with pytest.raises(MailDeferred, match="come back later"):
        await smtp.send(FOR_TWO)
    assert post_office.received == []


async def test_losing_the_connection_before_data_is_put_off(smtp, post_office) -> None:
    post_office.on_rcpt = {ANNA: "hang up"}
    with pytest.raises(MailDeferred):
        await smtp.send(MAIL)


@pytest.mark.parametrize(
    ("answer", "error"),
    [("554 5.7.1 spam", MailRefused), ("452 4.3.1 disk full", MailDeferred), ("354 what?", OutcomeUnknown)],
)
async def test_the_answer_to_the_content_decides(smtp, post_office, answer: str, error: type[Exception]) -> None:
    async def say(_server, _envelope) -> str:
        return answer

    post_office.on_data = say
    with pytest.raises(error, match=answer[4:]):
        await smtp.send(MAIL)


async def test_losing_the_connection_after_the_content_leaves_the_outcome_open(smtp, post_office) -> None:
    async def take_and_hang_up(server: SMTP, envelope) -> str:
        post_office.take(envelope)
        server.transport.abort()
        return "451 never heard"

    post_office.on_data = take_and_hang_up
    with pytest.raises(OutcomeUnknown, match="didn't answer after the mail was handed over"):
        await smtp.send(MAIL)
    assert len(post_office.received) == 1


async def test_silence_after_the_content_leaves_the_outcome_open(post_office) -> None:
    forever = asyncio.Event()

    async def wait(_server, _envelope) -> str:
        await forever.wait()
        return "451 too late"

    post_office.on_data = wait
    impatient = SmtpTransport(SmtpServer("127.0.0.1", post_office.port, starttls="no", timeout=0.2))
    with pytest.raises(OutcomeUnknown):
        await impatient.send(MAIL)
    forever.set()


async def test_a_server_that_is_not_there_is_put_off_and_fails_the_check() -> None:
    with socket.socket() as bound_but_silent:
        bound_but_silent.bind(("127.0.0.1", 0))
        transport = SmtpTransport(SmtpServer("127.0.0.1", bound_but_silent.getsockname()[1], timeout=2))
        with pytest.raises(MailDeferred, match="can't be used"):
            await transport.send(MAIL)
        with pytest.raises(Unavailable):
            await transport.check()


async def test_a_password_is_never_sent_in_the_clear(post_office) -> None:
    url = f"smtp://me:secret@127.0.0.1:{post_office.port}"
    with pytest.raises(MailDeferred):
        await SmtpTransport(SmtpServer.from_url(url)).send(MAIL)
    assert post_office.received == []


async def test_letters_before_the_at_that_need_it_travel_as_utf8(smtp, post_office) -> None:
    await smtp.send(Envelope("1", "<1@example.org>", "desk@example.org", ("用户@example.com",), MAIL.raw))
    assert post_office.received[0].recipients == ("用户@example.com",)


@contextlib.asynccontextmanager
async def plain_server(**options):
    """A server without the extensions of the post office."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(object(), **options), "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()


async def test_a_server_without_utf8_refuses_such_letters_clearly() -> None:
    async with plain_server(hostname="old.test") as port:
        transport = SmtpTransport(SmtpServer("127.0.0.1", port, starttls="no", timeout=2))
        with pytest.raises(MailRefused, match="can't take an address with such letters"):
            await transport.send(Envelope("1", "<1@example.org>", "desk@example.org", ("用户@example.com",), MAIL.raw))


async def test_wrong_credentials_are_put_off_until_the_setting_is_right(server_certificate) -> None:
    asked = []

    def refuse(_server, _session, _envelope, mechanism, data):
        asked.append((mechanism, data.login, data.password))
        return AuthResult(success=False, handled=False)

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(server_certificate.chain, server_certificate.key)
    async with plain_server(hostname="tls.test", tls_context=context, authenticator=refuse) as port:
        trusting = ssl.create_default_context(cafile=server_certificate.chain)
        server = SmtpServer.from_url(f"smtp://me%40here:s%3Ccret@localhost:{port}")
        with pytest.raises(MailDeferred, match="refused our user name or password"):
            await SmtpTransport(server, tls_context=trusting).send(MAIL)
    assert asked[0][1:] == (b"me@here", b"s<cret")


@pytest.mark.parametrize(
    "url",
    [
        "smtp://",
        "http://host",
        "smtp://host:port",
        "smtp://host?starttls=maybe",
        "smtp://host?x=1",
        "smtp://h?timeout=0",
    ],
)
def test_a_wrong_address_is_one_sentence_about_the_right_form(url: str) -> None:
    with pytest.raises(SettingError, match="write smtp://user:password@host"):
        SmtpServer.from_url(url)


def test_the_address_says_how_to_connect() -> None:
    assert SmtpServer.from_url("smtp://mail.example.org") == SmtpServer("mail.example.org", 25)
    secure = SmtpServer.from_url("smtps://u:p@mail.example.org?timeout=9")
    assert (secure.port, secure.tls, secure.upgrade, secure.timeout) == (465, True, False, 9.0)
    assert SmtpServer.from_url("smtp://u:p@mail.example.org").upgrade is True
    assert SmtpServer.from_url("smtp://mail.example.org?starttls=no").upgrade is False
