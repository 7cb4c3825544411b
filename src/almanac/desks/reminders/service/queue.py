"""The drafts as people see them: those that wait for a decision, those in doubt, and one with its exact mail."""

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.sending.deciding import APPROVE, READ, SEND
from almanac.http.desk import MOST_WAITING
from almanac.kit.paging import Page
from almanac.services import Services


async def list_drafts(
    services: Services, by: Principal, state: DraftState = "draft", *, limit: int = 25, cursor: str | None = None
) -> Page[Draft]:
    """Drafts in one state, the oldest first. `unknown` are those of which nobody knows whether they left."""
    by.require(READ)
    return await store.list_drafts(services.tables, state, limit=limit, cursor=cursor)


async def get_draft(services: Services, by: Principal, draft_id: str) -> Draft:
    """One draft; one that was sent is not a draft any more."""
    by.require(READ)
    return await store.get_draft(services.tables, draft_id)


async def count_waiting(services: Services, by: Principal) -> int:
    """How many reminders wait for this person: to be approved, and to be settled."""
    waiting = await store.count_drafts(services.tables, "draft", upto=MOST_WAITING) if by.may(APPROVE) else 0
    return waiting + (await store.count_drafts(services.tables, "unknown", upto=MOST_WAITING) if by.may(SEND) else 0)
