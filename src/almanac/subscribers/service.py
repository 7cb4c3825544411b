"""Following something by mail without an account: asked for by anybody, confirmed by the owner of the address, stopped
by a link in every mail.

Whoever asks learns nothing about an address: the answer is the same whether it is new, known, blocked or unwilling.
"""

import hmac
from dataclasses import dataclass
from datetime import timedelta

from almanac.audit import service as audit
from almanac.audit.model import Actor, AuditAction, AuditSubject
from almanac.errors import FieldErrors, InputError, NotFound
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.mail import Address, Mailer, Message, Suppressions
from almanac.mail.mail_templates import MailTemplates
from almanac.mail.model import MailRetention
from almanac.relational import Database, Unit
from almanac.subscribers import store
from almanac.subscribers.links import TO_CONFIRM, AlertLinks
from almanac.subscribers.model import (
    FREQUENCIES,
    TOPIC,
    FollowRequest,
    MailFrequency,
    Subscriber,
    SubscriberCounts,
    SubscriberFile,
    Subscription,
)

# What somebody follows is nobody else's business; the text of a mail is kept to find out why it didn't arrive.
KEEP_MAIL = timedelta(days=7)
KEEP_TOLD = timedelta(days=400)
MOST_PER_ADDRESS = 50
# Mails that anybody can have sent to an address in a day, so that no form is a weapon against its owner.
MOST_REQUESTS = 5
_BATCH = 200
_GONE = gettext("This link is no longer valid. Ask for a new one on the page of what you want to follow.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscribers:
    """Asks, confirms, changes, stops and erases. Addresses are in no log and in no sentence of the audit log."""

    database: Database
    clock: Clock
    mailer: Mailer
    suppressions: Suppressions
    templates: MailTemplates
    links: AlertLinks
    refusal_key: bytes
    organisation: str

    async def ask(self, wish: FollowRequest) -> None:
        """Ask by mail whether its owner wants this; silent where no mail may or need be sent."""
        if await self.suppressions.find(wish.email) is not None:
            return
        now = self.clock.now()
        async with self.database.unit() as unit:
            if await store.is_refused(unit, self._hash(wish.email)):
                return
            subscriber = await store.lock_or_add(unit, new_id(), wish, now)
            if await store.count_request(unit, subscriber.id, now) > MOST_REQUESTS:
                return
            if await store.count_subscriptions(unit, subscriber.id) >= MOST_PER_ADDRESS:
                return
            subscription = await store.ask_subscription(unit, new_id(), subscriber.id, wish, now)
            await self._mail(unit, subscriber, subscription, wish.language)

    async def confirm(self, subscription_id: str) -> Subscriber:
        """Start an alert, by the link in the mail about it. Idempotent; NotFound if it came too late."""
        now = self.clock.now()
        since = now - TO_CONFIRM
        async with self.database.unit() as unit:
            owner = await store.find_owner(unit, subscription_id, since)
            if owner is None:
                raise NotFound(_GONE)
            await store.confirm_subscription(unit, subscription_id, since=since, now=now)
            return await self._lock(unit, owner)

    async def change(self, subscriber_id: str, generation: int, language: str, frequency: MailFrequency) -> None:
        """Change how often and in which language somebody gets mail."""
        async with self.database.unit() as unit:
            await self._lock(unit, subscriber_id, generation)
            await store.change_subscriber(unit, subscriber_id, language, frequency)

    async def renew_links(self, subscriber_id: str, generation: int) -> Subscriber:
        """Make the links to somebody's list in earlier mails invalid."""
        async with self.database.unit() as unit:
            await self._lock(unit, subscriber_id, generation)
            await store.renew_links(unit, subscriber_id)
            return await self._lock(unit, subscriber_id)

    async def stop(self, subscriber_id: str, generation: int, subscription_id: str) -> bool:
        """Stop one alert; whether others are left. After the last one the address is deleted."""
        async with self.database.unit() as unit:
            subscriber = await self._lock(unit, subscriber_id, generation)
            await store.delete_subscription(unit, subscriber_id, subscription_id)
            if await store.list_subscriptions(unit, subscriber_id):
                return True
            await self._erase(unit, subscriber, by=TOPIC)
            return False

    async def stop_all(self, subscriber_id: str, *, forever: bool = False) -> None:
        """Stop every alert and delete the address. Forever keeps a hash of it, so that no form reaches it again."""
        async with self.database.unit() as unit:
            subscriber = await store.lock_subscriber(unit, subscriber_id)
            if subscriber is None:
                return
            if forever:
                await store.refuse(unit, self._hash(subscriber.email), self.clock.now())
            await self._erase(unit, subscriber, by=TOPIC)

    async def prune(self) -> int:
        """Delete requests that nobody confirmed in time, with their addresses, and the texts of old mails.

        Returns how many people had asked.
        """
        before, pruned = self.clock.now() - TO_CONFIRM, 0
        keep = self.clock.now() - KEEP_MAIL
        await self.mailer.erase_old(MailRetention(topic=TOPIC, sent_before=keep, failed_before=keep))
        while True:
            async with self.database.unit() as unit:
                await store.delete_old_items(unit, self.clock.now() - KEEP_TOLD)
                late = await store.list_unconfirmed(unit, before, _BATCH)
                for subscriber_id in late:
                    subscriber = await self._lock(unit, subscriber_id)
                    await store.delete_unconfirmed(unit, subscriber_id, before)
                    if await store.delete_if_idle(unit, subscriber_id):
                        await self._withdraw_mail(unit, subscriber.email, by=TOPIC)
            pruned += len(late)
            if len(late) < _BATCH:
                return pruned

    async def count(self) -> SubscriberCounts:
        """How many people follow something by mail."""
        async with self.database.reading() as reading:
            return await store.count_all(reading)

    async def find(self, email: str) -> SubscriberFile | None:
        """Everything that is stored about an address; None if nothing is."""
        async with self.database.reading() as reading:
            subscriber = await store.find_by_email(reading, read_address(email))
            if subscriber is None:
                return None
            subscriptions = await store.list_subscriptions(reading, subscriber.id, everything=True)
        return SubscriberFile(subscriber, subscriptions)

    async def erase(self, email: str, by: Actor, *, forever: bool = False) -> bool:
        """Delete an address and the texts of all mails to it from here; whether it was stored."""
        key, now = read_address(email), self.clock.now()
        async with self.database.unit() as unit:
            subscriber = await store.find_by_email(unit, key)
            if forever:
                await store.refuse(unit, self._hash(key), now)
            if subscriber is not None:
                await self._erase(unit, subscriber, by=by.id)
                subject = AuditSubject("subscriber", subscriber.id)
                await audit.record(unit, self.clock, AuditAction(by, "subscriber.erased", subject))
        return subscriber is not None

    async def _mail(self, unit: Unit, subscriber: Subscriber, subscription: Subscription, language: str) -> None:
        is_known = subscription.confirmed_at is not None
        values = {
            "what": subscription.label,
            "organisation": self.organisation,
            "confirm_link": self.links.confirm(language, subscription.id),
            "list_link": self.links.listed(language, subscriber.id, subscriber.generation) if is_known else "",
            "days": TO_CONFIRM.days,
        }
        rendered = self.templates.render("known" if is_known else "confirm", values, language)
        message = Message(
            to=(Address(subscriber.email),),
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            topic=TOPIC,
            opt_out=self.links.stop(language, subscriber.id),
        )
        await self.mailer.queue(message, key=f"{TOPIC}:ask:{new_id()}", unit=unit)

    async def _lock(self, unit: Unit, subscriber_id: str, generation: int | None = None) -> Subscriber:
        subscriber = await store.lock_subscriber(unit, subscriber_id)
        if subscriber is None or generation not in (None, subscriber.generation):
            raise NotFound(_GONE)
        return subscriber

    async def _erase(self, unit: Unit, subscriber: Subscriber, *, by: str) -> None:
        await store.delete_subscriber(unit, subscriber.id)
        await self._withdraw_mail(unit, subscriber.email, by=by)

    async def _withdraw_mail(self, unit: Unit, email: str, *, by: str) -> None:
        await self.mailer.erase_topic(email, TOPIC, by=by, unit=unit)

    def _hash(self, email: str) -> str:
        return hmac.digest(self.refusal_key, email.encode(), "sha256").hex()


def read_address(text: str) -> str:
    """An address in the form in which it is stored; FieldErrors if it is none."""
    try:
        address = Address(text).key
    except InputError as error:
        raise FieldErrors({"email": error.sentence}) from error
    if "." not in address.rpartition("@")[2].strip("."):
        # A host without a domain is nobody's on the internet.
        raise FieldErrors(
            {"email": gettext("%(email)s isn't a mail address; use the form name@example.org.", email=repr(text))}
        )
    return address


def read_frequency(text: str) -> MailFrequency:
    """How often somebody wants mail; anything else is once a day."""
    return next((frequency for frequency in FREQUENCIES if frequency == text), "daily")
