"""Checks of written sentences against the speeches they name; of several wordings the first supported one is chosen."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from almanac.desks.recap.model.meeting import Meeting
from almanac.llm.sources import Cited
from almanac.verify import CitedClaim, Verdict
from almanac.verify.checker import Checker


@dataclass(frozen=True, slots=True)
class SentenceDraft:
    """A drafted sentence: wordings in order of preference, and the orders of the speeches that support it."""

    wordings: tuple[str, ...]
    orders: tuple[int, ...]


def new_draft(orders: tuple[int, ...] | int, *wordings: str) -> SentenceDraft:
    """A draft without empty or repeated wordings."""
    kept = tuple(dict.fromkeys(wording for wording in wordings if wording))
    return SentenceDraft(kept, (orders,) if isinstance(orders, int) else orders)


def choose_wordings(drafts: Sequence[SentenceDraft], meeting: Meeting) -> list[str | None]:
    """For each draft the first wording that its speeches support; None if they support none."""
    evidence = evidence_for(meeting)
    return [next((text for text in each.wordings if evidence.supports(text, each.orders)), None) for each in drafts]


def cited_orders(cited: Cited) -> tuple[int, ...]:
    """The orders of the speeches that a sentence refers to."""
    return tuple(sorted({int(reference.source) for reference in cited.references}))


@dataclass(slots=True)
class SpeechEvidence:
    """The speeches of one meeting as evidence; each is parsed once, and each check is cached."""

    checker: Checker
    _checked: dict[tuple[str, tuple[int, ...]], bool] = field(default_factory=dict)

    def supports(self, text: str, orders: tuple[int, ...]) -> bool:
        """Whether the speeches support a sentence. Cached, since the levels of a recap often repeat sentences."""
        key = (text, orders)
        if key not in self._checked:
            claim = CitedClaim(text, tuple(map(str, orders)))
            self._checked[key] = self.checker.check(claim, 0, len(text)).verdict is Verdict.SUPPORTED
        return self._checked[key]

    def allows_title(self, title: str, orders: tuple[int, ...]) -> bool:
        """Whether a title contradicts nothing in the speeches below it; it may use its own words."""
        claim = CitedClaim(title, tuple(map(str, orders)))
        return not self.checker.check(claim, 0, len(title)).says_otherwise


@lru_cache(maxsize=2)
def evidence_for(meeting: Meeting) -> SpeechEvidence:
    """The evidence of a meeting. The last ones are cached, since the packs of a meeting are written one by one."""
    sources = {str(speech.order): speech.text.replace("\r\n", "\n") for speech in meeting.speeches}
    return SpeechEvidence(Checker(sources, None, None))
