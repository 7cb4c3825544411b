"""Free text: headings, captions and an editor's own sentences need no source, but must not contradict one."""

from collections.abc import Iterable

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding, ClaimKind, FindingKind

# Below this share of common words, two sentences are not about the same fact.
_SAME_SUBJECT = 0.5
_REFERENCES = frozenset({FindingKind.DANGLING_REFERENCE, FindingKind.NO_REFERENCE})
_WORDING = frozenset({FindingKind.WORDING, FindingKind.UNCOVERED})


def is_same_subject(facts: SentenceFacts, alignment: Alignment) -> bool:
    """Whether free text and its closest source sentence are about the same thing, so that they can disagree."""
    return bool(facts.masked_text.split()) and alignment.best_coverage >= _SAME_SUBJECT


def list_contradictions(kind: ClaimKind, facts: SentenceFacts, findings: Iterable[ClaimFinding]) -> list[ClaimFinding]:
    """The findings that name what the source says instead. An opinion may be worded against the source."""
    ignored = _REFERENCES | _WORDING if kind is ClaimKind.OWN else _REFERENCES
    return [
        finding
        for finding in findings
        if finding.expected is not None
        and finding.kind not in ignored
        and not (kind is ClaimKind.OWN and _is_order_of_events(facts, finding))
    ]


def _is_order_of_events(facts: SentenceFacts, finding: ClaimFinding) -> bool:
    """Before or after an event, without a date: a matter of wording."""
    dates = [facts.text[moment.start : moment.end].strip() for moment in facts.moments]
    return finding.kind is FindingKind.DATE and not any(date in finding.found for date in dates)
