"""The drafts as people see them: those that wait for a decision, those in doubt, and one with its exact mail."""

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.sending.deciding import READ
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
