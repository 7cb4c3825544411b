"""News about sent mail: records each event once, suppresses addresses that bounced or complained, settles doubt."""

import hashlib
from collections.abc import Awaitable, Callable

from almanac.kit.clock import Clock
from almanac.mail import store
from almanac.mail.address import address_key
from almanac.mail.model import DeliveryEvent, MailEvent, Recorded, SuppressionSource
from almanac.mail.suppression import EVERYTHING
from almanac.relational import Database, Unit

Tell = Callable[[store.Named, Unit], Awaitable[None]]


class Deliveries:
    """Takes in events that were already proved genuine; where they come from is for the callers."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._tell: Tell | None = None

    def tell(self, tell: Tell) -> None:
        """Have whoever sent a mail told of news about it, in the transaction that records them."""
        self._tell = tell

    async def record(self, *events: DeliveryEvent) -> Recorded:
        """Record what happened; the same event again changes nothing, and one about a foreign mail is only counted."""
        new = repeated = unmatched = 0
        concerned: dict[str, store.Named] = {}
        async with self._database.unit() as unit:
            for event in events:
                mail = await _mail_of(unit, event)
                if mail is None:
                    unmatched += 1
                    continue
                concerned[mail.id] = mail
                if await self._record(unit, mail.id, event):
                    new += 1
                else:
                    repeated += 1
            if self._tell is not None and new:
                for mail in concerned.values():
                    await self._tell(mail, unit)
        return Recorded(new, repeated, unmatched, tuple(concerned))

    async def _record(self, unit: Unit, mail_id: str, event: DeliveryEvent) -> bool:
        now, recipient = self._clock.now(), address_key(event.recipient)
        noted = MailEvent(
            kind=event.kind,
            recipient=recipient,
            permanent=event.permanent,
            detail=event.detail,
            source=event.source,
            happened_at=event.happened_at,
        )
        if not await store.insert_event(unit, mail_id, noted, now, source_id=_identity(event, mail_id, recipient)):
            return False
        if (source := _suppresses(event)) is not None:
            reason = event.detail or f"The mail {event.kind}."
            await store.insert_suppression(
                unit, email=recipient, topic=EVERYTHING, source=source, reason=reason, mail_id=mail_id, now=now
            )
        await self._settle_by(unit, mail_id, event)
        return True

    async def _settle_by(self, unit: Unit, mail_id: str, event: DeliveryEvent) -> None:
        """Any such news proves that a mail did leave, so that nobody sends it again."""
        now = self._clock.now()
        if await store.prove_sent(unit, mail_id, now):
            detail = f"Known to have left; the news of it: {event.kind}."
            proof = MailEvent(
                kind="reconciled", recipient=None, permanent=False, detail=detail, source=event.source, happened_at=now
            )
            await store.insert_event(unit, mail_id, proof, now)


async def _mail_of(unit: Unit, event: DeliveryEvent) -> store.Named | None:
    return await store.find_named(
        unit, mail_id=event.mail_id, message_id=event.message_id, provider_id=event.provider_id
    )


def _suppresses(event: DeliveryEvent) -> SuppressionSource | None:
    if event.kind == "complained":
        return "complaint"
    return "bounce" if event.kind == "bounced" and event.permanent else None


def _identity(event: DeliveryEvent, mail_id: str, recipient: str) -> str:
    """One event for each recipient, whatever the source calls it; without a name, its moment tells it apart.

    Hashed, because an address in here would outlive its erasure.
    """
    own = event.source_id or event.happened_at.isoformat()
    parts = "\n".join([event.source, mail_id, event.kind, recipient, own])
    return hashlib.sha256(parts.encode()).hexdigest()
