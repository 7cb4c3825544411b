"""Devices and addresses, opened for one message: secrets are sealed in the database and plain only while sending."""

import json
from dataclasses import dataclass, field

from almanac.kit.ids import token_hash
from almanac.notifications import store
from almanac.notifications.addresses import AddressBook
from almanac.notifications.channels import ChannelSenders, OutgoingMessage
from almanac.notifications.model import NotificationChannel
from almanac.notifications.push_encryption import PushSubscription, decode_base64url, encode_base64url
from almanac.notifications.store import MessageSlot
from almanac.relational import Unit


@dataclass(frozen=True, slots=True)
class OpenTarget:
    """Where a message goes: the subscription of a browser as JSON, or an address, with its secret's generation."""

    slot: MessageSlot
    text: str = field(repr=False)
    generation: int


@dataclass(frozen=True, slots=True)
class TargetVault:
    """Opens what is sealed, and sends to it."""

    book: AddressBook

    async def open(self, unit: Unit, slot: MessageSlot) -> OpenTarget | None:
        """The target of a message; None if it was removed or can't be opened."""
        if slot.channel is NotificationChannel.PUSH:
            sealed, generation = await store.find_device(unit, slot.user_id, slot.target), 0
        else:
            row = await store.find_address(unit, slot.user_id, slot.channel)
            sealed, generation = row or (None, 0)
        text = self.book.open(sealed, slot.user_id) if sealed else None
        return OpenTarget(slot, text, generation) if text else None

    async def send(self, senders: ChannelSenders, target: OpenTarget, message: OutgoingMessage) -> None:
        """Send a message; the errors are those of `ChannelSenders`."""
        match target.slot.channel:
            case NotificationChannel.PUSH:
                await senders.push(message, _read_subscription(target.text))
            case NotificationChannel.NTFY:
                await senders.ntfy(message, target.text)
            case NotificationChannel.APPRISE:
                await senders.apprise(message, target.text)
            case NotificationChannel.WEBHOOK:
                owner, generation = target.slot.user_id, target.generation
                await senders.webhook(message, target.text, owner=owner, generation=generation)

    def seal_subscription(self, subscription: PushSubscription, user_id: str) -> tuple[str, bytes]:
        """The hash by which a browser is known again, and the sealed subscription."""
        keys = [encode_base64url(subscription.p256dh), encode_base64url(subscription.auth)]
        text = json.dumps([subscription.endpoint, *keys])
        return token_hash(subscription.endpoint), self.book.seal(text, user_id)


def _read_subscription(text: str) -> PushSubscription:
    endpoint, p256dh, auth = json.loads(text)
    return PushSubscription(endpoint=endpoint, p256dh=decode_base64url(p256dh), auth=decode_base64url(auth))
