"""The one rule for planning, explaining, drafting and sending: may this customer be reminded now, and at which level.

Every answer carries its trace: what was looked at, in order, and what was found.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from almanac.desks.reminders.model.ladder import Ladder, LadderRules, LevelRule
from almanac.desks.reminders.model.ledger import MAX_INVOICES_PER_LETTER, Customer, Debt, Hold, Invoice, calculate_debt


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that a decision rests on: one customer, one currency, as read together.

    `unreachable` are addresses that bounced or complained, as far as whoever asks has looked: the mail itself looks
    again before it leaves.
    """

    customer: Customer
    ladder: Ladder
    invoices: tuple[Invoice, ...]
    holds: tuple[Hold, ...]
    unreachable: frozenset[str] = frozenset()

    @property
    def currency(self) -> str:
        return self.ladder.currency

    def today(self, rules: LadderRules, now: datetime) -> date:
        """Which day it is for the customer."""
        return now.astimezone(rules.zone(self.customer.time_zone)).date()

    def debt(self, rules: LadderRules, now: datetime) -> Debt:
        """What the customer may be reminded of now."""
        today = self.today(rules, now)
        return calculate_debt(self.customer.id, self.currency, self.invoices, self.holds, today)


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """One step of a trace: a rule, whether it lets the reminder pass, and a sentence."""

    rule: str
    passed: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Eligible:
    """A reminder of this level may be drafted, or sent, now."""

    level: str
    cycle: int
    debt: Debt
    trace: tuple[RuleCheck, ...]


@dataclass(frozen=True, slots=True)
class NotEligible:
    """No reminder now. `next_date` is when time alone would change that; None where something must happen first."""

    rule: str
    why: str
    next_date: datetime | None
    debt: Debt
    trace: tuple[RuleCheck, ...]


EligibilityDecision = Eligible | NotEligible


@dataclass(slots=True)
class _Evaluation:
    """The trace as it grows."""

    case: Case
    rules: LadderRules
    now: datetime
    debt: Debt
    trace: list[RuleCheck] = field(default_factory=list)

    def passes(self, rule: str, sentence: str) -> None:
        self.trace.append(RuleCheck(rule, passed=True, sentence=sentence))

    def stops(self, rule: str, sentence: str, until: datetime | None = None) -> NotEligible:
        self.trace.append(RuleCheck(rule, passed=False, sentence=sentence))
        return NotEligible(rule, sentence, until, self.debt, tuple(self.trace))

    def day_begins(self, day: date) -> datetime:
        zone = self.rules.zone(self.case.customer.time_zone)
        begins = datetime.combine(day, time(), zone).astimezone(UTC)
        return self.rules.next_sending_moment(begins, zone)


def check_eligibility(
    case: Case, rules: LadderRules, now: datetime, *, besides: str | None = None, automatic: bool = False
) -> EligibilityDecision:
    """Whether and how the customer may be reminded now.

    `besides` is the draft that asks on its own behalf, so that its own claim is no obstacle. With `automatic`, a debt
    for which a person rejected a draft isn't drafted again until it changes.
    """
    judging = _Evaluation(case, rules, now, case.debt(rules, now))
    stopped = _check_customer(judging) or _check_debt(judging) or _check_open_draft(judging, besides)
    if stopped is not None:
        return stopped
    level = _next_level(case.ladder, rules)
    if level is None:
        return judging.stops("exhausted", "Every level of this cycle was sent; a person must take it from here.")
    stopped = _check_declined(judging, level, automatic) or _check_gaps(judging, level)
    return stopped or Eligible(level.name, case.ladder.cycle, judging.debt, tuple(judging.trace))


def _check_customer(judging: _Evaluation) -> NotEligible | None:
    customer, today = judging.case.customer, judging.debt.today
    if customer.erased_at is not None:
        return judging.stops("erased", "The customer's data was erased.")
    if customer.never_remind or customer.opted_out:
        word = "is never to be reminded" if customer.never_remind else "opted out of reminders"
        return judging.stops("never", f"The customer {word}.")
    if not customer.recipients:
        return judging.stops("address", "The customer has no mail address; add one.")
    if judging.case.unreachable.issuperset(customer.recipients):
        return judging.stops("address", "No address of the customer takes mail any more; add another one.")
    judging.passes("customer", f"{customer.name} may be written to.")
    for hold in judging.case.holds:
        if hold.invoice is None and hold.is_in_force(today):
            until = judging.day_begins(hold.until + timedelta(days=1)) if hold.until else None
            return judging.stops("hold", _describe_hold(hold), until)
    judging.passes("hold", "No hold is on the customer.")
    return None


def _describe_hold(hold: Hold) -> str:
    kinds = {
        "promise": "A promise to pay",
        "dispute": "A dispute",
        "pause": "A pause",
        "reply": "A reply of theirs",
        "never": "A standing order",
    }
    return f"{kinds[hold.kind]} holds reminders back {f'until {hold.until}' if hold.until else 'until it is lifted'}."


def _check_debt(judging: _Evaluation) -> NotEligible | None:
    debt, grace = judging.debt, judging.rules.grace_days
    if len(debt.lines) > MAX_INVOICES_PER_LETTER:
        many = f"{len(debt.lines)} invoices are overdue, more than the {MAX_INVOICES_PER_LETTER} that a letter can name"
        return judging.stops("many", f"{many}; a person must write to them.")
    ripe = [line for line in debt.lines if line.days_overdue > grace]
    if ripe:
        judging.passes("debt", f"{debt.total} is overdue on {', '.join(debt.numbers)}.")
        return None
    if debt:
        first = min(line.due for line in debt.lines) + timedelta(days=grace + 1)
        return judging.stops("grace", f"Days of grace last until {first}.", judging.day_begins(first))
    return judging.stops("debt", *_explain_no_debt(judging))


def _explain_no_debt(judging: _Evaluation) -> tuple[str, datetime | None]:
    """Why there is nothing to remind of, and from when there will be."""
    coming = list(_upcoming_due_dates(judging))
    what = "Nothing that may be reminded of is overdue"
    if not coming:
        return f"{what}.", None
    day = min(coming)
    return f"{what}; something will be on {day}.", judging.day_begins(day)


def _upcoming_due_dates(judging: _Evaluation) -> Iterator[date]:
    """The days on which an invoice becomes overdue, or a hold on it ends."""
    today, grace = judging.debt.today, timedelta(days=judging.rules.grace_days + 1)
    for invoice in judging.case.invoices:
        if invoice.currency != judging.case.currency or not invoice.is_open or invoice.disputed:
            continue
        holds = [h for h in judging.case.holds if h.invoice == invoice.number and h.is_in_force(today)]
        ends = [hold.until + timedelta(days=1) for hold in holds if hold.until is not None]
        if len(ends) == len(holds):
            yield max([invoice.due + grace, *ends])


def _check_open_draft(judging: _Evaluation, besides: str | None) -> NotEligible | None:
    claim = judging.case.ladder.open_at(judging.now)
    if claim is None or claim.draft_id == besides:
        judging.passes("claim", "No other draft is under way.")
        return None
    return judging.stops("claim", f"A {claim.level} reminder is under way: it is {_describe_state(claim.state)}.")


def _describe_state(state: str) -> str:
    return {"draft": "a draft", "unknown": "in doubt whether it left"}.get(state, state)


def _next_level(ladder: Ladder, rules: LadderRules) -> LevelRule | None:
    """The rung above the highest one that was sent in this cycle."""
    remaining: list[LevelRule] = []
    for level in reversed(rules.levels):
        if ladder.sent_in_cycle(level.name):
            break
        remaining.append(level)
    return remaining[-1] if remaining else None


def _check_declined(judging: _Evaluation, level: LevelRule, automatic: bool) -> NotEligible | None:
    declined, ladder = judging.case.ladder.declined, judging.case.ladder
    same = declined and (declined.level, declined.cycle, declined.fingerprint) == (
        level.name,
        ladder.cycle,
        judging.debt.fingerprint,
    )
    if automatic and same:
        return judging.stops("declined", f"A person rejected the {level.name} reminder of this debt.")
    return None


def _check_gaps(judging: _Evaluation, level: LevelRule) -> NotEligible | None:
    """The gaps that are conditions of the claim: since the last of the same level, and since the level before."""
    for since, days, what in _gap_rules(judging, level):
        until = since + timedelta(days=days)
        rule = f"{days} days after {what}"
        if judging.now < until:
            zone = judging.rules.zone(judging.case.customer.time_zone)
            return judging.stops("gap", f"Not before {rule}.", judging.rules.next_sending_moment(until, zone))
        judging.passes("gap", f"It is {rule} or more.")
    return _check_sending_day(judging)


def _gap_rules(judging: _Evaluation, level: LevelRule) -> Iterator[tuple[datetime, int, str]]:
    ladder, before = judging.case.ladder, judging.rules.before(level.name)
    if (same := ladder.sent.get(level.name)) is not None:
        yield same.at, level.none_within_days, f"the last {level.name} reminder"
    if before is not None and (previous := ladder.sent_in_cycle(before.name)) is not None:
        yield previous.at, level.days_after_previous, f"the {before.name} reminder"


def _check_sending_day(judging: _Evaluation) -> NotEligible | None:
    zone = judging.rules.zone(judging.case.customer.time_zone)
    moment = judging.rules.next_sending_moment(judging.now, zone)
    if moment > judging.now:
        return judging.stops("day", "Reminders don't go out today.", moment)
    judging.passes("day", "Reminders go out today.")
    return None
