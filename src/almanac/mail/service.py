"""Sending mail once: queue, claim, send, record, and find out later what could not be known at once.

    queued → sending → sent
      ↑         ├────→ failed     refused for good, attempts used up, suppressed or cancelled; a person may retry it
      ├─────────┤                 put off: waits for its next attempt
      │         └────→ unknown    it may have left
      └── certainly absent ──┴──→ found there, or settled by a person

A claim is committed before a mail may leave, so a crash at any point leaves a message that is visibly in doubt and
never one that is sent twice.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from almanac.errors import Conflict, InputError, NotFound
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.kit.trace import span
from almanac.mail import store
from almanac.mail.claims import ClaimedMail, SendPolicy, claim_mail
from almanac.mail.message import (
    ERASED_ADDRESS,
    ERASED_MESSAGE,
    Address,
    Message,
    address_key,
    message_digest,
    message_to_data,
)
from almanac.mail.mime import check_size
from almanac.mail.model import (
    KEEPING_TRANSPORTS,
    DeliveryResult,
    MailEvent,
    MailRetention,
    MailSettlement,
    QueuedMail,
    ReconcileResult,
)
from almanac.mail.port import Lookup, MailDeferred, MailRefused, MailTransport, OutcomeUnknown, Receipt
from almanac.mail.store import SendOutcome
from almanac.mail.suppression import UnsubscribeLinks
from almanac.relational import Database, Unit

QueueListener = Callable[[str, Unit], Awaitable[None]]

log = logging.getLogger(__name__)

_SENDER_LOST = gettext("The sender stopped while sending; the mail may have been sent.")
_ERASE_BATCH_SIZE = 500
_NOT_RETRYABLE = gettext("Only a failed mail that was not erased and is not final can be sent again")
_SETTLED: dict[MailSettlement, SendOutcome] = {
    "sent": SendOutcome(status="sent"),
    "not_sent": SendOutcome(
        status="failed", failure="not_sent", reason=gettext("A person found that it was not sent.")
    ),
}


class Mailer:
    """Every change of a message. Messages are read through the Mailbox."""

    def __init__(
        self,
        database: Database,
        transport: MailTransport,
        *,
        clock: Clock,
        sender: Address,
        links: UnsubscribeLinks,
        policy: SendPolicy | None = None,
    ) -> None:
        self._database = database
        self._transport = transport
        self._clock = clock
        self._sender = sender
        self._links = links
        self._policy = policy or SendPolicy()
        self._listener: QueueListener | None = None

    def on_queued(self, listener: QueueListener) -> None:
        """Call the listener for every queued message, in the transaction that queues it."""
        self._listener = listener

    async def queue(self, message: Message, *, key: str, unit: Unit, due_at: datetime | None = None) -> QueuedMail:
        """Queue a message in the caller's transaction. The same key again is the same message, not a second one."""
        if not 1 <= len(key) <= 200:
            raise InputError(gettext("An idempotency key has 1 to 200 characters."))
        now, sender, digest = self._clock.now(), message.sender or self._sender, message_digest(message)
        new = store.NewMessage(
            id=new_id(),
            idempotency_key=key,
            topic=message.topic,
            bulk=message.bulk,
            sender=str(sender),
            recipients=[address.key for address in message.recipients],
            subject=message.subject,
            content=message_to_data(message),
            digest=digest,
            due_at=due_at or now,
        )
        check_size(message)
        if await store.insert_message(unit, new, now):
            await self._notify_queued(new.id, unit)
            return QueuedMail(new.id, created=True)
        existing = await store.find_by_key(unit, key)
        if existing is None or existing.digest != digest:
            raise Conflict(gettext("This idempotency key belongs to a different mail; use a new key for a new mail."))
        return QueuedMail(existing.id, created=False)

    async def deliver(self, mail_id: str) -> DeliveryResult:
        """Send one message if it is queued and due; otherwise return its current status and send nothing."""
        return await self._deliver(mail_id) or await self._current_state(mail_id)

    async def deliver_due(self, *, limit: int = 100) -> list[DeliveryResult]:
        """Send due messages, longest-waiting first, until none is left or the limit is reached."""
        deliveries: list[DeliveryResult] = []
        while len(deliveries) < limit and (delivery := await self._deliver(None)) is not None:
            deliveries.append(delivery)
        return deliveries

    async def reconcile(self, *, limit: int = 500) -> ReconcileResult:
        """Mark messages of lost senders as unknown, then look up every unknown outcome that can be looked up."""
        now = self._clock.now()
        async with self._database.unit() as unit:
            lost = await store.expire_leases(unit, _SENDER_LOST, now)
            for mail_id in lost:
                await self._note(unit, mail_id, "unknown", _SENDER_LOST)
            unsettled = await store.list_unknown(unit, self._transport.name, limit)
        answers = [await self._look_up(message) for message in unsettled]
        return ReconcileResult(
            leases_lost=len(lost),
            found_sent=answers.count(Lookup.FOUND),
            queued_again=answers.count(Lookup.ABSENT),
            still_unknown=answers.count(Lookup.CANNOT_TELL),
        )

    async def settle(self, mail_id: str, outcome: MailSettlement, *, by: str, why: str) -> None:
        """Record a person's decision whether a message in doubt was sent. One that wasn't may then be retried."""
        if not one_line(why):
            raise InputError(gettext("Say how you know whether this mail was sent."))
        async with self._database.unit() as unit:
            if not await store.settle_unknown(unit, mail_id, _SETTLED[outcome], self._clock.now()):
                await self._refuse(unit, mail_id, gettext("Only a mail whose outcome is unknown can be resolved"))
            await self._note(
                unit,
                mail_id,
                "settled",
                gettext("Marked as %(outcome)s: %(why)s", outcome=outcome.replace("_", " "), why=one_line(why)),
                by,
            )

    async def retry(self, mail_id: str, *, by: str) -> None:
        """Queue a failed message again, with all its attempts."""
        async with self._database.unit() as unit:
            if not await store.requeue_failed(unit, mail_id, self._clock.now(), nobody=ERASED_ADDRESS):
                await self._refuse(unit, mail_id, _NOT_RETRYABLE)
            await self._note(unit, mail_id, "retried", gettext("Queued again by a person."), by)
            await self._notify_queued(mail_id, unit)

    async def cancel(self, mail_id: str, *, by: str, why: str, unit: Unit) -> None:
        """Cancel a queued message in the caller's transaction; one that is being sent can't be cancelled."""
        reason = gettext("Cancelled: %(why)s", why=one_line(why))
        if not await store.fail_unclaimed(unit, mail_id, "cancelled", reason, self._clock.now()):
            await self._refuse(unit, mail_id, gettext("Only a mail that still waits can be cancelled"))
        await self._note(unit, mail_id, "cancelled", reason, by)

    async def erase(self, email: str, *, by: str, unit: Unit) -> int:
        """Erase the content of all mail to an address, in the caller's transaction; returns how many mails.

        What was sent stays known as sent under its key, and a suppression stays in force: both protect the person.
        Mail that still waits or is in doubt is left: cancel or settle it first.
        """
        return await self._erase(unit, address_key(email), None, by)

    async def erase_topic(self, email: str, topic: str, *, by: str, unit: Unit) -> int:
        """The same for the mail of one topic; what still waits is cancelled first."""
        key, now = address_key(email), self._clock.now()
        for mail_id in await store.list_waiting(unit, key, topic):
            await store.fail_unclaimed(unit, mail_id, "cancelled", ERASED_MESSAGE.subject, now)
        return await self._erase(unit, key, topic, by)

    async def _erase(self, unit: Unit, key: str, topic: str | None, by: str) -> int:
        erased = await store.erase_messages(
            unit,
            key,
            nobody=ERASED_ADDRESS,
            subject=ERASED_MESSAGE.subject,
            content=message_to_data(ERASED_MESSAGE),
            topic=topic,
        )
        for mail_id in erased:
            await self._note(unit, mail_id, "erased", gettext("Erased on request."), by)
        return len(erased)

    async def erase_old(self, old: MailRetention) -> int:
        """Erase content and recipients of mails past their retention; returns how many. Their keys stay."""
        erased = 0
        while True:
            async with self._database.unit() as unit:
                some = await store.erase_old_messages(
                    unit,
                    old,
                    nobody=ERASED_ADDRESS,
                    subject=ERASED_MESSAGE.subject,
                    content=message_to_data(ERASED_MESSAGE),
                    limit=_ERASE_BATCH_SIZE,
                )
                for mail_id in some:
                    await self._note(
                        unit,
                        mail_id,
                        "erased",
                        gettext("Erased after its retention period."),
                        "almanac",
                    )
            erased += len(some)
            if len(some) < _ERASE_BATCH_SIZE:
                return erased

    async def _deliver(self, mail_id: str | None) -> DeliveryResult | None:
        async with self._database.unit() as unit:
            claimed = await claim_mail(
                unit,
                mail_id,
                transport=self._transport.name,
                sender=self._sender,
                links=self._links,
                policy=self._policy,
                now=self._clock.now(),
            )
        if not isinstance(claimed, ClaimedMail):
            return claimed
        with span("mail", transport=self._transport.name) as traced:
            outcome, receipt = await self._send(claimed)
            traced.note(outcome=outcome.status)
        async with self._database.unit() as unit:
            await self._record(unit, claimed, outcome, receipt)
        return DeliveryResult(claimed.envelope.mail_id, outcome.status, outcome.reason, attempted=True)

    async def _send(self, claimed: ClaimedMail) -> tuple[SendOutcome, Receipt | None]:
        try:
            async with asyncio.timeout(self._policy.send_seconds):
                receipt = await self._transport.send(claimed.envelope)
        except MailRefused as error:
            return SendOutcome(status="failed", failure="refused", reason=str(error.sentence)), None
        except MailDeferred as error:
            return self._policy.retry_later(claimed.attempt, str(error.sentence), self._clock.now()), None
        except (OutcomeUnknown, TimeoutError) as error:
            reason = (
                str(error.sentence)
                if isinstance(error, OutcomeUnknown)
                else gettext("Sending took too long; the result is unknown.")
            )
            return SendOutcome(status="unknown", reason=reason), None
        except Exception:  # after any other error the mail may have left: it must not be sent again
            log.exception("A mail transport failed unexpectedly.", extra={"mail_id": claimed.envelope.mail_id})
            return SendOutcome(status="unknown", reason=gettext("Sending stopped unexpectedly.")), None
        return SendOutcome(status="sent", provider_id=receipt.provider_id), receipt

    async def _record(self, unit: Unit, claimed: ClaimedMail, outcome: SendOutcome, receipt: Receipt | None) -> None:
        mail_id = claimed.envelope.mail_id
        if not await store.finish_claim(unit, mail_id, claimed.claim, outcome, self._clock.now()):
            log.warning("A mail was settled by a person before its outcome came.", extra={"mail_id": mail_id})
        kind = "deferred" if outcome.status == "queued" else outcome.status
        taken = receipt.words if receipt else ""
        if receipt and self._transport.name not in KEEPING_TRANSPORTS:
            taken = str(gettext("Accepted by %(name)s: %(words)s", name=self._transport.name, words=receipt.words))
        await self._note(unit, mail_id, kind, outcome.reason or taken)
        for recipient, why in (receipt.refused if receipt else {}).items():
            await self._note(unit, mail_id, "refused", why, recipient=recipient.lower())

    async def _look_up(self, message: store.UnknownMail) -> Lookup:
        answer = await self._transport.find(message.message_id)
        outcomes = {Lookup.FOUND: SendOutcome(status="sent"), Lookup.ABSENT: SendOutcome(status="queued")}
        if answer is Lookup.CANNOT_TELL:
            return answer
        async with self._database.unit() as unit:
            if await store.settle_unknown(unit, message.id, outcomes[answer], self._clock.now()):
                await self._note(
                    unit,
                    message.id,
                    "reconciled",
                    gettext("Looked up by Message-ID: %(value)s.", value=answer.value),
                )
                if answer is Lookup.ABSENT:
                    await self._notify_queued(message.id, unit)
        return answer

    async def _current_state(self, mail_id: str) -> DeliveryResult:
        async with self._database.unit() as unit:
            state = await store.find_state(unit, mail_id)
        if state is None:
            raise NotFound(gettext("There is no mail with this id."))
        return DeliveryResult(mail_id, state.status, state.reason, attempted=False)

    async def _refuse(self, unit: Unit, mail_id: str, sentence: str) -> None:
        state = await store.find_state(unit, mail_id)
        if state is None:
            raise NotFound(gettext("There is no mail with this id."))
        raise Conflict(
            gettext("%(sentence)s; this one is %(status)s.", sentence=sentence, status=state.status),
            status=state.status,
        )

    async def _note(
        self, unit: Unit, mail_id: str, kind: str, detail: str, source: str = "almanac", recipient: str | None = None
    ) -> None:
        now = self._clock.now()
        event = MailEvent(
            kind=kind, recipient=recipient, permanent=kind == "refused", detail=detail, source=source, happened_at=now
        )
        await store.insert_event(unit, mail_id, event, now)

    async def _notify_queued(self, mail_id: str, unit: Unit) -> None:
        if self._listener is not None:
            await self._listener(mail_id, unit)
