"""Sending a message once: claim, send, record.

    waiting → sending → sent
       ↑         ├────→ failed    refused, or attempts used up
       ├─────────┘                put off: waits for its next attempt
       │    (sender lost) ──────→ unknown    where a repeated message would be read twice
       └── (sender lost)          where it replaces the first, or carries its id
    waiting ──────────────────→ dropped    settled, switched off, or no longer for this person

Rights and choices are looked up when the claim is made, so a message only goes to who may see its events at that time.
Mail is queued in the transaction of its claim, and is sent once from there.
"""

import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from almanac.accounts.model import Principal
from almanac.errors import AlmanacError, Retryable, TooMany
from almanac.jobs import JobsPort
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext, translate
from almanac.mail import Address, Mailer, Message
from almanac.mail.mail_templates import MailTemplates
from almanac.notifications import store
from almanac.notifications.audience import may_receive
from almanac.notifications.channels import ChannelSenders, OutcomeInDoubt, OutgoingMessage, TargetGone
from almanac.notifications.jobs import SEND
from almanac.notifications.messages import write_message
from almanac.notifications.model import (
    REPEATABLE,
    RULES,
    NotificationChannel,
    NotificationEvent,
    NotificationKind,
    NotificationText,
)
from almanac.notifications.people import People
from almanac.notifications.store import ClaimableMessage, MessageSlot
from almanac.notifications.targets import OpenTarget, TargetVault
from almanac.relational import Database, Unit

TEMPLATES = Path(__file__).parent / "templates"
MAIL_TOPIC = "notification"
LEASE = timedelta(seconds=90)
ATTEMPTS = 8
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS = 20, 3600
_SENT_AT_ONCE = 100

QueueCounter = Callable[[Principal], Awaitable[int]]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ClaimedMessage:
    """A message that this process, and nobody else, may send now."""

    claim: str
    message: ClaimableMessage
    target: OpenTarget
    outgoing: OutgoingMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationDelivery:
    """Sends messages that are due. `approval_queues` count what waits for a person's approval at this moment, and
    `keeps_mail` says that mail doesn't leave this machine.
    """

    database: Database
    clock: Clock
    jobs: JobsPort
    people: People
    mailer: Mailer
    senders: ChannelSenders
    vault: TargetVault
    templates: MailTemplates
    keeps_mail: bool = False
    approval_queues: list[QueueCounter] = field(default_factory=list)

    async def deliver(self, notification_id: str) -> None:
        """Send one message if it waits and is due. Its outcome is recorded, never raised."""
        async with self.database.unit() as unit:
            claimed = await self._claim(unit, notification_id)
        if claimed is None:
            return
        error: AlmanacError | None = None
        try:
            await self.vault.send(self.senders, claimed.target, claimed.outgoing)
        except AlmanacError as raised:
            error = raised
        async with self.database.unit() as unit:
            await self._record(unit, claimed, error)

    async def deliver_due(self) -> int:
        """Send what is due, after taking up what lost senders left; returns how many were tried."""
        await self.recover_lost()
        async with self.database.unit() as unit:
            ids = await store.list_due(unit, self.clock.now(), _SENT_AT_ONCE)
        for notification_id in ids:
            await self.deliver(notification_id)
        return len(ids)

    async def recover_lost(self) -> None:
        """Messages whose sender vanished are sent again where that tells nobody twice; others stay in doubt."""
        now = self.clock.now()
        async with self.database.unit() as unit:
            for message in await store.lock_lost_claims(unit, now):
                reason = gettext("The sender stopped while sending; the message may have arrived.")
                if message.slot.channel in REPEATABLE:
                    await self._wait_again(unit, message, now, reason)
                else:
                    await store.leave_unknown(unit, message, reason, now)

    async def _claim(self, unit: Unit, notification_id: str) -> ClaimedMessage | None:
        now = self.clock.now()
        message = await store.lock_to_claim(unit, notification_id, now)
        if message is None:
            return None
        slot = message.slot
        person, text = await self._compose(unit, message)
        if person is None or text is None:
            reason = gettext("Settled, switched off, or no longer for this person.")
            await store.finish_unclaimed(unit, message.id, "dropped", reason, now)
            return None
        if slot.channel is NotificationChannel.MAIL:
            await self.queue_mail(unit, message.id, person, text)
            await store.finish_unclaimed(unit, message.id, "kept" if self.keeps_mail else "sent", "", now)
            return None
        target = await self.vault.open(unit, slot)
        if target is None:
            reason = gettext("The device or address was removed.")
            await store.finish_unclaimed(unit, message.id, "dropped", reason, now)
            return None
        claim = new_id()
        await store.mark_sending(unit, message.id, claim, now + LEASE)
        tag = slot.kind.value if RULES[slot.kind].standing else message.id
        outgoing = OutgoingMessage(id=message.id, tag=tag, text=text, at=now)
        return ClaimedMessage(claim, message, target, outgoing)

    async def _compose(self, unit: Unit, message: ClaimableMessage) -> tuple[Principal | None, NotificationText | None]:
        """The person and the text; None for what must not be sent any more."""
        slot = message.slot
        person = await self.people.find(slot.user_id)
        settings = await store.find_settings(unit, slot.user_id)
        if person is None or not settings.wants(slot.kind, slot.channel):
            return None, None
        events = _visible(person, await store.list_events_of(unit, message.id))
        if not events:
            return person, None
        open_events = await self._count_open(unit, person, slot.kind)
        if open_events == 0:
            return person, None
        text = write_message(
            events,
            open_events=open_events,
            titles=settings.titles,
            language=person.preferences.language,
            title_of=self.jobs.title_of,
        )
        return person, text

    async def _count_open(self, unit: Unit, person: Principal, kind: NotificationKind) -> int | None:
        """How much is open in all, for kinds that tell it; of approvals what the person's queues show."""
        if kind is NotificationKind.APPROVALS:
            return sum([await count(person) for count in self.approval_queues])
        if not RULES[kind].standing:
            return None
        return len(_visible(person, await store.list_open_events(unit, kind)))

    async def queue_mail(self, unit: Unit, notification_id: str, person: Principal, text: NotificationText) -> None:
        """Queue a message as a mail in the caller's transaction; nothing for somebody without an address."""
        if not person.email:
            return
        public_url = self.senders.public_url
        why = translate(
            gettext("You get this because you chose it under Notifications in your account:"), text.language
        )
        values = {
            "title": text.title,
            "body": text.body,
            "link": public_url + text.path,
            "why": why,
            "settings_link": f"{public_url}/account/notifications",
        }
        words = self.templates.render("notification", values)
        mail = Message(
            to=(Address(person.email, person.name),),
            subject=words.subject,
            text=words.text,
            html=words.html,
            topic=MAIL_TOPIC,
        )
        await self.mailer.queue(mail, key=f"notification:{notification_id}", unit=unit)

    async def _record(self, unit: Unit, claimed: ClaimedMessage, error: AlmanacError | None) -> None:
        now, message = self.clock.now(), await store.lock_sending(unit, claimed.message.id, claimed.claim)
        if message is None:
            log.warning("A notification took longer than its lease.", extra={"notification": claimed.message.id})
            return
        slot, reason = message.slot, error.sentence if error else ""
        if error is None:
            await self._finish(unit, claimed, "sent", "")
        elif isinstance(error, Retryable) and claimed.message.attempts + 1 < ATTEMPTS:
            await self._wait_again(unit, message, _next_attempt(now, claimed.message.attempts + 1, error), reason)
        elif isinstance(error, OutcomeInDoubt):
            await self._finish(unit, claimed, "unknown", reason)
        else:
            await self._finish(unit, claimed, "failed", reason)
        if isinstance(error, TargetGone):
            await self._forget(unit, slot)
        else:
            await store.mark_target(unit, slot, reason, now)

    async def _finish(self, unit: Unit, claimed: ClaimedMessage, state: str, reason: str) -> None:
        await store.finish_claim(
            unit, claimed.message.id, claimed.claim, state=state, reason=reason, now=self.clock.now()
        )

    async def _wait_again(self, unit: Unit, message: ClaimableMessage, due_at: datetime, reason: str) -> None:
        if await store.return_to_queue(unit, message, due_at=due_at, reason=reason):
            lock = f"notification {message.id}"
            await self.jobs.defer(
                SEND, {"notification_id": message.id}, unit=unit, schedule_at=due_at, queueing_lock=lock
            )

    async def _forget(self, unit: Unit, slot: MessageSlot) -> None:
        if slot.channel is NotificationChannel.PUSH:
            await store.delete_device(unit, slot.user_id, slot.target)
        else:
            await store.delete_address(unit, slot.user_id, slot.channel)


def _visible(person: Principal, events: Sequence[NotificationEvent]) -> list[NotificationEvent]:
    return [event for event in events if may_receive(person, event)]


def _next_attempt(now: datetime, attempts: int, error: AlmanacError) -> datetime:
    """Twice as long each time, with jitter; at least as long as the service asks for."""
    wait = min(_FIRST_WAIT_SECONDS * 2 ** (attempts - 1), _LONGEST_WAIT_SECONDS)
    jittered = wait * random.uniform(1, 1.25)  # noqa: S311 - jitter needs no secure randomness
    return now + timedelta(seconds=max(jittered, error.retry_after) if isinstance(error, TooMany) else jittered)
