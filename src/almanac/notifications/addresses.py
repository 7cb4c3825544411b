"""Addresses of channels: what is a valid one, what of it may be shown, and sealing it. Nothing is sent here."""

from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from almanac.accounts.second_factors import SecretBox
from almanac.errors import FieldErrors
from almanac.fetch import AddressRefused, Fetcher
from almanac.kit.messages import gettext
from almanac.notifications.apprise_services import find_scheme, is_service
from almanac.notifications.model import NotificationChannel

_MOST_CHARACTERS = 1000


@dataclass(frozen=True, slots=True)
class NtfyTopic:
    """A topic of an ntfy server: where its messages are posted, its name, and the token if it needs one."""

    server: str
    topic: str = field(repr=False)
    token: str = field(repr=False)

    @classmethod
    def parse(cls, url: str) -> "NtfyTopic":
        """From `https://server/topic`, with `?token=` where the topic is protected; ValueError without a topic."""
        parts = urlsplit(url)
        folder, _, topic = parts.path.rstrip("/").rpartition("/")
        if not topic:
            raise ValueError(url)
        return cls(f"{parts.scheme}://{parts.netloc}{folder}/", topic, parse_qs(parts.query).get("token", [""])[0])


@dataclass(frozen=True, slots=True)
class AddressBook:
    """Checks and seals addresses."""

    fetcher: Fetcher
    box: SecretBox

    def check(self, channel: NotificationChannel, text: str) -> str:
        """The address in its plain form; FieldErrors if it isn't one, or leads where nothing may be sent."""
        text = text.strip()
        if len(text) > _MOST_CHARACTERS or not text.isprintable() or not text.isascii() or " " in text:
            raise FieldErrors({channel.value: gettext("This isn't a valid address; copy it from the service again.")})
        if channel is NotificationChannel.APPRISE:
            if not is_service(text):
                raise FieldErrors(
                    {
                        channel.value: gettext(
                            "This isn't an Apprise address of a service that can be used here, such as discord://…"
                        )
                    }
                )
            return text
        try:
            text = self.fetcher.check(text)
            if channel is NotificationChannel.NTFY:
                NtfyTopic.parse(text)
        except AddressRefused as error:
            raise FieldErrors({channel.value: error.sentence}) from error
        except ValueError as error:
            raise FieldErrors(
                {channel.value: gettext("Name the topic too, as in https://ntfy.sh/your-topic.")}
            ) from error
        return text

    def seal(self, text: str, user_id: str) -> bytes:
        return self.box.seal(text.encode(), user_id)

    def open(self, sealed: bytes, user_id: str) -> str | None:
        """The address; None if it was sealed with the secret of another installation."""
        plain = self.box.open(sealed, user_id)
        return plain.decode() if plain is not None else None


def mask_address(channel: NotificationChannel, text: str) -> str:
    """What of an address may be shown: the service or the host, since the rest may be secret."""
    if channel is NotificationChannel.APPRISE:
        return f"{find_scheme(text)}://…"
    return f"{urlsplit(text).hostname}/…"
