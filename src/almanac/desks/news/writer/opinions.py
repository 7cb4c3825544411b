"""The second judge's opinions on the texts of one story, for a check that is run again with them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from almanac.verify import CheckedClaim, Verdict, VerificationReport

_CONTRADICTED = frozenset({Verdict.CHANGED, Verdict.UNSUPPORTED})


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """A text, checked by the rules against a part of the article."""

    checked: CheckedClaim
    source: str


@dataclass(frozen=True, slots=True)
class StoryOpinions:
    """What the judge made of the checks it was asked about, by text."""

    _by_text: dict[str, SourceCheck] = field(default_factory=dict)

    def apply(self, checked: CheckedClaim, source: str) -> CheckedClaim:
        """The check with the judge's opinion: a doubt counts against every source, a confirmation for its own alone."""
        opinion = self._by_text.get(checked.text)
        if opinion is None or checked.verdict in _CONTRADICTED:
            return checked
        judged = opinion.checked
        if judged.verdict is not Verdict.SUPPORTED:
            return replace(checked, verdict=judged.verdict, findings=judged.findings)
        if judged.judged_by and opinion.source == source:
            return replace(checked, verdict=Verdict.SUPPORTED, findings=(), judged_by=judged.judged_by)
        return checked


def choose_checks(checks: Sequence[SourceCheck]) -> list[SourceCheck]:
    """For each text the check to judge: the one that supports it, else the last if nothing contradicts it."""
    by_text: dict[str, list[SourceCheck]] = {}
    for check in checks:
        by_text.setdefault(check.checked.text, []).append(check)
    chosen = []
    for texts in by_text.values():
        supported = [check for check in texts if check.checked.verdict is Verdict.SUPPORTED]
        if supported:
            chosen.append(supported[0])
        elif not any(check.checked.verdict in _CONTRADICTED for check in texts):
            chosen.append(texts[-1])
    return chosen


def to_report(checks: Sequence[SourceCheck]) -> tuple[VerificationReport, dict[str, str]]:
    """The checks as a report for the judge, each with a source of its own."""
    claims = (
        replace(check.checked, references=(str(number),), best_source=str(number))
        for number, check in enumerate(checks)
    )
    return VerificationReport(tuple(claims)), {str(number): check.source for number, check in enumerate(checks)}


def to_opinions(checks: Sequence[SourceCheck], judged: VerificationReport) -> StoryOpinions:
    """The opinions of a judged report, without the verdicts that stayed as they were."""
    changed = [
        SourceCheck(opinion, check.source)
        for check, opinion in zip(checks, judged.sentences, strict=True)
        if opinion.verdict is not check.checked.verdict
    ]
    return StoryOpinions({check.checked.text: check for check in changed})
