"""The suppression list: addresses that get no mail, and the signed one-click unsubscribe links (RFC 8058)."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from almanac.errors import InputError, NotFound
from almanac.kit.clock import Clock
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page, decode_cursor
from almanac.kit.text import one_line
from almanac.mail import store
from almanac.mail.message import address_key
from almanac.mail.model import Suppression, SuppressionSource
from almanac.relational import Database

_SEAL_BYTES = 16
_PURPOSE = b"mail-unsubscribe\0"


@dataclass(frozen=True, slots=True)
class Unsubscription:
    """The address and topic of an unsubscription."""

    email: str
    topic: str


def one_click_headers(url: str) -> dict[str, str]:
    """The headers for a URL on which a POST opts out at once."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


class UnsubscribeLinks:
    """Creates and verifies the links. They never expire: a reader may unsubscribe from a mail of years ago."""

    def __init__(self, key: bytes, public_url: str) -> None:
        self._key = key
        self._public_url = public_url.rstrip("/")

    def url(self, email: str, topic: str) -> str:
        """The page on which a person unsubscribes; a POST to it does so at once."""
        return f"{self._public_url}/unsubscribe/{self.token(email, topic)}"

    def headers(self, email: str, topic: str) -> dict[str, str]:
        """The headers that let a mail program show its own unsubscribe button."""
        return one_click_headers(self.url(email, topic))

    def token(self, email: str, topic: str) -> str:
        body = encode_json([email, topic])
        return urlsafe_b64encode(self._seal(body) + body).decode().rstrip("=")

    def read(self, token: str) -> Unsubscription:
        """The content of a token. InputError if we didn't sign it."""
        try:
            raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
            seal, body = raw[:_SEAL_BYTES], raw[_SEAL_BYTES:]
            if hmac.compare_digest(seal, self._seal(body)):
                email, topic = msgspec.json.decode(body, type=tuple[str, str])
                return Unsubscription(email, topic)
        except ValueError:
            pass
        raise InputError(
            gettext("This unsubscribe link is damaged; copy it whole from the mail, or reply to the mail.")
        )

    def _seal(self, body: bytes) -> bytes:
        return hmac.digest(self._key, _PURPOSE + body, "sha256")[:_SEAL_BYTES]


ALL_TOPICS = ""


class Suppressions:
    """Adds, lifts and lists suppressions. A topic limits one to the bulk mail of that topic."""

    def __init__(self, database: Database, clock: Clock, links: UnsubscribeLinks, key: bytes) -> None:
        self._database = database
        self._clock = clock
        self._links = links
        self._key = key

    async def add(
        self, email: str, *, source: SuppressionSource, reason: str, by: str | None = None, topic: str = ALL_TOPICS
    ) -> bool:
        """Suppress an address; False if it was suppressed already."""
        if not one_line(reason):
            raise InputError(gettext("Give a reason for blocking this address."))
        async with self._database.unit() as unit:
            return await store.insert_suppression(
                unit,
                email=address_key(email),
                topic=topic,
                source=source,
                reason=one_line(reason),
                added_by=by,
                now=self._clock.now(),
            )

    async def lift(self, email: str, *, by: str, why: str, topic: str = ALL_TOPICS) -> None:
        """Lift a suppression; the lifted entry is kept as history."""
        if not one_line(why):
            raise InputError(gettext("Give a reason for allowing this address again."))
        async with self._database.unit() as unit:
            lifted = await store.lift_suppression(
                unit, email=address_key(email), topic=topic, by=by, why=one_line(why), now=self._clock.now()
            )
        if not lifted:
            raise NotFound(gettext("This address is not on the suppression list."))

    async def unsubscribe(self, token: str) -> Unsubscription:
        """Unsubscribe with the link in a bulk mail; repeating it is fine."""
        unsubscription = self._links.read(token)
        await self.add(
            unsubscription.email,
            source="unsubscribe",
            reason=gettext("The reader unsubscribed."),
            topic=unsubscription.topic,
        )
        return unsubscription

    async def find(self, email: str, *, topic: str = ALL_TOPICS) -> Suppression | None:
        """The suppression of an address for bulk mail of a topic, or for any mail; None if there is none."""
        async with self._database.unit() as unit:
            suppressions = await store.find_suppressions(
                unit, [address_key(email)], topic=topic, bulk=topic != ALL_TOPICS
            )
        return suppressions[0] if suppressions else None

    async def find_suppressed(self, emails: Iterable[str]) -> set[str]:
        """Which of these addresses get no mail at all."""
        keys = {email: address_key(email) for email in emails}
        async with self._database.reading() as reading:
            suppressions = await store.find_suppressions(
                reading, sorted(set(keys.values())), topic=ALL_TOPICS, bulk=False
            )
        suppressed = {entry.email for entry in suppressions}
        return {email for email, key in keys.items() if key in suppressed}

    async def list(self, *, text: str | None = None, cursor: str | None = None, limit: int = 50) -> Page[Suppression]:
        """Current suppressions, newest first; `text` matches a part of the address."""
        of = f"mail suppressions {text}"
        before = cursor_position(cursor, of=of, key=self._key)
        async with self._database.unit() as unit:
            suppressions = await store.list_suppressions(unit, text, before, limit + 1)
        return build_page(suppressions, limit, lambda entry: [entry.id], of=of, key=self._key)


def cursor_position(cursor: str | None, *, of: str, key: bytes) -> str | None:
    """The id after which a page starts; None for the first page."""
    if cursor is None:
        return None
    position = decode_cursor(cursor, of=of, key=key)
    return str(position[0])
