"""The suppression list: whom nobody may write to, since when and why. The Mailer asks it at every claim."""

from collections.abc import Iterable

from almanac.errors import InputError, NotFound
from almanac.kit.clock import Clock
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.kit.text import one_line
from almanac.mail import store
from almanac.mail.address import address_key
from almanac.mail.model import Suppression, SuppressionSource
from almanac.mail.unsubscribe import UnsubscribeLinks, Unsubscription
from almanac.relational import Database

EVERYTHING = ""


class Suppressions:
    """Adds, lifts and lists suppressions. A topic limits one to the bulk mail of that topic."""

    def __init__(self, database: Database, clock: Clock, links: UnsubscribeLinks, key: bytes) -> None:
        self._database = database
        self._clock = clock
        self._links = links
        self._key = key

    async def add(
        self, email: str, *, source: SuppressionSource, reason: str, by: str | None = None, topic: str = EVERYTHING
    ) -> bool:
        """Write to this address no more; false if that was so already."""
        if not one_line(reason):
            raise InputError("Say why this address is to get no more mail.")
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

    async def lift(self, email: str, *, by: str, why: str, topic: str = EVERYTHING) -> None:
        """Write to this address again; the lifted entry stays as history."""
        if not one_line(why):
            raise InputError("Say why this address may get mail again.")
        async with self._database.unit() as unit:
            lifted = await store.lift_suppression(
                unit, email=address_key(email), topic=topic, by=by, why=one_line(why), now=self._clock.now()
            )
        if not lifted:
            raise NotFound("This address is not on the suppression list.")

    async def unsubscribe(self, token: str) -> Unsubscription:
        """Honour a link from a bulk mail; doing so twice is fine."""
        wish = self._links.read(token)
        await self.add(wish.email, source="unsubscribe", reason="The reader unsubscribed.", topic=wish.topic)
        return wish

    async def of(self, email: str, *, topic: str = EVERYTHING) -> Suppression | None:
        """What keeps bulk mail of a topic (without one: any mail) from an address, if something does."""
        async with self._database.unit() as unit:
            found = await store.suppressed_among(unit, [address_key(email)], topic=topic, bulk=topic != EVERYTHING)
        return found[0] if found else None

    async def among(self, emails: Iterable[str]) -> set[str]:
        """Which of these addresses, as they are given, get no mail at all."""
        keys = {email: address_key(email) for email in emails}
        async with self._database.reading() as reading:
            found = await store.suppressed_among(reading, sorted(set(keys.values())), topic=EVERYTHING, bulk=False)
        suppressed = {entry.email for entry in found}
        return {email for email, key in keys.items() if key in suppressed}

    async def list(self, *, text: str | None = None, cursor: str | None = None, limit: int = 50) -> Page[Suppression]:
        """What is in force, newest first; `text` matches a part of the address."""
        of = f"mail suppressions {text}"
        before = read_position(cursor, of=of, key=self._key)
        async with self._database.unit() as unit:
            found = await store.list_suppressions(unit, text, before, limit + 1)
        shown = found[:limit]
        more = len(found) > limit
        return Page(shown, encode_cursor([shown[-1].id], of=of, key=self._key) if more else None)


def read_position(cursor: str | None, *, of: str, key: bytes) -> str | None:
    """The id after which a page begins."""
    if cursor is None:
        return None
    position = decode_cursor(cursor, of=of, key=key)
    return str(position[0])
