"""The morning mail: a person's day, once a day, at the hour that they chose.

A row for the person and the day is the claim. It is written in the transaction that queues the mail, so whatever is
killed, a day has one mail at most; from there the outbox sends it once. A worker that was away for hours is too late.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from almanac.accounts.model import Principal
from almanac.errors import AlmanacError
from almanac.kit.clock import Clock
from almanac.mail import Address, Mailer, Message
from almanac.mail.mail_templates import MailTemplates
from almanac.notifications import store
from almanac.notifications.model import DayDigest, MorningChoice
from almanac.notifications.people import People
from almanac.notifications.store import WaitingMorning
from almanac.relational import Database, Unit

MAIL_TOPIC = "morning"
LATEST = timedelta(hours=4)
# Whoever chooses an hour that has just passed gets the first mail tomorrow.
_CHOSEN_WITHIN = timedelta(minutes=15)
DigestWriter = Callable[[Principal], Awaitable[DayDigest]]
log = logging.getLogger(__name__)


def find_due_day(choice: MorningChoice, now: datetime, zone: str, chosen_at: datetime) -> date | None:
    """The day whose mail is due now where the person is; None if none is."""
    local = now.astimezone(ZoneInfo(zone))
    if choice.hour is None or local.isoweekday() not in choice.days:
        return None
    due_at = datetime.combine(local.date(), time(choice.hour), ZoneInfo(zone))
    is_due = due_at <= now < due_at + LATEST and chosen_at <= due_at + _CHOSEN_WITHIN
    return local.date() if is_due else None


@dataclass(frozen=True, slots=True, kw_only=True)
class MorningMails:
    """Sends the mails that are due. `writers` has the one function that puts a person's day together."""

    database: Database
    clock: Clock
    people: People
    mailer: Mailer
    templates: MailTemplates
    public_url: str
    writers: list[DigestWriter] = field(default_factory=list)

    async def send_due(self) -> int:
        """Queue every mail that is due; returns how many. Any number of workers may call it."""
        async with self.database.reading() as reading:
            waiting = await store.list_morning_choices(reading)
        return sum([await self._send(morning) for morning in waiting])

    async def _send(self, morning: WaitingMorning) -> bool:
        """What goes wrong for one person, such as a desk's store that is down, is tried again and holds up nobody."""
        person = await self.people.find(morning.user_id)
        if person is None or not person.email:
            return False
        day = find_due_day(morning.choice, self.clock.now(), self.people.zone_of(person), morning.chosen_at)
        if day is None or (morning.last_day is not None and morning.last_day >= day):
            return False
        try:
            digest = await self.writers[0](person)
        except AlmanacError:
            log.warning("A morning mail couldn't be written.", extra={"user": morning.user_id}, exc_info=True)
            return False
        is_wanted = morning.choice.when_empty or not digest.is_empty
        async with self.database.unit() as unit:
            is_first = await store.claim_morning(unit, person.user_id, day, sent=is_wanted, now=self.clock.now())
            if is_first and is_wanted:
                await self._queue(unit, person, day, digest)
        return is_first and is_wanted

    async def _queue(self, unit: Unit, person: Principal, day: date, digest: DayDigest) -> None:
        values = {
            "subject": digest.subject,
            "parts": digest.parts,
            "public_url": self.public_url,
            "link": f"{self.public_url}/?day={digest.day}",
            "settings_link": f"{self.public_url}/account/notifications",
        }
        words = self.templates.render("morning", values, digest.language)
        mail = Message(
            to=(Address(person.email, person.name),),
            subject=words.subject,
            text=words.text,
            html=words.html,
            topic=MAIL_TOPIC,
        )
        await self.mailer.queue(mail, key=f"morning:{person.user_id}:{day}", unit=unit)
