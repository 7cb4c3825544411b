"""Approving many drafts at once: what would go out, decided draft by draft on exactly what was seen, and undone.

A batch names every draft with the hash of what the person saw. There is no approving of whatever fits a filter.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import msgspec

from almanac.accounts.model import Principal
from almanac.desks.reminders import sending, store
from almanac.desks.reminders.bulk import BATCHES
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.sending.deciding import APPROVE, READ, SEND
from almanac.desks.reminders.service.drafting import MOST_AT_ONCE
from almanac.desks.reminders.tasks import approve_and_send
from almanac.errors import AlmanacError, InputError, NotFound, Retryable
from almanac.kit.ids import new_id
from almanac.kit.money import Money
from almanac.services import Services

UNDO_FOR = timedelta(seconds=30)
_AT_A_TIME = 5
_CHANGED = "It changed after you looked at it; look again, then decide."


class Chosen(msgspec.Struct, frozen=True):
    """One draft and the hash of what was seen of it."""

    draft_id: str
    seen: str


@dataclass(frozen=True, slots=True)
class Review:
    """What a batch would send, and what it would leave out with the reason."""

    going: tuple[Draft, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def amounts(self) -> list[Money]:
        """What is asked for, by currency."""
        sums: dict[str, Money] = {}
        for facts in (draft.facts for draft in self.going if draft.facts):
            sums[facts.currency] = sums.get(facts.currency, Money.zero(facts.currency)) + facts.amount
        return [sums[currency] for currency in sorted(sums)]

    @property
    def levels(self) -> dict[str, int]:
        return dict(Counter(draft.level for draft in self.going))

    @property
    def customers(self) -> int:
        return len({draft.customer_id for draft in self.going})

    @property
    def recipients(self) -> int:
        return sum(len(draft.wording.recipients) for draft in self.going)


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one draft of a batch; a reason where it was not approved."""

    draft_id: str
    customer_name: str = ""
    approved: bool = False
    reason: str = ""


async def review(services: Services, by: Principal, chosen: Sequence[Chosen]) -> Review:
    """Look at what approving these would do; nothing is written."""
    by.require(READ)
    looked = [(one, await store.find_draft(services.tables, one.draft_id)) for one in _checked(chosen)]
    going = [draft for one, draft in looked if draft is not None and not _obstacle(draft, one.seen)]
    left = [
        (draft.customer_name if draft else one.draft_id, _obstacle(draft, one.seen))
        for one, draft in looked
        if _obstacle(draft, one.seen)
    ]
    return Review(tuple(going), tuple(left))


def _checked(chosen: Sequence[Chosen]) -> Sequence[Chosen]:
    if not chosen:
        raise InputError("Choose at least one draft.")
    if len(chosen) > MOST_AT_ONCE:
        raise InputError(f"Approve at most {MOST_AT_ONCE} drafts at once.")
    return chosen


def _obstacle(draft: Draft | None, seen: str) -> str:
    if draft is None:
        return "It was sent, or its time is over."
    if draft.state != "draft":
        return f"It is {draft.state} already."
    if draft.outdated:
        return f"{draft.outdated} Write it anew first."
    return "" if draft.content_hash == seen else _CHANGED


async def approve_one(services: Services, by: Principal, draft_id: str, *, seen: str) -> Draft:
    """Approve what was seen. By somebody who may send, it goes out when the time to undo it is over."""
    if by.may(SEND):
        return await approve_and_send(services, by, draft_id, seen=seen, after=UNDO_FOR)
    return await sending.approve(services, by, draft_id, seen=seen)


async def approve_many(services: Services, by: Principal, chosen: Sequence[Chosen]) -> str:
    """Approve each as it was seen; the answer is the batch under which the verdicts are kept."""
    by.require(APPROVE)
    slots = asyncio.Semaphore(_AT_A_TIME)

    async def decide(one: Chosen) -> Verdict:
        async with slots:
            return await _verdict(services, by, one)

    verdicts = await asyncio.gather(*(decide(one) for one in _checked(chosen)))
    batch = new_id()
    await services.objects.put(_key(batch), msgspec.json.encode(verdicts))
    return batch


async def _verdict(services: Services, by: Principal, one: Chosen) -> Verdict:
    """An obstacle to one is no obstacle to the others."""
    try:
        approved = await approve_one(services, by, one.draft_id, seen=one.seen)
    except Retryable:
        raise
    except AlmanacError as error:
        draft = await store.find_draft(services.tables, one.draft_id)
        return Verdict(draft_id=one.draft_id, customer_name=draft.customer_name if draft else "", reason=error.sentence)
    return Verdict(draft_id=one.draft_id, customer_name=approved.customer_name, approved=True)


async def verdicts_of(services: Services, by: Principal, batch: str) -> list[Verdict]:
    """What became of every draft of a batch."""
    by.require(READ)
    if not batch or "/" in batch:
        raise NotFound("There is no such batch.")
    return msgspec.json.decode(await services.objects.get(_key(batch)), type=list[Verdict])


async def undo_many(services: Services, by: Principal, batch: str) -> tuple[int, int]:
    """Take the approvals of a batch back as far as nothing is being sent: how many are back, and how many are not."""
    by.require(APPROVE)
    outcomes = [await _undone(services, by, one) for one in await verdicts_of(services, by, batch) if one.approved]
    return sum(outcomes), len(outcomes) - sum(outcomes)


async def _undone(services: Services, by: Principal, one: Verdict) -> bool:
    try:
        await sending.reopen(services, by, one.draft_id)
    except Retryable:
        raise
    except AlmanacError:
        # It is on its way or was sent; the page says how each one stands.
        return False
    return True


def _key(batch: str) -> str:
    return f"{BATCHES}/{batch}.approved.json"


def parse_chosen(values: Iterable[str]) -> list[Chosen]:
    """What the boxes of a list say: a draft's id and the hash of what was shown."""
    pairs = (value.rpartition(" ") for value in values)
    return [Chosen(draft_id, seen) for draft_id, _, seen in pairs if draft_id and seen]
