"""Templates are strict: a placeholder that is unknown or has no value is an error that names it."""

from datetime import date
from decimal import Decimal

import pytest

from almanac.desks.reminders.model.draft import DebtFacts, InvoiceFact, ReminderTemplate
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.writer.letters import write_from_template
from almanac.desks.reminders.writer.templates import (
    LANGUAGES,
    LEVELS,
    SHIPPED,
    TemplateText,
    check_template,
    fill_placeholders,
    load_shipped_text,
    make_template_id,
)
from almanac.errors import FieldErrors

CUSTOMER = Customer(id="cust_001", name="John Doe", email="john@example.com")
FACTS = DebtFacts(
    currency="USD",
    total=Decimal("1500.00"),
    invoices=(
        InvoiceFact("INV-001", Decimal("1200.00"), date(2025, 9, 1), 20),
        InvoiceFact("INV-002", Decimal("300.00"), date(2025, 9, 20), 1),
    ),
    fingerprint="f",
)
DOCUMENTED = ReminderTemplate(
    id="reminder_first",
    version=1,
    name="First Reminder Template",
    subject="Payment Reminder: Invoice {{invoice_id}} - Innovate AI",
    body="Dear {{customer_name}}...",
)


def written(template, customer=CUSTOMER, facts=FACTS):
    return write_from_template(template, customer, facts, level="first", sender_name="Innovate AI")


def test_the_documented_template_is_filled():
    wording = written(DOCUMENTED)
    assert wording.subject == "Payment Reminder: Invoice INV-001, INV-002 - Innovate AI"
    assert wording.text == "Dear John Doe..."
    assert (wording.template_id, wording.template_version) == ("reminder_first", 1)


def test_a_placeholder_without_a_value_is_named():
    with pytest.raises(FieldErrors, match=r"needs \{\{customer_email\}\}"):
        fill_placeholders("Write to {{ customer_email }}.", {"customer_email": ""})


def test_what_a_customer_is_called_is_never_a_placeholder():
    wording = written(DOCUMENTED, customer=Customer(id="c", name="{{sender_name}}"))
    assert wording.text == "Dear {{sender_name}}..."


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("Dear {{name}}", "{{name}} isn't a placeholder"),
        ("Dear {{customer_name}", "two braces"),
        ("Dear customer_name}}", "two braces"),
        ("  ", "Write something"),
        ("x" * 20_001, "at most 20,000"),
        ("You owe 50.00 EUR.", "50.00 EUR would be in every letter"),
        ("Pay by 1 May 2026.", "1 May 2026 would be in every letter"),
    ],
)
def test_a_template_that_could_not_be_sent_is_refused(body, sentence):
    with pytest.raises(FieldErrors) as failure:
        check_template(TemplateText("A reminder", body))
    assert sentence in failure.value.fields["body"]


def test_a_subject_has_one_line():
    with pytest.raises(FieldErrors):
        check_template(TemplateText("A reminder\nBcc: all@example.org", "Hello"))


def test_days_and_telephone_numbers_of_a_template_are_its_own_words():
    text = TemplateText("A reminder", "Please pay within 14 days or call +60 3 1234 5678. {{overdue_amount}}")
    template = ReminderTemplate(id="t", version=1, name="t", subject=text.subject, body=check_template(text).body)
    assert written(template).text.endswith("1,500.00 USD")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", LEVELS)
def test_every_template_that_comes_along_makes_a_letter(level, language):
    name = make_template_id(level, language)
    text = check_template(load_shipped_text(name))
    template = ReminderTemplate(id=name, version=1, name=name, subject=text.subject, body=text.body)
    wording = written(template, customer=Customer(id="c", name="Café Nº 7", language=language, email="c@example.org"))
    assert "1,500.00 USD" in wording.text
    assert "INV-001" in wording.text
    assert "{{" not in wording.text + wording.subject


def test_english_templates_have_the_documented_ids():
    assert make_template_id("first") == "reminder_first"
    assert load_shipped_text("reminder_unheard_of") is None
    assert len(SHIPPED) == len(LANGUAGES) * len(LEVELS)


def test_a_line_of_the_list_tells_number_amount_and_days():
    body = ReminderTemplate(id="t", version=1, name="t", subject="s", body="{{invoice_list}}")
    assert written(body).text.splitlines() == [
        "INV-001: 1,200.00 USD, due 1 September 2025, 20 days overdue",
        "INV-002: 300.00 USD, due 20 September 2025, 1 day overdue",
    ]
