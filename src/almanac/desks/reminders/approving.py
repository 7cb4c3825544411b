"""Approving: what a batch would send before it does, and drafts that go out when the time to undo them is over."""

from collections import Counter
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.desks.reminders import sending
from almanac.desks.reminders.jobs import approve_and_send, queue_sending
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.moves import not_waiting
from almanac.desks.reminders.sending.deciding import SEND, Occasion
from almanac.desks.reminders.together import Chosen, Verdict, decide_each, look
from almanac.kit.money import Money
from almanac.services import Services

UNDO_FOR = timedelta(seconds=30)


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


async def review(services: Services, by: Principal, chosen: Sequence[Chosen]) -> Review:
    """Look at what approving these would do; nothing is written."""
    looked = await look(services, by, chosen)
    going = [draft for one, draft in looked if draft is not None and not _obstacle(draft, one.seen)]
    left = [
        (draft.customer_name if draft else one.draft_id, _obstacle(draft, one.seen))
        for one, draft in looked
        if _obstacle(draft, one.seen)
    ]
    return Review(tuple(going), tuple(left))


def _obstacle(draft: Draft | None, seen: str) -> str:
    if draft is None:
        return "It was sent, or its time is over."
    if draft.state == "draft" and draft.outdated:
        return f"{draft.outdated} Write it anew first."
    return not_waiting(draft, seen)


def time_to_undo(by: Principal) -> timedelta | None:
    """How long after an approval by this person the reminder goes out; None where somebody else must send it."""
    return UNDO_FOR if by.may(SEND) else None


async def approve_one(
    services: Services, by: Principal, draft_id: str, *, seen: str, note: str = "", send_after: timedelta | None
) -> Draft:
    """Approve what was seen; with `send_after` it goes out by itself then."""
    if send_after is None:
        return await sending.approve(services, by, draft_id, seen=seen, note=note)
    return await approve_and_send(services, by, draft_id, seen=seen, note=note, after=send_after)


async def approve_many(
    services: Services, by: Principal, chosen: Sequence[Chosen], *, note: str = "", send_after: timedelta | None
) -> list[Verdict]:
    """Approve each as it was seen. With `send_after`, which needs the right to send, all go out by themselves then."""

    def approve(one: Chosen, occasion: Occasion) -> Awaitable[Draft]:
        return sending.approve(
            services, by, one.draft_id, seen=one.seen, note=note, send_after=send_after, occasion=occasion
        )

    verdicts = await decide_each(services, by, chosen, approve)
    if send_after is not None:
        await queue_sending(services, [one.draft_id for one in verdicts if one.decided], send_after)
    return verdicts
