"""Work on many drafts at once: approve, reject, snooze or undo up to a hundred, and draft for many customers.

A batch names every draft with the hash of the content that the person saw. Nothing is decided by a mere filter.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from almanac.accounts.model import Principal
from almanac.approvals.rules import check_note
from almanac.desks.reminders import store
from almanac.desks.reminders.events import publish_events
from almanac.desks.reminders.jobs import DRAFT_MANY, StartedJob
from almanac.desks.reminders.model.draft import ReminderDraft, split_draft_id
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.transitions import check_snooze, why_not_waiting
from almanac.desks.reminders.permissions import APPROVE, READ, WRITE
from almanac.desks.reminders.pipeline.context import BATCHES_FOLDER, DecisionContext, load_decision_context
from almanac.desks.reminders.pipeline.drafts import MAX_BATCH_SIZE, DraftOutcome, WritingMethod
from almanac.desks.reminders.service.decisions import (
    queue_sending,
    record_approval,
    reject_draft,
    reopen_draft,
    snooze_draft,
)
from almanac.desks.reminders.service.plans import list_due_customers
from almanac.errors import AlmanacError, InputError, NotFound, Retryable
from almanac.kit.ids import Seed, new_id
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.kit.money import Money
from almanac.services import Services

_CONCURRENCY = 25

BatchDecision = Literal["approved", "rejected", "snoozed"]


class SeenDraft(msgspec.Struct, frozen=True):
    """A draft's id and the hash of the content that the person saw."""

    draft_id: str
    seen: str


class DecisionOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result for one draft of a batch: its state now, and the reason if it was not decided."""

    draft_id: str
    state: DraftState | None = None
    decided: bool = False
    reason: str = ""

    @property
    def customer_id(self) -> str:
        """Whose draft it is; empty if the id isn't valid."""
        try:
            return split_draft_id(self.draft_id)[1]
        except NotFound:
            return ""


class DecisionBatch(msgspec.Struct, frozen=True):
    """One decision about many drafts, with the outcome of each."""

    decision: BatchDecision
    verdicts: list[DecisionOutcome]


DecideOne = Callable[[SeenDraft, DecisionContext], Awaitable[ReminderDraft]]


@dataclass(frozen=True, slots=True)
class BatchReview:
    """What a batch would send, and what it would leave out with the reason."""

    to_send: tuple[ReminderDraft, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def amounts(self) -> list[Money]:
        """What is asked for, by currency."""
        sums: dict[str, Money] = {}
        for facts in (draft.facts for draft in self.to_send if draft.facts):
            sums[facts.currency] = sums.get(facts.currency, Money.zero(facts.currency)) + facts.amount
        return [sums[currency] for currency in sorted(sums)]

    @property
    def levels(self) -> dict[str, int]:
        return dict(Counter(draft.level for draft in self.to_send))

    @property
    def customers(self) -> int:
        return len({draft.customer_id for draft in self.to_send})

    @property
    def recipients(self) -> int:
        return sum(len(draft.wording.recipients) for draft in self.to_send)


def parse_selection(values: Iterable[str]) -> list[SeenDraft]:
    """The checked boxes of a list, each "draft-id hash"; values that aren't are ignored."""
    pairs = (value.rpartition(" ") for value in values)
    return [SeenDraft(draft_id, seen) for draft_id, _, seen in pairs if draft_id and seen]


async def load_selection(
    services: Services, by: Principal, selection: Sequence[SeenDraft]
) -> list[tuple[SeenDraft, ReminderDraft | None]]:
    """The selected drafts as they are now; None for those that no longer exist."""
    by.require(READ)
    checked = _check_selection(selection)
    drafts = await store.find_drafts(services.tables, [item.draft_id for item in checked])
    return [(item, drafts.get(item.draft_id)) for item in checked]


def _check_selection(selection: Sequence[SeenDraft]) -> Sequence[SeenDraft]:
    if not selection:
        raise InputError(gettext("Choose at least one draft."))
    if len(selection) > MAX_BATCH_SIZE:
        raise InputError(gettext("Decide about at most %(limit)s drafts at once.", limit=MAX_BATCH_SIZE))
    return list(dict.fromkeys(selection))


async def review_batch(services: Services, by: Principal, selection: Sequence[SeenDraft]) -> BatchReview:
    """What approving these would send; nothing is written."""
    pairs = await load_selection(services, by, selection)
    to_send = [draft for item, draft in pairs if draft is not None and not _why_left_out(draft, item.seen)]
    left_out = [
        (draft.customer_name if draft else item.draft_id, _why_left_out(draft, item.seen))
        for item, draft in pairs
        if _why_left_out(draft, item.seen)
    ]
    return BatchReview(tuple(to_send), tuple(left_out))


def _why_left_out(draft: ReminderDraft | None, seen: str) -> str:
    if draft is None:
        return gettext("It was sent, or it expired.")
    if draft.state == "draft" and draft.outdated:
        return gettext("%(outdated)s Rewrite it first.", outdated=draft.outdated)
    return why_not_waiting(draft, seen)


async def approve_many(
    services: Services, by: Principal, selection: Sequence[SeenDraft], *, note: str = "", send_after: timedelta | None
) -> list[DecisionOutcome]:
    """Approve each as it was seen. With `send_after`, which needs the permission to send, jobs send them then."""

    def approve(item: SeenDraft, context: DecisionContext) -> Awaitable[ReminderDraft]:
        return record_approval(
            services, by, item.draft_id, seen=item.seen, note=note, send_after=send_after, context=context
        )

    outcomes = await _decide_each(services, by, selection, approve)
    if send_after is not None:
        await queue_sending(services, [outcome.draft_id for outcome in outcomes if outcome.decided], send_after)
    return outcomes


async def reject_many(
    services: Services, by: Principal, selection: Sequence[SeenDraft], *, note: str
) -> list[DecisionOutcome]:
    """Reject those that still wait as they were seen, all with one note for their authors."""
    check_note("rejected", note)

    def reject(item: SeenDraft, context: DecisionContext) -> Awaitable[ReminderDraft]:
        return reject_draft(services, by, item.draft_id, seen=item.seen, note=note, only_waiting=True, context=context)

    return await _decide_each(services, by, selection, reject)


async def snooze_many(
    services: Services, by: Principal, selection: Sequence[SeenDraft], *, until: datetime
) -> list[DecisionOutcome]:
    """Take those that still wait as they were seen out of the queue until a moment."""
    check_snooze(until, services.clock.now())

    def snooze(item: SeenDraft, context: DecisionContext) -> Awaitable[ReminderDraft]:
        return snooze_draft(services, by, item.draft_id, until=until, seen=item.seen, context=context)

    return await _decide_each(services, by, selection, snooze)


async def _decide_each(
    services: Services, by: Principal, selection: Sequence[SeenDraft], decide: DecideOne
) -> list[DecisionOutcome]:
    """Decide about each draft in a transaction of its own; an error about one doesn't stop the others.

    Events are published together at the end. An error that isn't about a draft is raised after that.
    """
    by.require(APPROVE)
    context, slots = await load_decision_context(services), asyncio.Semaphore(_CONCURRENCY)

    async def decide_in_turn(item: SeenDraft) -> DecisionOutcome:
        async with slots:
            return await _decide_one(services, item, decide, context)

    outcomes = await asyncio.gather(
        *(decide_in_turn(item) for item in _check_selection(selection)), return_exceptions=True
    )
    await publish_events(services, *context.unpublished)
    return [_raise_failure(outcome) for outcome in outcomes]


def _raise_failure(outcome: DecisionOutcome | BaseException) -> DecisionOutcome:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


async def _decide_one(
    services: Services, item: SeenDraft, decide: DecideOne, context: DecisionContext
) -> DecisionOutcome:
    try:
        draft = await decide(item, context)
    except Retryable:
        raise
    except AlmanacError as error:
        current = (await store.find_drafts(services.tables, [item.draft_id])).get(item.draft_id)
        return DecisionOutcome(
            draft_id=item.draft_id, state=current.state if current else None, reason=str(error.sentence)
        )
    return DecisionOutcome(draft_id=item.draft_id, state=draft.state, decided=True)


async def save_batch(services: Services, decision: BatchDecision, outcomes: list[DecisionOutcome]) -> str:
    """Keep the outcomes so that they can be viewed and undone; returns the batch's id."""
    batch_id = new_id()
    content = encode_json(DecisionBatch(decision, outcomes))
    await services.objects.put(f"{BATCHES_FOLDER}/{_batch_name(batch_id)}", content)
    return batch_id


async def get_batch(services: Services, by: Principal, batch_id: str) -> DecisionBatch:
    """The outcome of every draft of a batch. NotFound if it doesn't exist or has expired."""
    by.require(READ)
    return msgspec.json.decode(await _read_batch(services, _batch_name(batch_id)), type=DecisionBatch)


async def undo_batch(services: Services, by: Principal, batch_id: str) -> tuple[int, int]:
    """Reopen those drafts of a batch that are still as it left them; returns how many were reopened, and were not."""
    by.require(APPROVE)
    batch = await get_batch(services, by, batch_id)
    decided = [SeenDraft(outcome.draft_id, "") for outcome in batch.verdicts if outcome.decided]
    if not decided:
        return 0, 0

    def reopen(item: SeenDraft, context: DecisionContext) -> Awaitable[ReminderDraft]:
        return reopen_draft(services, by, item.draft_id, only_from=batch.decision, context=context)

    back = sum(outcome.decided for outcome in await _decide_each(services, by, decided, reopen))
    return back, len(decided) - back


def _batch_name(batch_id: str) -> str:
    return f"{batch_id}.decided.json"


async def start_drafting(
    services: Services,
    by: Principal,
    customer_ids: Sequence[str] | None = None,
    *,
    how: WritingMethod = "template",
    seed: Seed | None = None,
) -> StartedJob:
    """Queue a job that drafts reminders for these customers, or for the first hundred who are due now."""
    by.require(WRITE)
    customers = (
        list(dict.fromkeys(customer_ids)) if customer_ids is not None else await list_due_customers(services, by)
    )
    if not customers:
        raise InputError(gettext("Nobody is due for a reminder now; the plan says why."))
    if len(customers) > MAX_BATCH_SIZE:
        raise InputError(gettext("Draft for at most %(limit)s customers at once.", limit=MAX_BATCH_SIZE))
    batch_id = seed.id("batch") if seed else new_id()
    args = {"batch_id": batch_id, "user_id": by.user_id, "customer_ids": customers, "how": how}
    lock = f"reminders.batch:{batch_id}"
    return StartedJob(batch_id, await services.jobs.defer(DRAFT_MANY, args, queueing_lock=lock))


async def get_draft_batch(services: Services, by: Principal, batch_id: str) -> list[DraftOutcome]:
    """The outcome of a finished drafting job for each customer and currency. NotFound until it has finished."""
    by.require(READ)
    return msgspec.json.decode(await _read_batch(services, f"{batch_id}.json"), type=list[DraftOutcome])


async def _read_batch(services: Services, name: str) -> bytes:
    try:
        if "/" not in name:
            return await services.objects.get(f"{BATCHES_FOLDER}/{name}")
    except NotFound:
        pass
    raise NotFound(gettext("This batch doesn't exist, hasn't finished, or is over a month old."))
