"""Opinions of the judge for checkers that try several sources for one text, and are run again with the opinions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from almanac.verify import CheckedClaim, Verdict, VerificationReport

_CONTRADICTED = frozenset({Verdict.CHANGED, Verdict.UNSUPPORTED})


@dataclass(frozen=True, slots=True)
class SourcedCheck:
    """A text checked by the rules, with the texts of the sources that it was checked against."""

    checked: CheckedClaim
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class JudgeOpinions:
    """Verdicts of the judge that differ from those of the rules, by text."""

    _by_text: dict[str, SourcedCheck] = field(default_factory=dict)

    def apply(self, checked: CheckedClaim, sources: Mapping[str, str]) -> CheckedClaim:
        """The check with the judge's opinion: a doubt counts for every source, a confirmation for its own alone."""
        opinion = self._by_text.get(checked.text)
        if opinion is None or checked.verdict in _CONTRADICTED:
            return checked
        judged = opinion.checked
        if judged.verdict is not Verdict.SUPPORTED:
            return replace(checked, verdict=judged.verdict, findings=judged.findings)
        if judged.judged_by and opinion.sources == sources:
            return replace(checked, verdict=Verdict.SUPPORTED, findings=(), judged_by=judged.judged_by)
        return checked


def choose_checks(checks: Iterable[SourcedCheck]) -> list[SourcedCheck]:
    """For each text the check to judge: the one that supports it, else the first if none contradicts it."""
    by_text: dict[str, list[SourcedCheck]] = {}
    for check in checks:
        by_text.setdefault(check.checked.text, []).append(check)
    chosen = []
    for texts in by_text.values():
        supported = [check for check in texts if check.checked.verdict is Verdict.SUPPORTED]
        if supported:
            chosen.append(supported[0])
        elif not any(check.checked.verdict in _CONTRADICTED for check in texts):
            chosen.append(texts[0])
    return chosen


def to_report(checks: Sequence[SourcedCheck]) -> tuple[VerificationReport, dict[str, str]]:
    """The checks as one report. Sources of different checks may have the same name, so they are renamed."""
    claims: list[CheckedClaim] = []
    sources: dict[str, str] = {}
    for number, check in enumerate(checks):
        names = {name: f"{number}:{name}" for name in check.sources}
        sources |= {names[name]: text for name, text in check.sources.items()}
        references = tuple(names[name] for name in check.checked.references if name in names)
        best = names.get(check.checked.best_source or "")
        claims.append(replace(check.checked, references=references, best_source=best))
    return VerificationReport(tuple(claims)), sources


def to_opinions(checks: Sequence[SourcedCheck], judged: VerificationReport) -> JudgeOpinions:
    """What the judge changed."""
    changed = {
        check.checked.text: SourcedCheck(opinion, check.sources)
        for check, opinion in zip(checks, judged.sentences, strict=True)
        if opinion.verdict is not check.checked.verdict
    }
    return JudgeOpinions(changed)
