"""Whether a customer may be reminded now: the documented gaps, holds, cycles, days, and the trace that explains it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from almanac.desks.reminders.model.eligibility import Case, Eligible, NotEligible, check_eligibility
from almanac.desks.reminders.model.ladder import (
    DEFAULT_RULES,
    DeclinedDraft,
    Ladder,
    LadderRules,
    LevelRule,
    OpenDraft,
    SentMark,
    check_rules,
)
from almanac.desks.reminders.model.ledger import Customer, Hold
from almanac.errors import FieldErrors

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def case(invoice):
    """A customer with one overdue invoice; `sent` says how many days ago which level went out."""

    def make(sent=(), cycle=1, invoices=None, holds=(), customer=None, **ladder):
        marks = {level: SentMark("d", at_cycle, NOW - ago) for level, ago, at_cycle in sent}
        return Case(
            customer or Customer(id="acme", name="Acme Ltd", email="acme@example.org"),
            Ladder(customer_id="acme", currency="EUR", cycle=cycle, sent=marks, **ladder),
            tuple([invoice()] if invoices is None else invoices),
            tuple(holds),
        )

    return make


def days(number):
    return timedelta(days=number)


def test_a_first_reminder_needs_an_overdue_invoice_only(case):
    decision = check_eligibility(case(), DEFAULT_RULES, NOW)
    assert isinstance(decision, Eligible)
    assert (decision.level, decision.cycle, str(decision.debt.total)) == ("first", 1, "100.00 EUR")
    assert all(line.passed for line in decision.trace)


@pytest.mark.parametrize(
    ("sent", "cycle", "level", "wait"),
    [
        ([("first", days(7) - SECOND, 1)], 1, None, SECOND),
        ([("first", days(7), 1)], 1, "second", None),
        ([("first", days(7) - SECOND, 1)], 2, None, SECOND),
        ([("first", days(7), 1)], 2, "first", None),
        ([("first", days(30), 1), ("second", days(5) - SECOND, 1)], 1, None, SECOND),
        ([("first", days(30), 1), ("second", days(5), 1)], 1, "final", None),
        ([("first", days(8), 2), ("second", days(5) - SECOND, 1)], 2, None, SECOND),
        ([("first", days(8), 2), ("second", days(5), 1)], 2, "second", None),
        ([("first", days(20), 2), ("second", days(6), 2), ("final", days(3) - SECOND, 1)], 2, None, SECOND),
        ([("first", days(20), 2), ("second", days(6), 2), ("final", days(3), 1)], 2, "final", None),
    ],
)
def test_the_documented_gaps_hold_to_the_second(case, sent, cycle, level, wait):
    decision = check_eligibility(case(sent, cycle), DEFAULT_RULES, NOW)
    if level is None:
        assert isinstance(decision, NotEligible)
        assert (decision.rule, decision.next_date) == ("gap", NOW + wait)
        decision = check_eligibility(case(sent, cycle), DEFAULT_RULES, decision.next_date)
        assert isinstance(decision, Eligible)
    else:
        assert decision.level == level


def test_after_the_final_reminder_a_person_must_go_on(case):
    sent = [("first", days(60), 1), ("second", days(50), 1), ("final", days(40), 1)]
    assert check_eligibility(case(sent), DEFAULT_RULES, NOW).rule == "exhausted"


@pytest.mark.parametrize("state", ["draft", "approved", "snoozed", "sending", "unknown"])
def test_every_open_state_holds_the_level(case, state):
    claim = OpenDraft("d1", "first", 1, state, "f", NOW, NOW + days(30))
    decision = check_eligibility(case(open=claim), DEFAULT_RULES, NOW)
    assert decision.rule == "claim"
    assert decision.next_date is None
    assert isinstance(check_eligibility(case(open=claim), DEFAULT_RULES, NOW, besides="d1"), Eligible)


@pytest.mark.parametrize(
    ("state", "free"), [("draft", True), ("approved", True), ("sending", False), ("unknown", False)]
)
def test_only_an_unsent_draft_lets_go_when_it_expires(case, state, free):
    claim = OpenDraft("d1", "first", 1, state, "f", NOW - days(31), NOW)
    assert isinstance(check_eligibility(case(open=claim), DEFAULT_RULES, NOW), Eligible) is free


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"opted_out": True}, "never"),
        ({"never_remind": True}, "never"),
        ({"email": None}, "address"),
        ({"erased_at": NOW}, "erased"),
    ],
)
def test_a_customer_who_must_not_be_written_to_is_not(case, change, rule):
    customer = replace(Customer(id="acme", name="Acme", email="acme@example.org"), **change)
    assert check_eligibility(case(customer=customer), DEFAULT_RULES, NOW).rule == rule


def test_a_hold_ends_the_day_after_its_last_day(case):
    hold = Hold(customer_id="acme", id="h", kind="promise", until=date(2026, 3, 4))
    decision = check_eligibility(case(holds=[hold]), DEFAULT_RULES, NOW)
    assert (decision.rule, decision.next_date) == ("hold", datetime(2026, 3, 5, tzinfo=UTC))
    assert isinstance(check_eligibility(case(holds=[hold]), DEFAULT_RULES, decision.next_date), Eligible)


def test_a_hold_without_an_end_waits_for_a_person(case):
    hold = Hold(customer_id="acme", id="h", kind="dispute")
    assert check_eligibility(case(holds=[hold]), DEFAULT_RULES, NOW).next_date is None
    lifted = replace(hold, lifted_at=NOW)
    assert isinstance(check_eligibility(case(holds=[lifted]), DEFAULT_RULES, NOW), Eligible)


def test_held_and_disputed_invoices_are_left_out_of_the_debt(case, invoice):
    invoices = [invoice("A"), invoice("B", disputed=True), invoice("C"), invoice("D", paid="100.00")]
    holds = [Hold(customer_id="acme", id="h", kind="pause", invoice="C")]
    decision = check_eligibility(case(invoices=invoices, holds=holds), DEFAULT_RULES, NOW)
    assert decision.debt.numbers == ("A",)


def test_more_invoices_than_a_letter_can_name_are_left_to_a_person(case, invoice):
    many = tuple(invoice(f"I-{number}") for number in range(501))
    assert isinstance(check_eligibility(case(invoices=many[:500]), DEFAULT_RULES, NOW), Eligible)
    stopped = check_eligibility(case(invoices=many), DEFAULT_RULES, NOW)
    assert (stopped.rule, stopped.next_date) == ("many", None)


def test_without_a_debt_the_next_date_is_when_one_falls_due(case, invoice):
    later = [invoice("A", due=date(2026, 3, 10)), invoice("B", due=date(2026, 3, 8))]
    decision = check_eligibility(case(invoices=later), DEFAULT_RULES, NOW)
    assert (decision.rule, decision.next_date) == ("debt", datetime(2026, 3, 9, tzinfo=UTC))
    assert check_eligibility(case(invoices=[]), DEFAULT_RULES, NOW).next_date is None


def test_an_invoice_is_overdue_when_the_customers_own_day_is_over(case, invoice):
    due = [invoice(due=date(2026, 3, 2))]
    evening = datetime(2026, 3, 2, 12, tzinfo=UTC)
    at_home = Customer(id="acme", name="Acme", email="a@example.org", time_zone="Pacific/Auckland")
    assert check_eligibility(case(invoices=due), DEFAULT_RULES, evening).rule == "debt"
    assert isinstance(check_eligibility(case(invoices=due, customer=at_home), DEFAULT_RULES, evening), Eligible)


def test_days_of_grace_pass_before_the_first_reminder(case, invoice):
    rules = replace(DEFAULT_RULES, grace_days=3)
    decision = check_eligibility(case(invoices=[invoice(due=date(2026, 2, 27))]), rules, NOW)
    assert (decision.rule, decision.next_date) == ("grace", datetime(2026, 3, 3, tzinfo=UTC))
    assert isinstance(
        check_eligibility(case(invoices=[invoice(due=date(2026, 2, 27))]), rules, decision.next_date), Eligible
    )


def test_on_business_days_only_weekends_and_holidays_are_passed_over(case):
    rules = replace(DEFAULT_RULES, business_days_only=True, holidays=frozenset({date(2026, 3, 9)}))
    saturday = datetime(2026, 3, 7, 12, tzinfo=UTC)
    decision = check_eligibility(case(), rules, saturday)
    assert (decision.rule, decision.next_date) == ("day", datetime(2026, 3, 10, tzinfo=UTC))


def test_a_rejected_debt_is_not_drafted_again_by_itself(case):
    rejected_case = case()
    fingerprint = rejected_case.debt(DEFAULT_RULES, NOW).fingerprint
    declined = case(declined=DeclinedDraft("first", 1, fingerprint, NOW))
    assert check_eligibility(declined, DEFAULT_RULES, NOW, automatic=True).rule == "declined"
    assert isinstance(check_eligibility(declined, DEFAULT_RULES, NOW), Eligible)


def test_a_ladder_may_have_other_levels(case):
    rules = LadderRules(levels=(LevelRule("friendly", 2), LevelRule("firm", 2, 10)))
    assert check_eligibility(case([("friendly", days(9), 1)]), rules, NOW).next_date == NOW + days(1)
    assert check_eligibility(case([("friendly", days(10), 1)]), rules, NOW).level == "firm"


@pytest.mark.parametrize(
    "levels", [(), (LevelRule("a", 1), LevelRule("a", 1)), (LevelRule("no space", 1),), (LevelRule("a", -1),)]
)
def test_rules_that_no_ladder_can_follow_are_refused(levels):
    with pytest.raises(FieldErrors):
        check_rules(LadderRules(levels=levels))


def test_a_day_in_a_reason_is_written_as_the_reader_writes_it(case, invoice):
    later = case(invoices=[invoice(due=date(2026, 3, 5))])
    reason = check_eligibility(later, DEFAULT_RULES, NOW).why
    assert "the next invoice will be overdue on" in str(reason)
    assert "Mar 2026." in str(reason)
    assert "3月" in reason.translated("ja")
