"""Reports on the ledger: ages to the day, payments counted once, days to pay."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from almanac.desks.reminders.model.ledger import Payment
from almanac.desks.reminders.model.reports import age_band, summarize_ageing, summarize_recovered, summarize_time_to_pay
from almanac.desks.reminders.model.sent import SentReminder
from almanac.kit.money import Money

TODAY = date(2026, 3, 2)
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def sent(level, days, invoices, customer="acme", currency="EUR", version=1):
    at = NOW - timedelta(days=days)
    return SentReminder(
        id=f"{level}@{customer}@{days}",
        customer_id=customer,
        level=level,
        subject="s",
        text="t",
        status="sent",
        sent_at=at,
        approved_by="somebody",
        message_id=None,
        delivery_status=None,
        delivery={},
        currency=currency,
        template_id=f"reminder_{level}",
        template_version=version,
        invoices=tuple(invoices),
    )


def payment(reference, days, towards, currency="EUR"):
    parts = {number: Decimal(part) for number, part in towards.items()}
    amount = Money(sum(parts.values(), Decimal()), currency)
    return Payment(
        customer_id="acme", id=reference, amount=amount, received_at=NOW - timedelta(days=days), towards=parts
    )


@pytest.mark.parametrize(
    ("days", "band"),
    [
        (-5, "not_due"),
        (0, "not_due"),
        (1, "0-30"),
        (30, "0-30"),
        (31, "31-60"),
        (60, "31-60"),
        (61, "61-90"),
        (90, "61-90"),
        (91, "90+"),
        (2000, "90+"),
    ],
)
def test_an_invoice_is_as_old_as_the_days_since_it_was_due(invoice, days, band):
    assert age_band(invoice(due=TODAY - timedelta(days=days)), TODAY) == band


def test_ages_are_added_up_by_currency_and_what_is_paid_does_not_count(invoice):
    euros, dollars = summarize_ageing(
        [
            invoice("A", "10.00", due=TODAY - timedelta(days=3)),
            invoice("B", "10.10", due=TODAY - timedelta(days=20), paid="0.10"),
            invoice("C", "99.00", due=TODAY - timedelta(days=95), paid="99.00"),
            invoice("D", "5.00", due=TODAY + timedelta(days=9)),
            invoice("E", "7.00", currency="USD", due=TODAY - timedelta(days=95)),
        ],
        TODAY,
    )
    assert [(band.band, band.invoices, str(band.amount)) for band in euros.bands] == [
        ("not_due", 1, "5.00 EUR"),
        ("0-30", 2, "20.00 EUR"),
        ("31-60", 0, "0.00 EUR"),
        ("61-90", 0, "0.00 EUR"),
        ("90+", 0, "0.00 EUR"),
    ]
    assert str(euros.overdue) == "20.00 EUR"
    assert str(dollars.overdue) == "7.00 USD"


def test_a_payment_counts_once_for_the_last_reminder_that_named_its_invoice():
    mails = [sent("first", 30, ["A", "B"]), sent("second", 20, ["A"])]
    paid = {"acme": [payment("p1", 10, {"A": "60.00", "B": "40.00"}), payment("early", 40, {"A": "5.00"})]}
    first, second = summarize_recovered(mails, paid)
    assert (first.level, first.sent, first.answered, str(first.amount)) == ("first", 1, 1, "40.00 EUR")
    assert (second.level, second.sent, second.answered, str(second.amount)) == ("second", 1, 1, "60.00 EUR")


def test_versions_of_a_template_and_currencies_are_told_apart():
    mails = [
        sent("first", 30, ["A"], version=1),
        sent("first", 20, ["A"], version=2),
        sent("first", 9, [], currency="USD"),
    ]
    report = summarize_recovered(mails, {"acme": [payment("p", 1, {"A": "1.00"})]})
    assert [(row.template_version, row.currency, row.answered) for row in report] == [
        (1, "EUR", 0),
        (1, "USD", 0),
        (2, "EUR", 1),
    ]


def test_days_to_pay_count_from_the_due_date(invoice):
    paid = [
        invoice(f"I{days}", paid="100.00", due=TODAY - timedelta(days=days), settled_at=NOW) for days in (-2, 0, 4, 10)
    ]
    [report] = summarize_time_to_pay(paid, NOW - timedelta(days=1), NOW + timedelta(days=1))
    assert (report.invoices, report.median_days, report.mean_days, report.on_time) == (4, 2.0, 3.0, 2)
    assert summarize_time_to_pay(paid, NOW - timedelta(days=9), NOW - timedelta(days=1)) == []
