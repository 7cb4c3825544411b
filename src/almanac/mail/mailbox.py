"""The read side of mail: lists, one message with its source and history, and counts. Changes nothing."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from almanac.errors import NotFound
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page
from almanac.mail import store
from almanac.mail.message import message_from_data
from almanac.mail.mime import ParsedMail, read_mail
from almanac.mail.model import (
    EndedMail,
    MailEvent,
    MailOutcome,
    MailStatus,
    MessageDetail,
    MessageFilter,
    MessageSummary,
    RecipientState,
)
from almanac.mail.suppression import cursor_position
from almanac.relational import Database

ANY_MESSAGE = MessageFilter()


class Mailbox:
    """Read access to the mail that Almanac sends."""

    def __init__(self, database: Database, key: bytes) -> None:
        self._database = database
        self._key = key

    async def list(
        self, which: MessageFilter = ANY_MESSAGE, *, cursor: str | None = None, limit: int = 50
    ) -> Page[MessageSummary]:
        """Messages, newest first. A cursor that doesn't belong to this list is an InputError."""
        of = f"mail messages {which}"
        before = cursor_position(cursor, of=of, key=self._key)
        async with self._database.reading() as reading:
            messages = await store.list_messages(reading, which, before, limit + 1)
        return build_page(messages, limit, lambda message: [message.id], of=of, key=self._key)

    async def get(self, mail_id: str) -> MessageDetail:
        """One message with its exact bytes if it has any, its parts, and its history."""
        async with self._database.unit() as unit:
            stored = await store.find_message(unit, mail_id)
            events = await store.list_events(unit, mail_id)
        if stored is None:
            raise NotFound(gettext("There is no mail with this id."))
        return MessageDetail(
            line=MessageSummary(**{name: getattr(stored, name) for name in MessageSummary.__slots__}),
            idempotency_key=stored.idempotency_key,
            bulk=stored.bulk,
            message_id=stored.message_id,
            provider_id=stored.provider_id,
            raw=stored.raw,
            content=_content(stored),
            recipients=[_state(email, stored.status, events) for email in stored.recipients],
            events=events,
        )

    async def find(self, message_id: str) -> MessageDetail | None:
        """The message with a Message-ID; None if it isn't ours."""
        async with self._database.unit() as unit:
            reference = await store.find_mail(unit, message_id=message_id)
        return await self.get(reference.id) if reference else None

    async def find_kept(self, ids: Iterable[str]) -> set[str]:
        """Those of the messages that are kept on this machine because mail isn't set up."""
        if not (wanted := list(ids)):
            return set()
        async with self._database.reading() as reading:
            return await store.find_kept(reading, wanted)

    async def counts(self) -> dict[MailOutcome, int]:
        """The number of messages by outcome; an outcome without any is left out."""
        async with self._database.reading() as reading:
            return await store.count_by_outcome(reading)

    async def summarize(self, since: datetime, until: datetime, *, hidden: Sequence[str]) -> Sequence[EndedMail]:
        """What became of mail between two moments, by outcome, and what is in doubt at all; mail of topics in `hidden`
        is left out.
        """
        async with self._database.reading() as reading:
            return await store.summarize_ended(reading, since, until, hidden)


def _content(stored: store.StoredMessage) -> ParsedMail:
    """From the bytes if there are any; before the first claim from the queued message."""
    if stored.raw is not None:
        return read_mail(stored.raw)
    message = message_from_data(stored.content)
    headers = [("From", stored.sender), ("To", ", ".join(stored.recipients)), ("Subject", stored.subject)]
    return ParsedMail(headers, message.text, message.html, message.attachments)


def _state(email: str, status: MailStatus, events: Sequence[MailEvent]) -> RecipientState:
    own_events = [event for event in events if event.recipient == email]
    return (
        RecipientState(email, own_events[-1].kind, own_events[-1].detail)
        if own_events
        else RecipientState(email, status, "")
    )
