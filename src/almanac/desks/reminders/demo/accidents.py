"""Reminders that went wrong, for the demo: refused by a server, or lost in doubt. No server is ever asked."""

from dataclasses import replace
from datetime import timedelta

from almanac.desks.reminders import sending, store
from almanac.desks.reminders.model import moves
from almanac.desks.reminders.model.draft import Draft, mail_key_of
from almanac.desks.reminders.sending.deciding import rules_of
from almanac.desks.reminders.sending.following import message_of
from almanac.errors import AlmanacError
from almanac.kit.clock import FixedClock
from almanac.mail.address import Address
from almanac.mail.port import Envelope, Lookup, MailTransport, Receipt
from almanac.mail.service import Mailer
from almanac.mail.unsubscribe import UnsubscribeLinks
from almanac.services import Services

# No worker takes up a mail before its time, so that only this module ever does.
_LATER = timedelta(minutes=1)


class Accident(MailTransport):
    """Fails every mail in the same way."""

    name = "demo"

    def __init__(self, failure: AlmanacError) -> None:
        self._failure = failure

    async def send(self, envelope: Envelope) -> Receipt:  # noqa: ARG002 - whatever the mail, it fails
        raise self._failure

    async def find(self, message_id: str) -> Lookup:  # noqa: ARG002 - nobody could tell
        return Lookup.CANNOT_TELL

    async def check(self) -> None:
        """There is nothing to prove."""


async def send_badly(services: Services, draft: Draft, failure: AlmanacError) -> None:
    """The approved draft's mail fails first; only then does the draft learn that it is being sent."""
    now = services.clock.now()
    mailer = Mailer(
        services.database,
        Accident(failure),
        clock=FixedClock(now + _LATER),
        sender=Address.parse(services.settings.mail_from),
        links=UnsubscribeLinks(services.key("unsubscribe"), services.settings.public_url),
    )
    async with services.database.unit() as unit:
        queued = await mailer.queue(message_of(draft), key=mail_key_of(draft), unit=unit, due_at=now + _LATER)
    await mailer.deliver(queued.id)
    rules = await rules_of(services)
    await store.change_draft(
        services.tables,
        draft.id,
        lambda known, case: moves.begin_sending(known, case, rules, now),
        rules=rules,
        now=now,
    )
    await sending.follow(replace(services, mailer=mailer), draft.id)
