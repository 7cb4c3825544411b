"""Mail through any SMTP server. Until the DATA command every failure is certain; after it a missing answer is not."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

import aiosmtplib

from almanac.errors import SettingError, Unavailable
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.mail.port import Envelope, Lookup, MailDeferred, MailRefused, MailTransport, OutcomeUnknown, Receipt

StartTls = Literal["auto", "required", "no"]
_MODES: dict[str, StartTls] = {"auto": "auto", "required": "required", "no": "no"}
_FORM = "write smtp://user:password@host:587?starttls=required&timeout=30, or smtps:// for TLS from the start"


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """The address, credentials and encryption of an SMTP server."""

    host: str
    port: int
    tls: bool = False
    starttls: StartTls = "auto"
    username: str | None = None
    password: str | None = None
    timeout: float = 30.0

    @property
    def upgrade(self) -> bool | None:
        """Whether to use STARTTLS after connecting: always, never, or if the server offers it."""
        if self.tls or self.starttls == "no":
            return False
        return True if self.starttls == "required" else None

    @classmethod
    def from_url(cls, url: str) -> "SmtpServer":
        """Parse the mail setting. With a password, encryption is required unless `starttls` says otherwise."""
        try:
            parts = urlsplit(url)
            options = dict(parse_qsl(parts.query, keep_blank_values=True))
            tls = {"smtp": False, "smtps": True}[parts.scheme]
            starttls = _MODES[options.pop("starttls", "required" if parts.username else "auto")]
            timeout = float(options.pop("timeout", "30"))
            port = parts.port or (465 if tls else 587 if parts.username else 25)
        except (KeyError, ValueError) as error:
            raise SettingError(gettext("The mail address can't be read; %(form)s.", form=_FORM)) from error
        if not parts.hostname or options or not 0 < timeout <= 100:
            raise SettingError(gettext("The mail address can't be read; %(form)s.", form=_FORM))
        username, password = (unquote(part) if part else None for part in (parts.username, parts.password))
        return cls(parts.hostname, port, tls, starttls, username, password, timeout)


class SmtpTransport(MailTransport):
    """One connection per mail, so that no mail's outcome depends on another's."""

    name = "smtp"

    def __init__(self, server: SmtpServer, *, tls_context: ssl.SSLContext | None = None) -> None:
        self._server = server
        self._tls_context = tls_context

    async def send(self, envelope: Envelope) -> Receipt:
        client = self._client()
        try:
            with _certain_failures(self._server.host):
                await client.connect()
                await _greet(client)
                refused = await _announce(client, envelope)
            answer = await _hand_over(client, envelope.raw)
            with suppress(aiosmtplib.SMTPException, OSError):
                await client.quit(timeout=2)
            return Receipt(one_line(answer)[:300], refused=refused)
        finally:
            client.close()

    async def find(self, message_id: str) -> Lookup:  # noqa: ARG002 - SMTP has no way to ask, whatever the message
        return Lookup.CANNOT_TELL

    async def check(self) -> None:
        client = self._client()
        try:
            with _certain_failures(self._server.host):
                await client.connect()
                await _greet(client)
        except MailRefused as error:
            raise Unavailable(error.sentence) from error
        finally:
            client.close()

    def _client(self) -> aiosmtplib.SMTP:
        server = self._server
        return aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            timeout=server.timeout,
            use_tls=server.tls,
            start_tls=server.upgrade,
            username=server.username,
            password=server.password,
            tls_context=self._tls_context,
        )


async def _greet(client: aiosmtplib.SMTP) -> None:
    try:
        await client.ehlo()
    except aiosmtplib.SMTPHeloError:
        await client.helo()


async def _announce(client: aiosmtplib.SMTP, envelope: Envelope) -> dict[str, str]:
    """Send sender and recipients; returns recipients refused for good. If one is deferred, the whole mail is."""
    utf8 = not all(address.isascii() for address in (envelope.sender, *envelope.recipients))
    if utf8 and not client.supports_extension("smtputf8"):
        raise MailRefused(
            gettext("The mail server can't take an address with such letters before the @; use another one.")
        )
    encoding = "utf-8" if utf8 else "ascii"
    await client.mail(envelope.sender, options=["SMTPUTF8"] if utf8 else None, encoding=encoding)
    refused: dict[str, str] = {}
    for recipient in envelope.recipients:
        try:
            await client.rcpt(recipient, encoding=encoding)
        except aiosmtplib.SMTPRecipientRefused as error:
            if not _is_permanent(error.code):
                raise
            refused[recipient] = _words(error)
    if len(refused) == len(envelope.recipients):
        raise MailRefused(
            gettext("The mail server refused every recipient: %(refused)s.", refused=next(iter(refused.values())))
        )
    return refused


async def _hand_over(client: aiosmtplib.SMTP, raw: bytes) -> str:
    """Send the content. Only a clear answer counts; anything else leaves the outcome unknown."""
    try:
        return (await client.data(raw)).message
    except aiosmtplib.SMTPDataError as error:
        if _is_permanent(error.code):
            raise MailRefused(gettext("The mail server refused the mail: %(error)s.", error=_words(error))) from error
        if _is_temporary(error.code):
            raise MailDeferred(gettext("The mail server delayed the mail: %(error)s.", error=_words(error))) from error
        raise OutcomeUnknown(
            gettext("The mail server sent an unexpected answer: %(error)s.", error=_words(error))
        ) from error
    except (aiosmtplib.SMTPException, OSError) as error:
        raise OutcomeUnknown(gettext("The mail server didn't answer after the mail was handed over.")) from error


@contextmanager
def _certain_failures(host: str) -> Iterator[None]:
    """Before DATA nothing was sent. Wrong credentials count as deferred, because the setting can be corrected."""
    try:
        yield
    except aiosmtplib.SMTPAuthenticationError as error:
        raise MailDeferred(
            gettext(
                "The mail server %(host)s refused our user name or password: %(error)s.", host=host, error=_words(error)
            )
        ) from error
    except (aiosmtplib.SMTPSenderRefused, aiosmtplib.SMTPRecipientRefused) as error:
        if _is_permanent(error.code):
            raise MailRefused(gettext("The mail server refused the sender: %(error)s.", error=_words(error))) from error
        raise MailDeferred(gettext("The mail server delayed the mail: %(error)s.", error=_words(error))) from error
    except (aiosmtplib.SMTPException, OSError) as error:
        raise MailDeferred(
            gettext("The mail server %(host)s can't be used: %(error)s.", host=host, error=_words(error))
        ) from error


def _is_permanent(code: int) -> bool:
    return 500 <= code <= 599


def _is_temporary(code: int) -> bool:
    return 400 <= code <= 499


def _words(error: Exception) -> str:
    text = f"{error.code} {error.message}" if isinstance(error, aiosmtplib.SMTPResponseException) else str(error)
    return one_line(text)[:300].rstrip(".") or type(error).__name__
