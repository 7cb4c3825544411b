"""What people and programs do with notifications: choose, add devices and addresses, try a channel, and tell of events.

Everything that a person does is about their own notifications, and needs the permission `account.own`.
"""

from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject, DetailValue
from almanac.errors import AlmanacError, Conflict, FieldErrors, NotAllowed, NotFound, StaleEdit
from almanac.fetch import AddressRefused, Fetcher
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.text import shorten
from almanac.notifications import store
from almanac.notifications.addresses import mask_address
from almanac.notifications.channels import OutgoingMessage, TargetGone
from almanac.notifications.delivery import NotificationDelivery
from almanac.notifications.dispatch import EventSorter, read_profile
from almanac.notifications.messages import write_test_message
from almanac.notifications.model import (
    ADDRESSED,
    NotificationChannel,
    NotificationKind,
    NotificationProfile,
    NotificationSettings,
    SentNotification,
)
from almanac.notifications.morning_mail import MorningMails
from almanac.notifications.push_encryption import PushSubscription
from almanac.notifications.store import MessageSlot
from almanac.relational import Database, Unit

PERMISSION = "account.own"
MOST_DEVICES = 20
_USER_AGENT_CHARACTERS = 200
_HISTORY = 30


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """How a test message went; `reason` says why it failed. `kept`: the mail stays on this machine."""

    channel: NotificationChannel
    sent: bool
    reason: str = ""
    kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Notifications:
    """Notifications of everybody."""

    database: Database
    clock: Clock
    fetcher: Fetcher
    sorter: EventSorter
    delivery: NotificationDelivery
    morning: MorningMails

    @property
    def public_key(self) -> str:
        """The key that browsers subscribe with."""
        return self.delivery.senders.vapid.public_key

    async def get_profile(self, by: Principal) -> NotificationProfile:
        """What a person chose, their addresses and devices."""
        by.require(PERMISSION)
        async with self.database.reading() as reading:
            return await read_profile(reading, by.user_id)

    async def list_sent(self, by: Principal) -> list[SentNotification]:
        """The latest messages to a person, newest first."""
        by.require(PERMISSION)
        async with self.database.reading() as reading:
            return await store.list_notifications(reading, by.user_id, _HISTORY)

    async def save_settings(self, by: Principal, settings: NotificationSettings, *, expected: int) -> None:
        """Keep what a person chose; StaleEdit if it was changed since version `expected`."""
        self._require_person(by)
        async with self.database.unit() as unit:
            if not await store.save_settings(unit, by.user_id, settings, expected=expected, now=self.clock.now()):
                current = await store.find_settings(unit, by.user_id)
                sentence = gettext("Your notifications were changed in another window; load the page again.")
                raise StaleEdit(sentence, str(current.version))
            await self._audit(unit, by, "notifications.changed")

    async def set_address(self, by: Principal, channel: NotificationChannel, text: str) -> str:
        """Set where a channel sends to; returns the secret of a webhook, which is shown only now, else nothing."""
        self._require_person(by)
        book = self.delivery.vault.book
        address = book.check(_require_addressed(channel), text)
        async with self.database.unit() as unit:
            generation = await store.save_address(
                unit,
                by.user_id,
                channel,
                sealed=book.seal(address, by.user_id),
                shown=mask_address(channel, address),
                now=self.clock.now(),
            )
            await self._audit(unit, by, "notifications.address_set", channel=channel.value)
        if channel is not NotificationChannel.WEBHOOK:
            return ""
        return self.delivery.senders.webhook_secret(by.user_id, generation)

    async def remove_address(self, by: Principal, channel: NotificationChannel) -> None:
        """Send nothing by a channel any more. Idempotent."""
        self._require_person(by)
        async with self.database.unit() as unit:
            if await store.delete_address(unit, by.user_id, _require_addressed(channel)):
                await self._audit(unit, by, "notifications.address_removed", channel=channel.value)

    async def add_device(self, by: Principal, subscription: PushSubscription, user_agent: str) -> str:
        """Push to the browser that asks; returns the device's id. It lasts as long as this sign-in."""
        self._require_person(by)
        if by.session_id is None:
            raise NotAllowed(gettext("Only a browser that is signed in can get push messages."))
        try:
            self.fetcher.check(subscription.endpoint)
        except AddressRefused as error:
            raise FieldErrors({"endpoint": error.sentence}) from error
        endpoint_hash, sealed = self.delivery.vault.seal_subscription(subscription, by.user_id)
        async with self.database.unit() as unit:
            if len(await store.list_devices(unit, by.user_id)) >= MOST_DEVICES:
                raise Conflict(gettext("You have reached the maximum of devices; remove one first."))
            device_id = await store.save_device(
                unit,
                user_id=by.user_id,
                session_id=by.session_id,
                endpoint_hash=endpoint_hash,
                sealed=sealed,
                service=urlsplit(subscription.endpoint).hostname or "",
                user_agent=shorten(user_agent, _USER_AGENT_CHARACTERS),
                now=self.clock.now(),
            )
            await self._audit(unit, by, "notifications.device_added")
        return device_id

    async def remove_device(self, by: Principal, device_id: str) -> None:
        """Push to a browser no more."""
        self._require_person(by)
        async with self.database.unit() as unit:
            if not await store.delete_device(unit, by.user_id, device_id):
                raise NotFound(gettext("There is no device with this id; it may have been removed."))
            await self._audit(unit, by, "notifications.device_removed")

    async def send_test(
        self, by: Principal, channel: NotificationChannel, device_id: str | None = None
    ) -> list[TestOutcome]:
        """Send a test message at once: to one device, all of them, or the address of a channel. Tells how each went."""
        by.require(PERMISSION)
        profile = await self.get_profile(by)
        if channel is NotificationChannel.MAIL:
            return [await self._test_mail(by)]
        targets = [device.id for device in profile.devices if device_id in (None, device.id)]
        if channel is not NotificationChannel.PUSH:
            targets = [""] if channel in profile.addresses else []
        if not targets:
            raise Conflict(gettext("There is nothing to send to yet; add a device or an address first."))
        return [
            await self._test(by, MessageSlot(by.user_id, NotificationKind.DESKS, channel, name)) for name in targets
        ]

    async def is_wanted(self, user_id: str, kind: NotificationKind, channel: NotificationChannel) -> bool:
        """Whether a person wants to hear of a kind by a channel."""
        async with self.database.reading() as reading:
            return (await store.find_settings(reading, user_id)).wants(kind, channel)

    async def tell_matches(
        self, unit: Unit, owner_id: str, saved_id: str, *, name: str, matches: int, path: str
    ) -> None:
        """Tell the owner of a saved query of new matches, in the transaction that found them."""
        facts = {"title": name, "matches": matches, "path": path}
        await store.add_event(unit, NotificationKind.ALERTS, f"{saved_id} {new_id()}", facts, user_id=owner_id)

    async def sort_events(self) -> int:
        """Put events into messages; returns how many events."""
        return await self.sorter.sort()

    async def deliver(self, notification_id: str) -> None:
        """Send one message if it is due."""
        await self.delivery.deliver(notification_id)

    async def deliver_due(self) -> int:
        """Send every message that is due; returns how many were tried."""
        return await self.delivery.deliver_due()

    async def send_morning_mails(self) -> int:
        """Queue the morning mails that are due; returns how many."""
        return await self.morning.send_due()

    async def prune(self, older_than: timedelta) -> int:
        """Delete old events and messages; returns how many."""
        async with self.database.unit() as unit:
            return await store.prune(unit, self.clock.now() - older_than)

    async def _test(self, by: Principal, slot: MessageSlot) -> TestOutcome:
        delivery, now = self.delivery, self.clock.now()
        message_id = new_id()
        text = write_test_message(by.preferences.language)
        message = OutgoingMessage(id=message_id, tag=message_id, text=text, at=now)
        async with self.database.unit() as unit:
            target = await delivery.vault.open(unit, slot)
        if target is None:
            return TestOutcome(slot.channel, sent=False, reason=gettext("The device or address was removed."))
        try:
            await delivery.vault.send(delivery.senders, target, message)
        except AlmanacError as error:
            await self._note_failure(slot, error)
            return TestOutcome(slot.channel, sent=False, reason=error.sentence)
        async with self.database.unit() as unit:
            await store.mark_target(unit, slot, "", self.clock.now())
        return TestOutcome(slot.channel, sent=True)

    async def _note_failure(self, slot: MessageSlot, error: AlmanacError) -> None:
        async with self.database.unit() as unit:
            if isinstance(error, TargetGone) and slot.channel is NotificationChannel.PUSH:
                await store.delete_device(unit, slot.user_id, slot.target)
            else:
                await store.mark_target(unit, slot, error.sentence, self.clock.now())

    async def _test_mail(self, by: Principal) -> TestOutcome:
        if not by.email:
            raise Conflict(gettext("This account has no e-mail address."))
        async with self.database.unit() as unit:
            await self.delivery.queue_mail(unit, new_id(), by, write_test_message(by.preferences.language))
        return TestOutcome(NotificationChannel.MAIL, sent=True, kept=self.delivery.keeps_mail)

    def _require_person(self, by: Principal) -> None:
        by.require(PERMISSION)
        if not by.has_account:
            raise NotAllowed(gettext("Only people have notifications; sign in with an account."))

    async def _audit(self, unit: Unit, by: Principal, action: str, **detail: DetailValue) -> None:
        deed = AuditAction(by.actor, action, AuditSubject("user", by.user_id), "", detail)
        await audit.record(unit, self.clock, deed)


def _require_addressed(channel: NotificationChannel) -> NotificationChannel:
    if channel not in ADDRESSED:
        raise NotFound(gettext("This channel has no address of its own."))
    return channel
