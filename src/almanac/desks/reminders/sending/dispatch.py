"""Handing an approved reminder to the mail, once.

First the table says `sending`, in the transaction that looks at debt, approval and ladder again. Only then is the mail
queued, under a key that belongs to this draft alone. Each step can be repeated after a crash at any point.
"""

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.announcing import announce_draft
from almanac.desks.reminders.model import moves
from almanac.desks.reminders.model.deciding import Case
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.sending.deciding import SEND, rules_of
from almanac.desks.reminders.sending.following import Standing, follow, message_of, standing_of
from almanac.services import Services


async def send(services: Services, by: Principal, draft: str) -> Standing:
    """Send a draft that is approved, and say how it stands then. One that is under way already is followed."""
    by.require(SEND)
    known = await store.find_draft(services.tables, draft)
    if known is None:
        return Standing(draft, "gone", "It was sent, or its time is over.")
    if known.state in ("sending", "unknown"):
        return await follow(services, draft)
    begun = await begin(services, known)
    if begun.state not in ("sending", "unknown"):
        return standing_of(begun)
    await announce_draft(services, by, "reminder.dispatched", begun)
    return await follow(services, draft, just_decided=True)


async def begin(services: Services, draft: Draft) -> Draft:
    """The transition to `sending`, or what takes its place when something no longer holds."""
    rules, now = await rules_of(services), services.clock.now()
    message_of(draft)
    template = draft.wording.template_id
    newest = await store.latest_template(services.tables, template) if template else None

    def change(known: Draft, case: Case) -> Draft:
        if known.state in ("sending", "unknown"):
            return known
        return moves.begin_sending(known, case, rules, now, newest_template=newest.version if newest else None)

    return await store.change_draft(services.tables, draft.id, change, rules=rules, now=now)
