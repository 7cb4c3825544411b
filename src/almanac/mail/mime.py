"""The bytes of a mail: writes a message with its headers, and parses one for display."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from almanac.errors import InputError, TooLarge
from almanac.kit.messages import gettext
from almanac.mail.message import Address, Attachment, Message

MAX_MESSAGE_BYTES = 10 * 1024 * 1024
LINE_CHARACTERS = 998
ID_HEADER = "X-Almanac-Id"
_BASE64_GROWTH = 1.37
_SEVEN_BIT = SMTP.clone(cte_type="7bit")
_UTF8_HEADERS = _SEVEN_BIT.clone(utf8=True)


@dataclass(frozen=True, slots=True)
class MailIds:
    """Our id of a message, and its Message-ID."""

    mail_id: str
    message_id: str


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A mail for display; the HTML is as sent and must be sandboxed."""

    headers: Sequence[tuple[str, str]]
    text: str
    html: str | None
    attachments: Sequence[Attachment]


def write_mail(message: Message, name: MailIds, *, sender: Address, date: datetime, extra: Mapping[str, str]) -> bytes:
    """The exact bytes to send, in seven-bit form if the addresses allow it.

    The `extra` headers are our own plain ones. They stay on one line, because the standard library would fold a long
    URL into encoded words that no mail program follows.
    """
    mail = EmailMessage(policy=_UTF8_HEADERS if _needs_utf8(message, sender) else _SEVEN_BIT)
    mail["From"] = sender.header
    if message.to:
        mail["To"] = [address.header for address in message.to]
    if message.cc:
        mail["Cc"] = [address.header for address in message.cc]
    if message.reply_to:
        mail["Reply-To"] = message.reply_to.header
    mail["Subject"] = message.subject
    mail["Date"] = format_datetime(date)
    mail["Message-ID"] = name.message_id
    mail[ID_HEADER] = name.mail_id
    _fill(mail, message)
    raw = _plain_lines(extra) + mail.as_bytes()
    _check_size(len(raw))
    return raw


def check_size(message: Message) -> None:
    """Raise TooLarge before writing the mail, since writing takes a hundred times as long."""
    parts = [message.text.encode(), (message.html or "").encode(), *(a.content for a in message.attachments)]
    _check_size(int(sum(map(len, parts)) * _BASE64_GROWTH))


def read_mail(raw: bytes) -> ParsedMail:
    """Parse a mail; damaged parts are shown as far as they can be read."""
    mail = message_from_bytes(raw, policy=SMTP)
    return ParsedMail(
        headers=[(name, _decode_utf8(str(value))) for name, value in mail.items()],
        text=_body(mail, "plain") or "",
        html=_body(mail, "html"),
        attachments=[_attachment(part) for part in mail.iter_attachments()],
    )


def _check_size(size: int) -> None:
    if size > MAX_MESSAGE_BYTES:
        raise TooLarge(
            gettext(
                "A mail may have %(limit)s MB with its attachments; this one is larger.",
                limit=MAX_MESSAGE_BYTES // 1024**2,
            )
        )


def _plain_lines(headers: Mapping[str, str]) -> bytes:
    lines = [f"{name}: {value}" for name, value in headers.items()]
    if not all(line.isascii() and line.isprintable() and len(line) <= LINE_CHARACTERS for line in lines):
        raise InputError(gettext("A header of a mail must be one plain line."))
    return "".join(f"{line}\r\n" for line in lines).encode()


def _needs_utf8(message: Message, sender: Address) -> bool:
    reply_to = (message.reply_to,) if message.reply_to else ()
    return any(address.needs_utf8 for address in (sender, *message.recipients, *reply_to))


def _fill(mail: EmailMessage, message: Message) -> None:
    mail.set_content(message.text)
    if message.html is not None:
        mail.add_alternative(message.html, subtype="html")
    for attachment in message.attachments:
        kind, _, subtype = attachment.content_type.partition("/")
        mail.add_attachment(attachment.content, maintype=kind, subtype=subtype, filename=attachment.name)


def _decode_utf8(text: str) -> str:
    """The standard library reads UTF-8 in headers byte by byte; join the bytes again."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _body(mail: EmailMessage, subtype: str) -> str | None:
    part = mail.get_body(preferencelist=(subtype,))
    if part is None:
        return None
    content: str = part.get_content(errors="replace")
    return content


def _attachment(part: EmailMessage) -> Attachment:
    content = part.get_payload(decode=True)
    return Attachment(
        part.get_filename("attachment").replace("/", "_").replace("\\", "_"),
        part.get_content_type(),
        content if isinstance(content, bytes) else b"",
    )
