"""Transports that don't leave the machine: a folder of `.eml` files, and a list in memory.

In the folder, the file name is the Message-ID, so that one message is one file however often it is sent. Names begin
with our time-ordered id, so the folder is its own index."""

import asyncio
import os
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_binary_file
from email.policy import SMTP
from pathlib import Path
from urllib.parse import quote, unquote

from almanac.errors import AlmanacError, NotFound, SettingError, Unavailable
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.mail.port import Envelope, Lookup, MailDeferred, MailTransport, Receipt

FROM_HEADER = "X-Envelope-From"
TO_HEADER = "X-Envelope-To"
_ENDING = ".eml"


@dataclass(frozen=True, slots=True)
class OutboxFile:
    """One mail in the folder, for lists."""

    message_id: str
    sender: str
    recipients: tuple[str, ...]
    subject: str
    size: int
    written_at: datetime


class OutboxFolder(MailTransport):
    """Mail as files in one folder; several processes may share it."""

    name = "outbox"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError(
                gettext("The outbox folder %(folder)s can't be made; check that it may be written.", folder=folder)
            ) from error

    async def send(self, envelope: Envelope) -> Receipt:
        try:
            await asyncio.to_thread(self._write, envelope)
        except OSError as error:
            raise MailDeferred(
                gettext("The outbox folder can't be written: %(strerror)s.", strerror=error.strerror)
            ) from error
        return Receipt(
            gettext("Kept here as %(name)s; mail isn't set up.", name=self._path(envelope.message_id).name),
            provider_id=envelope.message_id,
        )

    async def find(self, message_id: str) -> Lookup:
        exists = await asyncio.to_thread(self._path(message_id).exists)
        return Lookup.FOUND if exists else Lookup.ABSENT

    async def check(self) -> None:
        probe = self._folder / f".{new_id()}"
        try:
            await asyncio.to_thread(probe.touch)
            await asyncio.to_thread(probe.unlink)
        except OSError as error:
            raise Unavailable(
                gettext(
                    "The outbox folder %(folder)s can't be written: %(strerror)s.",
                    folder=self._folder,
                    strerror=error.strerror,
                )
            ) from error

    async def entries(self, *, after: str | None = None, limit: int = 50) -> Page[OutboxFile]:
        """The mails in the folder, newest first; `after` is the cursor of the page before."""
        return await asyncio.to_thread(self._entries, after, limit)

    async def read(self, message_id: str) -> bytes:
        """The file of one mail, envelope lines first."""
        try:
            return await asyncio.to_thread(self._path(message_id).read_bytes)
        except FileNotFoundError as error:
            raise NotFound(gettext("This mail isn't in the outbox.")) from error

    def _path(self, message_id: str) -> Path:
        return self._folder / (quote(message_id.strip("<>"), safe="@") + _ENDING)

    def _write(self, envelope: Envelope) -> None:
        """Write a temporary file, flush it, then link it into place: a mail is there completely or not at all, and
        never twice.
        """
        draft = self._folder / f".{new_id()}"
        try:
            # A mail may hold a link that signs its reader in.
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(_envelope_lines(envelope) + envelope.raw)
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(draft, self._path(envelope.message_id))
        finally:
            draft.unlink(missing_ok=True)
        _flush_folder(self._folder)

    def _entries(self, after: str | None, limit: int) -> Page[OutboxFile]:
        names = sorted((name for name in self._names() if after is None or name < after), reverse=True)
        shown = names[:limit]
        return Page([_entry(self._folder / name) for name in shown], shown[-1] if len(names) > limit else None)

    def _names(self) -> Iterator[str]:
        return (entry.name for entry in os.scandir(self._folder) if entry.name.endswith(_ENDING))


def _envelope_lines(envelope: Envelope) -> bytes:
    return f"{FROM_HEADER}: {envelope.sender}\r\n{TO_HEADER}: {', '.join(envelope.recipients)}\r\n".encode()


def _entry(path: Path) -> OutboxFile:
    with path.open("rb") as file:
        mail = message_from_binary_file(file, policy=SMTP)
    facts = path.stat()
    return OutboxFile(
        message_id=f"<{unquote(path.name.removesuffix(_ENDING))}>",
        sender=str(mail[FROM_HEADER]),
        recipients=tuple(str(mail[TO_HEADER]).split(", ")),
        subject=str(mail["Subject"]),
        size=facts.st_size,
        written_at=datetime.fromtimestamp(facts.st_mtime, UTC),
    )


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass
class MemoryTransport(MailTransport):
    """Mail in a list. `failures` are raised by the next sends, one each; an unknown outcome may still deliver."""

    name = "memory"
    sent: list[Envelope] = field(default_factory=list)
    failures: deque[AlmanacError] = field(default_factory=deque)
    delivers_when_unknown: bool = False

    async def send(self, envelope: Envelope) -> Receipt:
        if self.failures:
            if self.delivers_when_unknown:
                self.sent.append(envelope)
            raise self.failures.popleft()
        self.sent.append(envelope)
        return Receipt("kept in memory", provider_id=f"memory-{len(self.sent)}")

    async def find(self, message_id: str) -> Lookup:
        return Lookup.FOUND if any(e.message_id == message_id for e in self.sent) else Lookup.ABSENT

    async def check(self) -> None:
        """Always available."""
