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
    fix="Say in a sentence why the finding is right to stay.",
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
    why="What it accepted was cured, renamed or never there. Left in place, it would silently accept the next "
    "finding that happens to have the same name.",
    fix="Remove it, or correct its code and subject.",
)
def unused_acceptance(_: Design) -> Iterator[LintIssue]:
    """Found by the run itself, which alone knows what was matched."""
    return iter(())


def unused_acceptance_issues(entries: list[Accepted]) -> Iterator[LintIssue]:
    for entry in entries:
        yield LintIssue(f"{entry.code} {entry.subject}", "There is no such finding.")


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
    """What a check found at one place; `reason` is set where it was accepted."""

    check: LintCheck
    spot: LintIssue
    reason: str | None = None

    @property
    def fails(self) -> bool:
        return self.reason is None and self.check.severity != "advice"


@dataclass(frozen=True)
class LintReport:
    """All findings of a run, those that stand and those that were accepted."""

    standing: tuple[LintFinding, ...]
    accepted: tuple[LintFinding, ...]

    @property
    def fails(self) -> bool:
        """Whether an error or a warning stands."""
        return any(finding.fails for finding in self.standing)


def lint(design: Design) -> LintReport:
    """Run every check over the design."""
    spots = dict.fromkeys((check.code, spot) for check in CHECKS for spot in check.find(design))
    by_code = {check.code: check for check in CHECKS}
    reasons = {(entry.code, entry.subject): entry for entry in design.accepted if has_reason(entry)}
    standing, accepted, used = [], [], set[Accepted]()
    for code, spot in spots:
        entry = reasons.get((code, spot.subject))
        if entry is None:
            standing.append(LintFinding(by_code[code], spot))
        else:
            used.add(entry)
            accepted.append(LintFinding(by_code[code], spot, entry.reason))
    unused = [entry for entry in reasons.values() if entry not in used]
    standing += [LintFinding(unused_acceptance, spot) for spot in unused_acceptance_issues(unused)]
    return LintReport(tuple(standing), tuple(accepted))
