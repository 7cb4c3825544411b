"""The list of all lint checks, and a run of them over a design. Accepted findings are listed apart."""

from collections.abc import Iterator
from dataclasses import dataclass

from tablature.design.model import Accepted, Design
from tablature.lint import capacity, entities, fanouts, indexes, keys, naming, patterns, retention, transactions
from tablature.lint.checks import LintCheck, LintIssue, lint_check

_SHORTEST_REASON = 10


@lint_check(
    "TAB901",
    "An acceptance gives no reason",
    "error",
    why="An accepted finding is a decision. Without a reason nobody can tell later whether it still holds.",
    fix="Say in a sentence why the finding is acceptable.",
)
def missing_reason(design: Design) -> Iterator[LintIssue]:
    for entry in design.accepted:
        if not has_reason(entry):
            yield LintIssue(f"{entry.code} {entry.subject}", "Its reason is empty or too short to be one.")


def has_reason(entry: Accepted) -> bool:
    return len(entry.reason.strip()) >= _SHORTEST_REASON


@lint_check(
    "TAB902",
    "An acceptance matches nothing",
    "warning",
    why="What it accepted was fixed, renamed or never there. Left in place, it would silently accept the next "
    "finding that happens to have the same name.",
    fix="Remove it, or correct its code and subject.",
)
def unused_acceptance(_: Design) -> Iterator[LintIssue]:
    """Always empty: `lint` itself finds these, because it knows which acceptances were used."""
    return iter(())


def unused_acceptance_issues(entries: list[Accepted]) -> Iterator[LintIssue]:
    for entry in entries:
        yield LintIssue(f"{entry.code} {entry.subject}", "No finding matches it.")


ACCEPTANCE_CHECKS = (missing_reason, unused_acceptance)
GROUPS: dict[str, tuple[LintCheck, ...]] = {
    "Keys": keys.CHECKS,
    "Indexes": indexes.CHECKS,
    "Access patterns": patterns.CHECKS,
    "Entities": entities.CHECKS,
    "Fan-out": fanouts.CHECKS,
    "Transactions and queues": transactions.CHECKS,
    "Retention": retention.CHECKS,
    "Capacity": capacity.CHECKS,
    "Naming": naming.CHECKS,
    "Acceptances": ACCEPTANCE_CHECKS,
}
CHECKS: tuple[LintCheck, ...] = tuple(check for group in GROUPS.values() for check in group)


@dataclass(frozen=True)
class LintFinding:
    """One issue that a check found. `reason` is set if it was accepted."""

    check: LintCheck
    issue: LintIssue
    reason: str | None = None

    @property
    def fails(self) -> bool:
        return self.reason is None and self.check.severity != "advice"


@dataclass(frozen=True)
class LintReport:
    """All findings of a run, open and accepted ones."""

    findings: tuple[LintFinding, ...]
    accepted: tuple[LintFinding, ...]

    @property
    def fails(self) -> bool:
        """Whether there is an open error or warning."""
        return any(finding.fails for finding in self.findings)


def lint(design: Design) -> LintReport:
    """Run every check over the design."""
    issues = dict.fromkeys((check.code, issue) for check in CHECKS for issue in check.find(design))
    by_code = {check.code: check for check in CHECKS}
    reasons = {(entry.code, entry.subject): entry for entry in design.accepted if has_reason(entry)}
    findings, accepted, used = [], [], set[Accepted]()
    for code, issue in issues:
        entry = reasons.get((code, issue.subject))
        if entry is None:
            findings.append(LintFinding(by_code[code], issue))
        else:
            used.add(entry)
            accepted.append(LintFinding(by_code[code], issue, entry.reason))
    unused = [entry for entry in reasons.values() if entry not in used]
    findings += [LintFinding(unused_acceptance, issue) for issue in unused_acceptance_issues(unused)]
    return LintReport(tuple(findings), tuple(accepted))
