"""Packs of whole speeches in order, each within a budget of tokens, and where finished packs are stored.

Every speech is in one pack exactly once; neighbours are shown beside it as context only.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

import msgspec

from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.kit.json_text import encode_json

DEFAULT_BUDGET = 24_000
SMALLEST_BUDGET = 1_000
CONTEXT = 2
SHRINK = 0.7
_ASCII_PER_TOKEN = 4

ProcessingMode = Literal["single_chunk", "chunked"]


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """The speeches one prompt is about. `part` counts the pieces of a speech that is too long for one, from 0.

    `start` and `end` say which characters of it; `before` and `after` are orders shown for context.
    """

    number: int
    orders: tuple[int, ...]
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    part: int | None = None
    start: int = 0
    end: int | None = None

    def key(self, meeting: Meeting, prompt_version: str) -> str:
        """The key under which the result of this pack is stored, for this record and prompt version."""
        identity = encode_json((meeting.digest, prompt_version, self.orders, self.start, self.end))
        return hashlib.sha256(identity).hexdigest()[:32]


class PackPlan(msgspec.Struct, frozen=True, kw_only=True):
    """All packs of a meeting, and the budget they were made for."""

    budget: int
    packs: tuple[Pack, ...]

    @property
    def mode(self) -> ProcessingMode:
        return "single_chunk" if len(self.packs) <= 1 else "chunked"


def plan_packs(meeting: Meeting, budget: int = DEFAULT_BUDGET) -> PackPlan:
    """Fill packs greedily in order; a speech that is longer than the budget stands alone, in parts if need be."""
    groups: list[list[Speech]] = []
    room = 0
    for speech in meeting.speeches:
        size = count_tokens(speech.text)
        if not groups or size > room:
            groups.append([])
            room = budget
        groups[-1].append(speech)
        room -= size
    packs = [pack for group in groups for pack in _packs_of(group, meeting.speeches, budget)]
    return PackPlan(
        budget=budget, packs=tuple(msgspec.structs.replace(pack, number=number) for number, pack in enumerate(packs))
    )


def shrink_plan(meeting: Meeting, plan: PackPlan) -> PackPlan | None:
    """A plan with smaller packs, for a model that found one too long; None if they can't get smaller."""
    budget = int(plan.budget * SHRINK)
    return plan_packs(meeting, budget) if budget >= SMALLEST_BUDGET else None


def count_tokens(text: str) -> int:
    """A cautious estimate: one token per non-ASCII character, one per four ASCII characters."""
    narrow = len(text.encode("ascii", "ignore"))
    return len(text) - narrow + -(-narrow // _ASCII_PER_TOKEN)


def _packs_of(group: Sequence[Speech], speeches: Sequence[Speech], budget: int) -> Iterator[Pack]:
    orders = tuple(speech.order for speech in group)
    at = speeches.index(group[0])
    before = tuple(speech.order for speech in speeches[max(0, at - CONTEXT) : at])
    after = tuple(speech.order for speech in speeches[at + len(group) : at + len(group) + CONTEXT])
    first = group[0]
    if len(group) > 1 or count_tokens(first.text) <= budget:
        yield Pack(number=0, orders=orders, before=before, after=after)
        return
    for part, (start, end) in enumerate(_parts(first.text, budget)):
        yield Pack(number=0, orders=orders, before=before, after=after, part=part, start=start, end=end)


def _parts(text: str, budget: int) -> Iterator[tuple[int, int]]:
    """Spans of at most `budget` characters, cut after a full stop or a line break where possible."""
    start = 0
    while start < len(text):
        end = min(len(text), start + budget)
        if end < len(text):
            end = max(text.rfind("。", start, end), text.rfind("\n", start, end)) + 1 or end
        yield start, end
        start = end


class PackStore(Protocol):
    """Stores finished packs, so that a crash repeats none of them. A second plan with smaller packs may follow."""

    async def start_plan(self, plan: PackPlan) -> None:
        """Start a plan; packs of an earlier plan no longer count."""

    async def find_result(self, pack: Pack, key: str) -> bytes | None:
        """The stored result of this pack, or None."""

    async def save_result(self, pack: Pack, key: str, result: bytes) -> None:
        """Store a finished pack."""


class NoPackStore:
    """Stores nothing, for writing in one go."""

    async def start_plan(self, plan: PackPlan) -> None:
        """No-op."""

    async def find_result(self, pack: Pack, key: str) -> bytes | None:  # noqa: ARG002 - the port names them
        return None

    async def save_result(self, pack: Pack, key: str, result: bytes) -> None:
        """No-op."""
