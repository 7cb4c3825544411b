"""Values of a check: claims, findings, checked claims and the report."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Supported: the source says it. Unconfirmed: nothing contradicts it, but words of it are carried by nothing in the
    source, so a person must read it. Changed: the source says otherwise. Unsupported: no source, or an unrelated one.
    """

    SUPPORTED = "supported"
    UNCONFIRMED = "unconfirmed"
    CHANGED = "changed"
    UNSUPPORTED = "unsupported"


class FindingKind(StrEnum):
    """Kinds of findings."""

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
    UNCOVERED = "uncovered"
    JUDGED = "judged"


class ClaimKind(StrEnum):
    """What a claim is in its text. Headings, captions and the editor's own sentences may be worded freely: they are
    only compared with what the sources say otherwise.
    """

    SENTENCE = "sentence"
    ROW = "row"
    CAPTION = "caption"
    HEADING = "heading"
    OWN = "own"


_OF_WORDING = frozenset({FindingKind.WORDING, FindingKind.UNCOVERED, FindingKind.JUDGED})


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """A sentence and the ids of its sources. Headings and an editor's own sentences need none: `needs_source=False`.

    `context` are the sources that a heading is compared with; without any, it is compared with all.
    """

    text: str
    references: tuple[str, ...] = ()
    needs_source: bool = True
    kind: ClaimKind = ClaimKind.SENTENCE
    context: tuple[str, ...] = ()

    @property
    def is_free(self) -> bool:
        """Whether it may be worded freely, so that only contradictions are faults."""
        return not self.needs_source or self.kind is ClaimKind.CAPTION


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFinding:
    """One problem: the words of the claim (`found`), those of the source if known, and a sentence for people.

    `is_doubtful` is for a fact that the source may still carry, such as a name it doesn't mention: a person must read.
    """

    kind: FindingKind
    found: str
    expected: str | None = None
    reason: str
    is_doubtful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim with its verdict.

    `start` and `end` are offsets in the checked text (in the claim, where claims were given); `matched` are offsets of
    the closest sentence in `best_source`. `uncovered` are offsets in `text` of the words that nothing in the source
    carries. `judged_by` names the model that confirmed an unconfirmed claim; it is empty where rules alone decided.
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
    uncovered: tuple[tuple[int, int], ...] = ()
    judged_by: str = ""
    kind: ClaimKind = ClaimKind.SENTENCE

    @property
    def says_otherwise(self) -> bool:
        """Whether it has a fact that its source lacks, or says the opposite.

        A heading may be worded freely, but must not do that.
        """
        is_of_fact = any(finding.kind not in _OF_WORDING for finding in self.findings)
        return is_of_fact or self.verdict is Verdict.CHANGED


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """The checked claims in order."""

    sentences: tuple[CheckedClaim, ...]

    @property
    def supported(self) -> bool:
        """True when there are no findings. A text may be completed only then."""
        return all(sentence.verdict is Verdict.SUPPORTED for sentence in self.sentences)

    @property
    def counts(self) -> dict[Verdict, int]:
        """The number of sentences per verdict, of those that need a source."""
        seen = Counter(sentence.verdict for sentence in self.sentences if sentence.needs_source)
        return {verdict: seen[verdict] for verdict in Verdict}

    @property
    def faults(self) -> tuple[CheckedClaim, ...]:
        """The sentences that are not supported."""
        return tuple(sentence for sentence in self.sentences if sentence.verdict is not Verdict.SUPPORTED)
