"""The plan as of a given time: what would happen for every customer and currency, and why. A dry run of the ladder."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.desks.reminders.model.eligibility import Case, EligibilityDecision, Eligible, check_eligibility
from almanac.desks.reminders.model.ladder import LadderRules
from almanac.kit.money import Money


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One customer and currency. `decision` has the trace, the debt and the next date; `last_sent` is when the latest
    reminder of any level left. Where one customer is explained, `last_kept` says that it never left this machine.
    """

    customer_id: str
    customer_name: str
    currency: str
    decision: EligibilityDecision
    open_draft: str | None
    last_sent: datetime | None = None
    last_kept: bool = False

    @property
    def goes_out(self) -> bool:
        return isinstance(self.decision, Eligible)

    @property
    def level(self) -> str | None:
        return self.decision.level if isinstance(self.decision, Eligible) else None

    @property
    def next_date(self) -> datetime | None:
        """When a reminder may go out later; None if it goes out now, or if something must happen first."""
        return None if isinstance(self.decision, Eligible) else self.decision.next_date


@dataclass(frozen=True, slots=True)
class ReminderPlan:
    """Every customer with an open invoice; those who would be reminded come first."""

    at: datetime
    lines: tuple[PlanLine, ...]

    @property
    def going_out(self) -> Sequence[PlanLine]:
        return [line for line in self.lines if line.goes_out]

    @property
    def reasons(self) -> dict[str, int]:
        """The number of lines blocked by each rule."""
        return dict(Counter(line.decision.rule for line in self.lines if not isinstance(line.decision, Eligible)))

    @property
    def amounts(self) -> dict[tuple[str, str], Money]:
        """The amounts to be reminded of, by level and currency."""
        amounts: dict[tuple[str, str], Money] = {}
        for line in self.going_out:
            key = (line.level or "", line.currency)
            amounts[key] = amounts.get(key, Money.zero(line.currency)) + line.decision.debt.total
        return amounts


def make_plan(cases: Iterable[Case], rules: LadderRules, at: datetime) -> ReminderPlan:
    """Check every case as of a moment, as automatic drafting would."""
    lines = [_line(case, check_eligibility(case, rules, at, automatic=True), at) for case in cases]
    return ReminderPlan(
        at, tuple(sorted(lines, key=lambda line: (not line.goes_out, line.customer_name, line.customer_id)))
    )


def _line(case: Case, decision: EligibilityDecision, at: datetime) -> PlanLine:
    claim = case.ladder.open_at(at)
    return PlanLine(
        case.customer.id,
        case.customer.name,
        case.currency,
        decision,
        claim.draft_id if claim else None,
        max((mark.at for mark in case.ladder.sent.values()), default=None),
    )
