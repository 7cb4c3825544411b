"""Trying an issue: a copy of the present draft by mail, to nobody but oneself."""

import asyncio

from almanac.accounts.model import Principal
from almanac.desks.newsletter.exports.html import mail_of
from almanac.desks.newsletter.issue import issue_of
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.errors import Conflict
from almanac.kit.ids import new_id
from almanac.kit.text import shorten
from almanac.mail.address import Address
from almanac.mail.message import SUBJECT_CHARACTERS, Message
from almanac.services import Services

TOPIC = "newsletter-test"


async def send_test(services: Services, principal: Principal, code: str) -> str:
    """Queue the copy; the answer is the mail's id. Each wish is a mail of its own."""
    full = await open_newsletter(services, principal, code)
    if not full.draft.draft.word_count:
        raise Conflict("There is nothing to send yet; write the draft first.")
    today = services.clock.now().date()
    mail = await asyncio.to_thread(lambda: mail_of(issue_of(full, today)))
    message = Message(
        to=(Address(principal.email, principal.name),),
        subject=shorten(f"Test: {mail.subject}", SUBJECT_CHARACTERS),
        text=mail.text,
        html=mail.html,
        topic=TOPIC,
    )
    async with services.database.unit() as unit:
        queued = await services.mailer.queue(message, key=f"newsletter-test:{code}:{new_id()}", unit=unit)
    return queued.id
