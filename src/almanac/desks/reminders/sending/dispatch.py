"""Handing an approved reminder to the mail, once.

First the table says `sending`, in the transaction that looks at debt, approval and ladder again. Only then is the mail
queued, under a key that belongs to this draft alone. Each step can be repeated after a crash at any point.
"""

from collections.abc import Mapping

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import CANCELLED
from almanac.desks.reminders.model import moves
from almanac.desks.reminders.model.deciding import Case
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.sending.deciding import SEND, Occasion, change_and_tell
from almanac.desks.reminders.sending.following import Standing, follow, message_of, standing_of
from almanac.services import Services

_TOLD: Mapping[DraftState, str] = {"sending": "reminder.dispatched", "cancelled": CANCELLED}


async def send(services: Services, by: Principal, draft: str) -> Standing:
    """Send a draft that is approved, and say how it stands then. One that is under way already is followed."""
    by.require(SEND)
    known = await store.find_draft(services.tables, draft)
    if known is None:
        return Standing(draft, "gone", "It was sent, or its time is over.")
    if known.state in ("sending", "unknown"):
        return await follow(services, draft)
    begun = await begin(services, by, known)
    if begun.state not in ("sending", "unknown"):
        return standing_of(begun)
    return await follow(services, draft, just_decided=True)


async def begin(services: Services, by: Principal, draft: Draft) -> Draft:
    """The transition to `sending`, or what takes its place when something no longer holds."""
    message_of(draft)
    template = draft.wording.template_id
    newest = await store.latest_template(services.tables, template) if template else None

    def change(known: Draft, case: Case, at: Occasion) -> Draft:
        if known.state in ("sending", "unknown"):
            return known
        version = newest.version if newest else None
        return moves.begin_sending(known, case, at.rules, at.now, newest_template=version)

    return await change_and_tell(services, by, draft.id, change, lambda _, after: _TOLD.get(after.state))
