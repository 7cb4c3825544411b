"""What a check is given and what it tells: claims, findings, checked sentences and the report over all of them."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Supported: all that can be checked is in the source. Changed: the source's sentence with another fact in it."""

    SUPPORTED = "supported"
    CHANGED = "changed"
    UNSUPPORTED = "unsupported"


class FindingKind(StrEnum):
    """What is wrong with a sentence."""

    DANGLING_REFERENCE = "dangling_reference"
    NO_REFERENCE = "no_reference"
    NUMBER = "number"
    AMOUNT = "amount"
    PERCENTAGE = "percentage"
    UNIT = "unit"
    DATE = "date"
    NAME = "name"
    QUOTATION = "quotation"
    WORDING = "wording"


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and the ids of the sources it rests on. A greeting or a heading needs none: `needs_source=False`."""

    text: str
    references: tuple[str, ...] = ()
    needs_source: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFinding:
    """One fault: what the sentence says, what the source says where that is known, and a sentence for a person."""

    kind: FindingKind
    found: str
    expected: str | None = None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """One sentence with its verdict.

    `start` and `end` count characters of the text that was checked (of the claim, where claims were given);
    `matched` counts those of the sentence in `best_source` that comes nearest.
    """

    text: str
    start: int
    end: int
    references: tuple[str, ...]
    verdict: Verdict
    findings: tuple[ClaimFinding, ...] = ()
    best_source: str | None = None
    matched: tuple[int, int] | None = None
    needs_source: bool = True

    @property
    def says_otherwise(self) -> bool:
        """Whether it has a fact that its source has not, or turns round what that says.

        A heading may be worded freely, but must not do that.
        """
        is_of_fact = any(finding.kind is not FindingKind.WORDING for finding in self.findings)
        return is_of_fact or self.verdict is Verdict.CHANGED


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """All sentences in their order."""

    sentences: tuple[CheckedClaim, ...]

    @property
    def supported(self) -> bool:
        """True when nothing was found; a text may be completed only then."""
        return all(sentence.verdict is Verdict.SUPPORTED for sentence in self.sentences)

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many of the sentences that need a source got which verdict."""
        seen = Counter(sentence.verdict for sentence in self.sentences if sentence.needs_source)
        return {verdict: seen[verdict] for verdict in Verdict}

    @property
    def faults(self) -> tuple[CheckedClaim, ...]:
        """The sentences that are not supported."""
        return tuple(sentence for sentence in self.sentences if sentence.verdict is not Verdict.SUPPORTED)
