"""How many drafts are in a state. Every page of the product tells it, so it is counted once for a moment's pages."""

from almanac.desks.reminders import table
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.store.standing import Standing
from tablature.async_database import AsyncDatabase

_COUNTS: Standing[int] = Standing(seconds=1.0)


async def count_drafts(tables: AsyncDatabase, state: DraftState, *, upto: int) -> int:
    """How many drafts are in one state. Counting reads them, so it stops at a number."""
    query = table.EmailDraft.with_status(status=state)
    return await _COUNTS.get(tables, (state, upto), lambda: tables.count(query, upto=upto))
