"""Every written sentence against the speeches it names; of several wordings the first one that holds is taken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from almanac.desks.recap.model.meeting import Meeting
from almanac.llm.sources import Cited
from almanac.verify import Claim, Verdict, check


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence to be: wordings in order of preference, and the orders of the speeches it rests on."""

    wordings: tuple[str, ...]
    orders: tuple[int, ...]


def draft(orders: tuple[int, ...] | int, *wordings: str) -> Draft:
    """A draft without empty or repeated wordings."""
    kept = tuple(dict.fromkeys(wording for wording in wordings if wording))
    return Draft(kept, (orders,) if isinstance(orders, int) else orders)


def settle(drafts: Sequence[Draft], meeting: Meeting) -> list[str | None]:
    """For each draft the first wording that its speeches support; None where they support none."""
    settled: list[str | None] = [None] * len(drafts)
    waiting = [number for number, each in enumerate(drafts) if each.wordings and each.orders]
    for attempt in range(max((len(each.wordings) for each in drafts), default=0)):
        waiting = [number for number in waiting if attempt < len(drafts[number].wordings)]
        tried = [(number, drafts[number].wordings[attempt], drafts[number].orders) for number in waiting]
        holds = _hold([(text, orders) for _, text, orders in tried], meeting)
        for (number, text, _), held in zip(tried, holds, strict=True):
            settled[number] = text if held else None
        waiting = [number for number in waiting if settled[number] is None]
    return settled


def orders_of(cited: Cited) -> tuple[int, ...]:
    """The orders of the speeches that a sentence names."""
    return tuple(sorted({int(reference.source) for reference in cited.references}))


def _hold(tried: Sequence[tuple[str, tuple[int, ...]]], meeting: Meeting) -> list[bool]:
    if not tried:
        return []
    claims = [Claim(text, tuple(map(str, orders))) for text, orders in tried]
    report = check(claims, sources(meeting, {order for _, orders in tried for order in orders}))
    return [checked.verdict is Verdict.SUPPORTED for checked in report.sentences]


def sources(meeting: Meeting, orders: set[int]) -> Mapping[str, str]:
    """The speeches as they stand in the record, by order."""
    return {
        str(order): meeting.by_order[order].text.replace("\r\n", "\n") for order in orders if order in meeting.by_order
    }
