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
from almanac.desks.reminders.bulk import BATCHES, read_batch
from almanac.desks.reminders.events import tell
from almanac.desks.reminders.model.draft import Draft, split_draft_id
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.moves import check_snooze
from almanac.desks.reminders.sending.deciding import APPROVE, READ, Occasion, present_occasion
from almanac.desks.reminders.service.drafting import MOST_AT_ONCE
from almanac.errors import AlmanacError, InputError, NotFound, Retryable
from almanac.kit.ids import new_id
from almanac.services import Services

_AT_A_TIME = 25

Decision = Literal["approved", "rejected", "snoozed"]


class Chosen(msgspec.Struct, frozen=True):
    """One draft and the hash of what was seen of it."""

    draft_id: str
    seen: str


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one draft of a batch: how it stands, and the reason where it was left as it was."""

    draft_id: str
    state: DraftState | None = None
    decided: bool = False
    reason: str = ""

    @property
    def customer_id(self) -> str:
        """Whose draft it is, or nothing where its id can't be one."""
        try:
            return split_draft_id(self.draft_id)[1]
        except NotFound:
            return ""


class Batch(msgspec.Struct, frozen=True):
    """What was decided about drafts together, and what became of each."""

    decision: Decision
    verdicts: list[Verdict]


Decide = Callable[[Chosen, Occasion], Awaitable[Draft]]


def parse_chosen(values: Iterable[str]) -> list[Chosen]:
    """What the boxes of a list say: a draft's id and the hash of what was shown."""
    pairs = (value.rpartition(" ") for value in values)
    return [Chosen(draft_id, seen) for draft_id, _, seen in pairs if draft_id and seen]


async def look(services: Services, by: Principal, chosen: Sequence[Chosen]) -> list[tuple[Chosen, Draft | None]]:
    """The chosen drafts as they stand now."""
    by.require(READ)
    wanted = _checked(chosen)
    found = await store.drafts_among(services.tables, [one.draft_id for one in wanted])
    return [(one, found.get(one.draft_id)) for one in wanted]


async def decide_each(services: Services, by: Principal, chosen: Sequence[Chosen], decide: Decide) -> list[Verdict]:
    """Decide about each as it was seen; an obstacle to one is no obstacle to the others.

    Each is a transaction of its own. What there is to tell is told in one, when all are decided.
    """
    by.require(APPROVE)
    occasion, slots = await present_occasion(services), asyncio.Semaphore(_AT_A_TIME)

    async def verdict(one: Chosen) -> Verdict:
        async with slots:
            return await _verdict(services, one, decide, occasion)

    outcomes = await asyncio.gather(*(verdict(one) for one in _checked(chosen)), return_exceptions=True)
    await tell(services, *occasion.untold)
    return [_known(outcome) for outcome in outcomes]


def _known(outcome: Verdict | BaseException) -> Verdict:
    """What kept one from being decided at all is raised after the others were decided and told of."""
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


async def reject_many(services: Services, by: Principal, chosen: Sequence[Chosen], *, note: str) -> list[Verdict]:
    """Reject those that still wait as they were seen, all with one note for their authors."""
    check_note("rejected", note)

    def reject(one: Chosen, occasion: Occasion) -> Awaitable[Draft]:
        return sending.reject(
            services, by, one.draft_id, seen=one.seen, note=note, only_waiting=True, occasion=occasion
        )

    return await decide_each(services, by, chosen, reject)


async def snooze_many(services: Services, by: Principal, chosen: Sequence[Chosen], *, until: datetime) -> list[Verdict]:
    """Take those that still wait as they were seen out of the queue until a moment."""
    check_snooze(until, services.clock.now())

    def snooze(one: Chosen, occasion: Occasion) -> Awaitable[Draft]:
        return sending.snooze(services, by, one.draft_id, until=until, seen=one.seen, occasion=occasion)

    return await decide_each(services, by, chosen, snooze)


def _checked(chosen: Sequence[Chosen]) -> Sequence[Chosen]:
    if not chosen:
        raise InputError("Choose at least one draft.")
    if len(chosen) > MOST_AT_ONCE:
        raise InputError(f"Decide about at most {MOST_AT_ONCE} drafts at once.")
    return list(dict.fromkeys(chosen))


async def _verdict(services: Services, one: Chosen, decide: Decide, occasion: Occasion) -> Verdict:
    try:
        draft = await decide(one, occasion)
    except Retryable:
        raise
    except AlmanacError as error:
        known = (await store.drafts_among(services.tables, [one.draft_id])).get(one.draft_id)
        return Verdict(draft_id=one.draft_id, state=known.state if known else None, reason=error.sentence)
    return Verdict(draft_id=one.draft_id, state=draft.state, decided=True)


async def keep(services: Services, decision: Decision, verdicts: list[Verdict]) -> str:
    """Keep the verdicts, so that they can be looked at and undone; the answer is the batch's id."""
    batch = new_id()
    await services.objects.put(f"{BATCHES}/{_name(batch)}", msgspec.json.encode(Batch(decision, verdicts)))
    return batch


async def get_batch(services: Services, by: Principal, batch: str) -> Batch:
    """What became of every draft of a batch."""
    by.require(READ)
    return msgspec.json.decode(await read_batch(services, _name(batch)), type=Batch)


async def undo_batch(services: Services, by: Principal, batch: str) -> tuple[int, int]:
    """Take a batch back as far as its drafts still stand as it left them: how many are back, and how many are not."""
    by.require(APPROVE)
    known = await get_batch(services, by, batch)
    decided = [Chosen(one.draft_id, "") for one in known.verdicts if one.decided]
    if not decided:
        return 0, 0

    def reopen(one: Chosen, occasion: Occasion) -> Awaitable[Draft]:
        return sending.reopen(services, by, one.draft_id, only_from=known.decision, occasion=occasion)

    back = sum(one.decided for one in await decide_each(services, by, decided, reopen))
    return back, len(decided) - back


def _name(batch: str) -> str:
    return f"{batch}.decided.json"
