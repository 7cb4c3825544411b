"""The list of all checks, and a run of them over a design with acceptances set apart."""

from dataclasses import dataclass

from tablature.design.declared import Accepted
from tablature.design.module import Design

from . import acceptance, capacity, entities, fanouts, indexes, keys, naming, patterns, retention, transactions
from .checks import Check, Spot

GROUPS: dict[str, tuple[Check, ...]] = {
    "Keys": keys.CHECKS,
    "Indexes": indexes.CHECKS,
    "Access patterns": patterns.CHECKS,
    "Entities": entities.CHECKS,
    "Fan-out": fanouts.CHECKS,
    "Transactions and queues": transactions.CHECKS,
    "Retention": retention.CHECKS,
    "Capacity": capacity.CHECKS,
    "Naming": naming.CHECKS,
    "Acceptances": acceptance.CHECKS,
}
CHECKS: tuple[Check, ...] = tuple(check for group in GROUPS.values() for check in group)


@dataclass(frozen=True)
class Finding:
    """What a check found at one place; `reason` is set where it was accepted."""

    check: Check
    spot: Spot
    reason: str | None = None

    @property
    def fails(self) -> bool:
        return self.reason is None and self.check.severity != "advice"


@dataclass(frozen=True)
class Report:
    """All findings of a run, those that stand and those that were accepted."""

    standing: tuple[Finding, ...]
    accepted: tuple[Finding, ...]

    @property
    def fails(self) -> bool:
        """Whether an error or a warning stands."""
        return any(finding.fails for finding in self.standing)


def lint(design: Design) -> Report:
    """Run every check over the design."""
    spots = dict.fromkeys((check.code, spot) for check in CHECKS for spot in check.find(design))
    by_code = {check.code: check for check in CHECKS}
    reasons = {(entry.code, entry.subject): entry for entry in design.accepted if acceptance.has_reason(entry)}
    standing, accepted, used = [], [], set[Accepted]()
    for code, spot in spots:
        entry = reasons.get((code, spot.subject))
        if entry is None:
            standing.append(Finding(by_code[code], spot))
        else:
            used.add(entry)
            accepted.append(Finding(by_code[code], spot, entry.reason))
    unused = [entry for entry in reasons.values() if entry not in used]
    standing += [Finding(acceptance.idle, spot) for spot in acceptance.idle_spots(unused)]
    return Report(tuple(standing), tuple(accepted))
