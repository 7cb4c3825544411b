"""Whether a customer may be reminded now, and at which level: the one rule for planning, drafting and sending.

Every answer has a trace: the rules in the order they were checked, and what each found.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from almanac.desks.reminders.model.labels import level_words, state_words
from almanac.desks.reminders.model.ladder import Ladder, LadderRules, LevelRule
from almanac.desks.reminders.model.ledger import MAX_INVOICES_PER_LETTER, Customer, Debt, Hold, Invoice, calculate_debt
from almanac.kit.messages import day_text, gettext


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that a decision is based on: one customer, one currency, read together.

    `unreachable` are suppressed addresses, if the caller looked them up; the mail is checked again before it leaves.
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
        """Today's date in the customer's time zone."""
        return now.astimezone(rules.zone(self.customer.time_zone)).date()

    def debt(self, rules: LadderRules, now: datetime) -> Debt:
        """What the customer may be reminded of now."""
        today = self.today(rules, now)
        return calculate_debt(self.customer.id, self.currency, self.invoices, self.holds, today)


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """One step of a trace: the rule, whether it passed, and a sentence."""

    rule: str
    passed: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Eligible:
    """A reminder of this level may be drafted or sent now."""

    level: str
    cycle: int
    debt: Debt
    trace: tuple[RuleCheck, ...]


@dataclass(frozen=True, slots=True)
class NotEligible:
    """No reminder now. `next_date` is when time alone changes that; None if something must happen first."""

    rule: str
    why: str
    next_date: datetime | None
    debt: Debt
    trace: tuple[RuleCheck, ...]


EligibilityDecision = Eligible | NotEligible


@dataclass(slots=True)
class _Evaluation:
    """Collects the trace of one check."""

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
    """Whether the customer may be reminded now, and at which level.

    `besides` is the draft that is being checked, so that it doesn't block itself. With `automatic`, a debt whose draft
    a person rejected isn't eligible until it changes.
    """
    evaluation = _Evaluation(case, rules, now, case.debt(rules, now))
    stopped = _check_customer(evaluation) or _check_debt(evaluation) or _check_open_draft(evaluation, besides)
    if stopped is not None:
        return stopped
    level = _next_level(case.ladder, rules)
    if level is None:
        return evaluation.stops(
            "exhausted", gettext("All reminders of this cycle were sent; contact the customer yourself.")
        )
    stopped = _check_declined(evaluation, level, automatic) or _check_gaps(evaluation, level)
    return stopped or Eligible(level.name, case.ladder.cycle, evaluation.debt, tuple(evaluation.trace))


def _check_customer(evaluation: _Evaluation) -> NotEligible | None:
    customer, today = evaluation.case.customer, evaluation.debt.today
    if customer.erased_at is not None:
        return evaluation.stops("erased", gettext("The customer's data was erased."))
    if customer.never_remind or customer.opted_out:
        return evaluation.stops(
            "never",
            gettext("The customer is set to never be reminded.")
            if customer.never_remind
            else gettext("The customer opted out of reminders."),
        )
    if not customer.recipients:
        return evaluation.stops("address", gettext("The customer has no mail address; add one."))
    if evaluation.case.unreachable.issuperset(customer.recipients):
        return evaluation.stops("address", gettext("All addresses of the customer are suppressed; add another one."))
    evaluation.passes("customer", gettext("%(name)s accepts mail.", name=customer.name))
    for hold in evaluation.case.holds:
        if hold.invoice is None and hold.is_in_force(today):
            until = evaluation.day_begins(hold.until + timedelta(days=1)) if hold.until else None
            return evaluation.stops("hold", _describe_hold(hold), until)
    evaluation.passes("hold", gettext("The customer has no hold."))
    return None


def _describe_hold(hold: Hold) -> str:
    kinds = {
        "promise": gettext("Waiting for a promised payment"),
        "dispute": gettext("Disputed"),
        "pause": gettext("Paused"),
        "reply": gettext("Waiting for somebody to read a reply"),
        "never": gettext("Set to never remind"),
    }
    if hold.until:
        return gettext("%(hold)s until %(day)s.", hold=kinds[hold.kind], day=day_text(hold.until, "short_date"))
    return gettext("%(hold)s until it is lifted.", hold=kinds[hold.kind])


def _check_debt(evaluation: _Evaluation) -> NotEligible | None:
    debt, grace = evaluation.debt, evaluation.rules.grace_days
    if len(debt.lines) > MAX_INVOICES_PER_LETTER:
        too_many = gettext(
            "%(count)s invoices are overdue, more than the %(limit)s a letter can list; a person must write to them.",
            count=len(debt.lines),
            limit=MAX_INVOICES_PER_LETTER,
        )
        return evaluation.stops("many", too_many)
    past_grace = [line for line in debt.lines if line.days_overdue > grace]
    if past_grace:
        evaluation.passes(
            "debt", gettext("%(total)s is overdue on %(numbers)s.", total=debt.total, numbers=", ".join(debt.numbers))
        )
        return None
    if debt:
        first = min(line.due for line in debt.lines) + timedelta(days=grace + 1)
        return evaluation.stops(
            "grace",
            gettext("The grace period lasts until %(day)s.", day=day_text(first, "short_date")),
            evaluation.day_begins(first),
        )
    return evaluation.stops("debt", *_explain_no_debt(evaluation))


def _explain_no_debt(evaluation: _Evaluation) -> tuple[str, datetime | None]:
    """Why there is nothing to remind of, and when there will be."""
    upcoming = list(_upcoming_due_dates(evaluation))
    if not upcoming:
        return gettext("Nothing is overdue."), None
    day = min(upcoming)
    reason = gettext(
        "Nothing is overdue; the next invoice will be overdue on %(day)s.", day=day_text(day, "short_date")
    )
    return reason, evaluation.day_begins(day)


def _upcoming_due_dates(evaluation: _Evaluation) -> Iterator[date]:
    """The days on which an invoice becomes overdue or a hold on it ends."""
    today, grace = evaluation.debt.today, timedelta(days=evaluation.rules.grace_days + 1)
    for invoice in evaluation.case.invoices:
        if invoice.currency != evaluation.case.currency or not invoice.is_open or invoice.disputed:
            continue
        holds = [h for h in evaluation.case.holds if h.invoice == invoice.number and h.is_in_force(today)]
        ends = [hold.until + timedelta(days=1) for hold in holds if hold.until is not None]
        if len(ends) == len(holds):
            yield max([invoice.due + grace, *ends])


def _check_open_draft(evaluation: _Evaluation, besides: str | None) -> NotEligible | None:
    claim = evaluation.case.ladder.open_at(evaluation.now)
    if claim is None or claim.draft_id == besides:
        evaluation.passes("claim", gettext("No other draft is open."))
        return None
    return evaluation.stops(
        "claim",
        gettext(
            "A %(level)s reminder is open: it is %(state)s.",
            level=level_words(claim.level),
            state=_describe_state(claim.state),
        ),
    )


def _describe_state(state: str) -> str:
    return {"draft": gettext("a draft"), "unknown": gettext("in doubt")}.get(state, state_words(state))


def _next_level(ladder: Ladder, rules: LadderRules) -> LevelRule | None:
    """The level above the highest one sent in this cycle; None after the last."""
    remaining: list[LevelRule] = []
    for level in reversed(rules.levels):
        if ladder.sent_in_cycle(level.name):
            break
        remaining.append(level)
    return remaining[-1] if remaining else None


def _check_declined(evaluation: _Evaluation, level: LevelRule, automatic: bool) -> NotEligible | None:
    declined, ladder = evaluation.case.ladder.declined, evaluation.case.ladder
    is_unchanged = declined and (declined.level, declined.cycle, declined.fingerprint) == (
        level.name,
        ladder.cycle,
        evaluation.debt.fingerprint,
    )
    if automatic and is_unchanged:
        return evaluation.stops(
            "declined", gettext("A person rejected the %(level)s reminder of this debt.", level=level_words(level.name))
        )
    return None


def _check_gaps(evaluation: _Evaluation, level: LevelRule) -> NotEligible | None:
    """The waiting times since the last reminder of this level and since the level before."""
    for since, days, description in _gap_rules(evaluation, level):
        until = since + timedelta(days=days)
        rule = gettext("%(days)s days after %(event)s", days=days, event=description)
        if evaluation.now < until:
            zone = evaluation.rules.zone(evaluation.case.customer.time_zone)
            return evaluation.stops(
                "gap", gettext("Wait until %(rule)s.", rule=rule), evaluation.rules.next_sending_moment(until, zone)
            )
        evaluation.passes("gap", gettext("It is at least %(rule)s.", rule=rule))
    return _check_sending_day(evaluation)


def _gap_rules(evaluation: _Evaluation, level: LevelRule) -> Iterator[tuple[datetime, int, str]]:
    ladder, before = evaluation.case.ladder, evaluation.rules.before(level.name)
    if (mark := ladder.sent.get(level.name)) is not None:
        yield mark.at, level.none_within_days, gettext("the last %(level)s reminder", level=level_words(level.name))
    if before is not None and (previous := ladder.sent_in_cycle(before.name)) is not None:
        yield previous.at, level.days_after_previous, gettext("the %(level)s reminder", level=level_words(before.name))


def _check_sending_day(evaluation: _Evaluation) -> NotEligible | None:
    zone = evaluation.rules.zone(evaluation.case.customer.time_zone)
    moment = evaluation.rules.next_sending_moment(evaluation.now, zone)
    if moment > evaluation.now:
        return evaluation.stops("day", gettext("No reminders go out today."), moment)
    evaluation.passes("day", gettext("Reminders go out today."))
    return None
