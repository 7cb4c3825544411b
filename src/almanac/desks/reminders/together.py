"""Deciding about many drafts at once: each as it was seen, a verdict for each, kept for a while and undone as one.

A batch names every draft with the hash of what the person saw. There is no deciding about whatever fits a filter.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from almanac.accounts.model import Principal
from almanac.approvals.rules import check_note
from almanac.desks.reminders import sending, store
from almanac.desks.reminders.bulk import BATCHES
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.moves import check_snooze
from almanac.desks.reminders.sending.deciding import APPROVE, READ
from almanac.desks.reminders.service.drafting import MOST_AT_ONCE
from almanac.errors import AlmanacError, InputError, NotFound, Retryable
from almanac.kit.ids import new_id
from almanac.services import Services

_AT_A_TIME = 5

Decision = Literal["approved", "rejected", "snoozed"]


class Chosen(msgspec.Struct, frozen=True):
    """One draft and the hash of what was seen of it."""

    draft_id: str
    seen: str


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one draft of a batch: how it stands, and the reason where it was left as it was."""

    draft_id: str
    customer_name: str = ""
    state: DraftState | None = None
    decided: bool = False
    reason: str = ""


class Batch(msgspec.Struct, frozen=True):
    """What was decided about drafts together, and what became of each."""

    decision: Decision
    verdicts: list[Verdict]


Decide = Callable[[Chosen], Awaitable[Draft]]


def parse_chosen(values: Iterable[str]) -> list[Chosen]:
    """What the boxes of a list say: a draft's id and the hash of what was shown."""
    pairs = (value.rpartition(" ") for value in values)
    return [Chosen(draft_id, seen) for draft_id, _, seen in pairs if draft_id and seen]


async def look(services: Services, by: Principal, chosen: Sequence[Chosen]) -> list[tuple[Chosen, Draft | None]]:
    """The chosen drafts as they stand now."""
    by.require(READ)
    return [(one, await find_chosen(services, one.draft_id)) for one in _checked(chosen)]


async def find_chosen(services: Services, draft_id: str) -> Draft | None:
    """A draft as it stands now; None where it is no more, or where the id can't be one."""
    try:
        return await store.find_draft(services.tables, draft_id)
    except NotFound:
        return None


async def decide_each(services: Services, by: Principal, chosen: Sequence[Chosen], decide: Decide) -> list[Verdict]:
    """Decide about each as it was seen; an obstacle to one is no obstacle to the others."""
    by.require(APPROVE)
    slots = asyncio.Semaphore(_AT_A_TIME)

    async def verdict(one: Chosen) -> Verdict:
        async with slots:
            return await _verdict(services, one, decide)

    return list(await asyncio.gather(*(verdict(one) for one in _checked(chosen))))


async def reject_many(services: Services, by: Principal, chosen: Sequence[Chosen], *, note: str) -> list[Verdict]:
    """Reject those that still wait as they were seen, all with one note for their authors."""
    check_note("rejected", note)
    return await decide_each(
        services, by, chosen,
        lambda one: sending.reject(services, by, one.draft_id, seen=one.seen, note=note, only_waiting=True),
    )  # fmt: skip


async def snooze_many(services: Services, by: Principal, chosen: Sequence[Chosen], *, until: datetime) -> list[Verdict]:
    """Take those that still wait as they were seen out of the queue until a moment."""
    check_snooze(until, services.clock.now())
    return await decide_each(
        services, by, chosen, lambda one: sending.snooze(services, by, one.draft_id, until=until, seen=one.seen)
    )


def _checked(chosen: Sequence[Chosen]) -> Sequence[Chosen]:
    if not chosen:
        raise InputError("Choose at least one draft.")
    if len(chosen) > MOST_AT_ONCE:
        raise InputError(f"Decide about at most {MOST_AT_ONCE} drafts at once.")
    return list(dict.fromkeys(chosen))


async def _verdict(services: Services, one: Chosen, decide: Decide) -> Verdict:
    try:
        draft = await decide(one)
    except Retryable:
        raise
    except AlmanacError as error:
        known = await find_chosen(services, one.draft_id)
        name, state = (known.customer_name, known.state) if known else ("", None)
        return Verdict(draft_id=one.draft_id, customer_name=name, state=state, reason=error.sentence)
    return Verdict(draft_id=one.draft_id, customer_name=draft.customer_name, state=draft.state, decided=True)


async def keep(services: Services, decision: Decision, verdicts: list[Verdict]) -> str:
    """Keep the verdicts, so that they can be looked at and undone; the answer is the batch's id."""
    batch = new_id()
    await services.objects.put(_key(batch), msgspec.json.encode(Batch(decision, verdicts)))
    return batch


async def get_batch(services: Services, by: Principal, batch: str) -> Batch:
    """What became of every draft of a batch."""
    by.require(READ)
    if not batch or "/" in batch:
        raise NotFound("There is no such batch.")
    return msgspec.json.decode(await services.objects.get(_key(batch)), type=Batch)


async def undo_batch(services: Services, by: Principal, batch: str) -> tuple[int, int]:
    """Take a batch back as far as its drafts still stand as it left them: how many are back, and how many are not."""
    by.require(APPROVE)
    known = await get_batch(services, by, batch)
    outcomes = [await _undone(services, by, one.draft_id, known.decision) for one in known.verdicts if one.decided]
    return sum(outcomes), len(outcomes) - sum(outcomes)


async def _undone(services: Services, by: Principal, draft_id: str, decision: Decision) -> bool:
    known = await find_chosen(services, draft_id)
    if known is None or known.state not in (decision, "draft"):
        # Somebody decided otherwise meanwhile, or it is on its way.
        return False
    try:
        await sending.reopen(services, by, draft_id)
    except Retryable:
        raise
    except AlmanacError:
        # It left, or another draft took its turn; the page says how each one stands.
        return False
    return True


def _key(batch: str) -> str:
    return f"{BATCHES}/{batch}.decided.json"
