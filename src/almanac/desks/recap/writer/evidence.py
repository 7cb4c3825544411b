"""Every written sentence against the speeches it names; of several wordings the first one that holds is taken."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from almanac.desks.recap.model.meeting import Meeting
from almanac.llm.sources import Cited
from almanac.verify import CitedClaim, Verdict
from almanac.verify.checker import Checker


@dataclass(frozen=True, slots=True)
class SentenceDraft:
    """A sentence to be: wordings in order of preference, and the orders of the speeches it rests on."""

    wordings: tuple[str, ...]
    orders: tuple[int, ...]


def new_draft(orders: tuple[int, ...] | int, *wordings: str) -> SentenceDraft:
    """A draft without empty or repeated wordings."""
    kept = tuple(dict.fromkeys(wording for wording in wordings if wording))
    return SentenceDraft(kept, (orders,) if isinstance(orders, int) else orders)


def choose_wordings(drafts: Sequence[SentenceDraft], meeting: Meeting) -> list[str | None]:
    """For each draft the first wording that its speeches support; None where they support none."""
    known = evidence_for(meeting)
    return [next((text for text in each.wordings if known.holds(text, each.orders)), None) for each in drafts]


def cited_orders(cited: Cited) -> tuple[int, ...]:
    """The orders of the speeches that a sentence names."""
    return tuple(sorted({int(reference.source) for reference in cited.references}))


@dataclass(slots=True)
class SpeechEvidence:
    """The speeches of one sitting as they stand in the record, each read once however many sentences name it."""

    checker: Checker
    _seen: dict[tuple[str, tuple[int, ...]], bool] = field(default_factory=dict)

    def holds(self, text: str, orders: tuple[int, ...]) -> bool:
        """Whether the speeches support a sentence; the levels of a recap often say the same one."""
        key = (text, orders)
        if key not in self._seen:
            claim = CitedClaim(text, tuple(map(str, orders)))
            self._seen[key] = self.checker.check(claim, 0, len(text)).verdict is Verdict.SUPPORTED
        return self._seen[key]

    def may_head(self, title: str, orders: tuple[int, ...]) -> bool:
        """Whether a title says nothing that the speeches below it don't; its words may be its own."""
        claim = CitedClaim(title, tuple(map(str, orders)))
        return not self.checker.check(claim, 0, len(title)).says_otherwise


@lru_cache(maxsize=2)
def evidence_for(meeting: Meeting) -> SpeechEvidence:
    """What the speeches of a sitting can support; the last are kept, as its packs are written one after the other."""
    sources = {str(speech.order): speech.text.replace("\r\n", "\n") for speech in meeting.speeches}
    return SpeechEvidence(Checker(sources, None, None))
