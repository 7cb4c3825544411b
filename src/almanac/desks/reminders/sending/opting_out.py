"""The link by which a customer opts out of reminders: made for each mail, and honoured without signing in."""

from dataclasses import replace

from almanac.accounts.model import AUTOMATION
from almanac.audit.model import Subject
from almanac.desks.reminders import store
from almanac.desks.reminders.announcing import OPTED_OUT, announce
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.sending.deciding import rules_of
from almanac.desks.reminders.store.ledger import follow_holds
from almanac.errors import InputError, StaleEdit, Unavailable
from almanac.kit.paging import decode_cursor, encode_cursor
from almanac.services import Services

PATH = "/reminders/opt-out"
_PURPOSE = "reminders opt-out"
_ATTEMPTS = 20


def opt_out_url(services: Services, customer_id: str) -> str:
    """The page on which this customer opts out; a POST to it does so at once. It never expires."""
    token = encode_cursor([customer_id], of=_PURPOSE, key=services.key(_PURPOSE))
    return f"{services.settings.public_url.rstrip('/')}{PATH}/{token}"


def read_opt_out(services: Services, token: str) -> str:
    """Whose link it is; one that we did not make is an InputError."""
    try:
        (customer_id,) = decode_cursor(token, of=_PURPOSE, key=services.key(_PURPOSE))
    except ValueError as error:
        raise InputError("This link is damaged; copy it whole from the mail, or reply to the mail.") from error
    return str(customer_id)


async def opt_out(services: Services, token: str) -> Customer:
    """No reminders any more; what is not sent yet is taken back by the caller. Doing so twice is fine."""
    customer_id = read_opt_out(services, token)
    for _ in range(_ATTEMPTS):
        known = await store.get_customer(services.tables, customer_id)
        if known.opted_out:
            return known
        try:
            saved = await store.save_customer(services.tables, replace(known, opted_out=True))
        except StaleEdit:
            continue
        await follow_holds(services.tables, customer_id, rules=await rules_of(services), now=services.clock.now())
        await announce(services, AUTOMATION, OPTED_OUT, Subject("reminders.customer", customer_id), {})
        return saved
    raise Unavailable("This is being changed by others right now; open the link again in a moment.")
