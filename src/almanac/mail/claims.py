"""The claim: locks a due message, drops suppressed recipients, fixes its Message-ID and bytes, and starts its lease."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from almanac.errors import AlmanacError
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.mail import store
from almanac.mail.message import Address, Message, message_from_data
from almanac.mail.mime import MailIds, write_mail
from almanac.mail.model import DeliveryResult, MailEvent, MailFailure, Suppression
from almanac.mail.port import Envelope
from almanac.mail.store import SendOutcome
from almanac.mail.suppression import UnsubscribeLinks, one_click_headers
from almanac.relational import Unit


@dataclass(frozen=True, slots=True)
class SendPolicy:
    """Timeout of a send, lease of a claim, and how often a deferred mail is tried."""

    send_seconds: float = 240
    lease_seconds: float = 600
    attempts: int = 12
    first_wait_seconds: float = 30
    longest_wait_seconds: float = 4 * 3600

    def retry_later(self, attempt: int, reason: str, now: datetime) -> SendOutcome:
        """Wait for another attempt, twice as long each time with jitter, or fail after the last one."""
        if attempt >= self.attempts:
            return SendOutcome(
                status="failed",
                failure="exhausted",
                reason=gettext("Failed after %(attempt)s attempts: %(reason)s", attempt=attempt, reason=reason),
            )
        wait = min(self.first_wait_seconds * 2 ** (attempt - 1), self.longest_wait_seconds)
        jittered = wait * random.uniform(1, 1.25)  # noqa: S311 - jitter needs no secure randomness
        return SendOutcome(status="queued", reason=reason, due_at=now + timedelta(seconds=jittered))


@dataclass(frozen=True, slots=True)
class ClaimedMail:
    """A mail that this process, and nobody else, may send now."""

    envelope: Envelope
    claim: str
    attempt: int


async def claim_mail(
    unit: Unit,
    mail_id: str | None,
    *,
    transport: str,
    sender: Address,
    links: UnsubscribeLinks,
    policy: SendPolicy,
    now: datetime,
) -> ClaimedMail | DeliveryResult | None:
    """Claim the message named, or the longest-waiting one.

    None means that there is nothing to do, a DeliveryResult that it failed without being sent.
    """
    waiting = await store.lock_to_claim(unit, mail_id, now)
    if waiting is None:
        return None
    suppressed = await store.find_suppressions(unit, waiting.recipients, topic=waiting.topic, bulk=waiting.bulk)
    await _record_suppressed(unit, waiting.id, suppressed, now)
    try:
        envelope = _envelope(waiting, {entry.email for entry in suppressed}, sender, links, now)
    except (AlmanacError, ValueError) as error:
        return await _fail(
            unit, waiting.id, "refused", gettext("This mail can't be encoded: %(error)s", error=error), now
        )
    if envelope is None:
        return await _fail(unit, waiting.id, "suppressed", _suppression_reason(suppressed), now)
    claim = store.MailClaim(
        claim=new_id(),
        message_id=envelope.message_id,
        raw=envelope.raw,
        envelope_to=envelope.recipients,
        transport=transport,
        lease_until=now + timedelta(seconds=policy.lease_seconds),
    )
    await store.mark_sending(unit, waiting.id, claim, now)
    return ClaimedMail(envelope, claim.claim, waiting.attempts + 1)


def _envelope(
    waiting: store.Claimable, suppressed: set[str], default: Address, links: UnsubscribeLinks, now: datetime
) -> Envelope | None:
    """The mail as it goes out, or None if nobody is left to get it.

    The name that a message got at its first claim stays the same for every attempt.
    """
    message = _without(message_from_data(waiting.content), suppressed)
    if message is None:
        return None
    sender = message.sender or default
    name = MailIds(waiting.id, waiting.message_id or f"<{waiting.id}@{sender.email.rpartition('@')[2]}>")
    extra = links.headers(message.recipients[0].key, message.topic) if message.bulk else _opt_out(message)
    return Envelope(
        mail_id=name.mail_id,
        message_id=name.message_id,
        sender=sender.email,
        recipients=tuple(address.email for address in message.recipients),
        raw=write_mail(message, name, sender=sender, date=now, extra=extra),
    )


def _opt_out(message: Message) -> dict[str, str]:
    return one_click_headers(message.opt_out) if message.opt_out else {}


def _without(message: Message, emails: set[str]) -> Message | None:
    """The message for those who remain, or None if nobody does."""
    to = tuple(address for address in message.to if address.key not in emails)
    cc = tuple(address for address in message.cc if address.key not in emails)
    return replace(message, to=to, cc=cc) if to or cc else None


async def _record_suppressed(unit: Unit, mail_id: str, suppressed: Sequence[Suppression], now: datetime) -> None:
    for entry in suppressed:
        event = MailEvent(
            kind="suppressed",
            recipient=entry.email,
            permanent=True,
            detail=entry.reason,
            source=entry.source,
            happened_at=now,
        )
        await store.insert_event(unit, mail_id, event, now)


def _suppression_reason(suppressed: Sequence[Suppression]) -> str:
    return gettext(
        "Every recipient is on the suppression list (%(source)s): %(reason)s",
        source=suppressed[0].source,
        reason=suppressed[0].reason,
    )


async def _fail(unit: Unit, mail_id: str, failure: MailFailure, reason: str, now: datetime) -> DeliveryResult:
    await store.fail_unclaimed(unit, mail_id, failure, reason, now)
    return DeliveryResult(mail_id, "failed", reason, attempted=True)
