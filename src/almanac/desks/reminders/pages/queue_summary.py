"""How much is in the queue: the states with their counts, and number and sums of the drafts in one of them."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from almanac.desks.reminders import store
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.labels import STATES
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.pages.layout import PREFIX
from almanac.http.desk import MAX_COUNTED
from almanac.kit.money import Money
from almanac.services import Services
from tablature.kept_reads import KeptReads

# States whose counts are always shown: somebody must act on them.
COUNTED: tuple[DraftState, ...] = ("draft", "unknown", "failed")
MAX_SUMMED = 200
StateFacet = tuple[str, int | str | None, str, bool]


@dataclass(frozen=True, slots=True)
class QueueSummary:
    """The states as links with counts; number and sums of the shown state, which may have more than was counted."""

    facets: list[StateFacet]
    count: int
    has_more: bool
    amounts: list[Money]


_SUMS: KeptReads[tuple[int, bool, list[Money]]] = KeptReads()


async def load_summary(
    services: Services, shown: DraftState, listed: list[ReminderDraft] | None = None
) -> QueueSummary:
    """The summary as of now. `listed` are all drafts of the state, for callers who have them."""
    if listed is not None:
        count, has_more, amounts = len(listed), False, sum_drafts(listed)
    else:
        count, has_more, amounts = await _SUMS.get(services.tables, shown, lambda: _read_sums(services, shown))
    others = [state for state in COUNTED if state != shown]
    numbers = await asyncio.gather(*(store.count_drafts(services.tables, state, upto=MAX_COUNTED) for state in others))
    counts: dict[DraftState, int | str] = {
        state: number if number < MAX_COUNTED else f"{MAX_COUNTED}+"
        for state, number in zip(others, numbers, strict=True)
    }
    counts[shown] = f"{count}+" if has_more else count
    facets = [(words, counts.get(state), state_url(state), state == shown) for state, words in STATES.items()]
    return QueueSummary(facets, count, has_more, amounts)


async def _read_sums(services: Services, shown: DraftState) -> tuple[int, bool, list[Money]]:
    page = await store.list_drafts(services.tables, shown, limit=MAX_SUMMED)
    return len(page.items), page.next_cursor is not None, sum_drafts(page.items)


def sum_drafts(drafts: Iterable[ReminderDraft]) -> list[Money]:
    """What the drafts ask for, by currency."""
    totals: dict[str, Money] = {}
    for draft in drafts:
        if draft.facts:
            amount = draft.facts.amount
            totals[amount.currency] = totals.get(amount.currency, Money.zero(amount.currency)) + amount
    return [totals[currency] for currency in sorted(totals)]


def state_url(state: DraftState) -> str:
    """The queue of one state."""
    return PREFIX if state == "draft" else f"{PREFIX}?state={state}"
