"""Opting out of reminders by the link in one of them, without signing in."""

from dataclasses import replace

from almanac.accounts.model import AUTOMATION
from almanac.audit.model import Deed, Subject
from almanac.desks.reminders import store
from almanac.desks.reminders.events import OPTED_OUT, tell
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.notice import notice_of
from almanac.desks.reminders.sending.deciding import rules_of
from almanac.desks.reminders.sending.following import reconsider
from almanac.desks.reminders.sending.opting_out import customer_of_link
from almanac.desks.reminders.store.ledger import follow_holds
from almanac.errors import StaleEdit, Unavailable
from almanac.services import Services

_ATTEMPTS = 20


async def opt_out(services: Services, token: str) -> Customer:
    """No reminders any more: what is not sent yet is taken back. Doing so twice is fine."""
    customer_id = customer_of_link(services, token)
    deed = Deed(AUTOMATION.actor, OPTED_OUT, Subject("reminders.customer", customer_id))
    notice = notice_of(services.clock.now(), deed)
    for _ in range(_ATTEMPTS):
        known = await store.get_customer(services.tables, customer_id)
        if known.opted_out:
            return known
        try:
            saved = await store.save_customer(services.tables, replace(known, opted_out=True), notice)
        except StaleEdit:
            continue
        await follow_holds(services.tables, customer_id, rules=await rules_of(services), now=services.clock.now())
        await reconsider(services, customer_id)
        await tell(services, notice)
        return saved
    raise Unavailable("This is being changed by others right now; open the link again in a moment.")
