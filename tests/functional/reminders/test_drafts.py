"""Drafts list all that is overdue in one currency, by template or model, and nothing that the ledger doesn't say."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from almanac.accounts.model import CONSOLE
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service, store
from almanac.desks.reminders.model.ledger import Invoice
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.store.table import EmailTemplate
from almanac.desks.reminders.writer.checks import InventedFact
from almanac.desks.reminders.writer.templates import TemplateText
from almanac.errors import Conflict, InputError, StaleEdit
from almanac.kit.money import Money


@pytest.fixture
async def acme(account):
    account_of_acme = await account("acme")
    await account_of_acme.owe("acme-2", amount="50.50")
    return account_of_acme


async def owe_dollars(services, customer):
    invoice = Invoice(
        customer_id=customer,
        number=f"{customer}-usd",
        amount=Money(Decimal(7), "USD"),
        issued=None,
        due=date(2026, 1, 1),
        paid=Money.zero("USD"),
        credited=Money.zero("USD"),
    )
    rules = await load_rules(services)
    await store.save_invoices(services.tables, [invoice], rules=rules, now=services.clock.now())


async def test_one_draft_names_all_that_is_overdue(services, acme):
    draft = await service.draft_reminder(services, CONSOLE, "acme", level="first")
    assert draft.wording.recipients == ("acme@example.org",)
    assert "acme-1: 100.00 EUR, due 1 February 2026, 29 days overdue" in draft.wording.text
    assert "In total: 150.50 EUR" in draft.wording.text
    assert (draft.wording.template_id, draft.wording.template_version) == ("reminder_first", 1)
    assert draft.created_by.id == CONSOLE.user_id


async def test_each_currency_is_a_draft_of_its_own(services, acme):
    await owe_dollars(services, "acme")
    with pytest.raises(Conflict, match="several currencies"):
        await service.draft_reminder(services, CONSOLE, "acme")
    euros = await service.draft_reminder(services, CONSOLE, "acme", currency="EUR")
    dollars = await service.draft_reminder(services, CONSOLE, "acme", currency="USD")
    assert "USD" not in euros.wording.text
    assert "EUR" not in dollars.wording.text


async def test_a_level_out_of_turn_and_a_second_draft_are_refused(services, acme):
    with pytest.raises(Conflict, match="first reminder is next, not final"):
        await service.draft_reminder(services, CONSOLE, "acme", level="final")
    await service.draft_reminder(services, CONSOLE, "acme")
    with pytest.raises(Conflict, match="reminder is open"):
        await service.draft_reminder(services, CONSOLE, "acme")


async def test_an_edit_may_change_the_words_and_not_the_facts(services, acme):
    draft = await service.draft_reminder(services, CONSOLE, "acme")
    edited = await service.edit_draft(
        services, CONSOLE, draft.id, subject="A word", text="Dear all,\nplease pay 150.50 EUR.", expected=draft.version
    )
    assert (edited.wording.text, edited.wording.written_by) == ("Dear all,\nplease pay 150.50 EUR.", "person")
    with pytest.raises(InventedFact) as failure:
        await service.edit_draft(services, CONSOLE, draft.id, subject="A word", text="Please pay 150.00 EUR.")
    assert "150.00 EUR" in failure.value.fields["text"]
    assert (await store.get_draft(services.tables, draft.id)).wording == edited.wording


async def test_a_changed_debt_is_written_anew(services, acme):
    draft = await service.draft_reminder(services, CONSOLE, "acme")
    await acme.pay("50.50", "bank-7")
    redrafted = await service.redraft(services, CONSOLE, draft.id)
    assert "100.00 EUR" in redrafted.wording.text
    assert "acme-1" in redrafted.wording.text
    assert redrafted.outdated == ""


async def test_a_new_version_of_the_template_voids_an_approval(services, acme):
    draft = await service.draft_reminder(services, CONSOLE, "acme")
    await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
    text = TemplateText("Please pay {{overdue_amount}}", "Dear {{customer_name}},\n{{invoice_list}}\n")
    saved = await service.save_template(services, CONSOLE, "reminder_first", text, expected=1)
    assert saved.version == 2
    now = await store.get_draft(services.tables, draft.id)
    assert (now.state, now.approved) == ("draft", None)
    assert "newer version" in now.outdated
    assert (await service.redraft(services, CONSOLE, draft.id)).wording.subject == "Please pay 150.50 EUR"


async def test_versions_of_templates_are_added_and_never_changed(services):
    first = await service.get_template(services, CONSOLE, "reminder_first")
    text = TemplateText("Hello", "Dear {{customer_name}}")
    await service.save_template(services, CONSOLE, "reminder_first", text, expected=1)
    with pytest.raises(StaleEdit):
        await service.save_template(services, CONSOLE, "reminder_first", text, expected=1)
    assert [
        version.version for version in await service.list_template_versions(services, CONSOLE, "reminder_first")
    ] == [2, 1]
    assert (await service.get_template(services, CONSOLE, "reminder_first", 1)).body == first.body


async def test_a_version_that_another_program_retired_is_not_written_from(services, acme):
    text = TemplateText("Hello", "Dear {{customer_name}}, {{overdue_amount}}")
    await service.save_template(services, CONSOLE, "reminder_first", text, expected=1)
    await services.tables.patch(EmailTemplate.key(template_id="reminder_first", version=2), status="retired")
    draft = await service.draft_reminder(services, CONSOLE, "acme")
    assert draft.wording.template_version == 1
    await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
    assert (await service.send_draft(services, CONSOLE, draft.id)).state == "sent"


async def test_a_preview_shows_a_real_customer(services, acme):
    text = TemplateText("For {{customer_name}}", "{{invoice_count}} invoices, {{overdue_amount}}")
    preview = await service.preview_template(services, CONSOLE, "reminder_first", "acme", text=text)
    assert (preview.subject, preview.text) == ("For Acme Ltd", "2 invoices, 150.50 EUR")
    await acme.pay("150.50")
    with pytest.raises(Conflict, match="overdue"):
        await service.preview_template(services, CONSOLE, "reminder_first", "acme")


async def test_a_batch_drafts_whoever_may_be_reminded_and_says_why_not_for_the_others(services, acme, account):
    await account("beta")
    await account("gamma", never_remind=True)
    await owe_dollars(services, "acme")
    started = await service.start_drafting(services, CONSOLE, ["acme", "beta", "gamma", "nobody"])
    await make_worker(services).drain()
    outcomes = await service.get_draft_batch(services, CONSOLE, started.id)
    assert [(outcome.customer_id, outcome.currency, bool(outcome.draft_id)) for outcome in outcomes] == [
        ("acme", "EUR", True),
        ("acme", "USD", True),
        ("beta", "EUR", True),
        ("gamma", "EUR", False),
        ("nobody", "", False),
    ]
    assert "never be reminded" in outcomes[3].reason
    assert "Customer nobody doesn't exist" in outcomes[4].reason
    with pytest.raises(InputError, match="Nobody is due"):
        await service.start_drafting(services, CONSOLE)


async def test_a_batch_has_a_hundred_customers_at_most(services):
    with pytest.raises(InputError, match="at most 100"):
        await service.start_drafting(services, CONSOLE, [f"c{number}" for number in range(101)])


async def test_the_plan_says_what_goes_out_tomorrow_and_why_not(services, acme, account, clock):
    await account("held", opted_out=True)
    later = await account("later")
    await later.send()
    plan = await service.get_plan(services, CONSOLE)
    assert plan.at == clock.now() + timedelta(days=1)
    assert [(line.customer_id, line.level) for line in plan.going_out] == [("acme", "first")]
    assert plan.amounts[("first", "EUR")].amount == Decimal("150.50")
    by_customer = {line.customer_id: line for line in plan.lines}
    assert by_customer["held"].decision.rule == "never"
    assert by_customer["later"].next_date == clock.now() + timedelta(days=7)
    assert any(not line.passed for line in by_customer["later"].decision.trace)
    assert plan.reasons == {"never": 1, "gap": 1}


async def test_reports_tell_age_recovery_and_time_to_pay(services, acme, clock):
    template = {"template_id": "reminder_first", "template_version": 1}
    await acme.send(**template)
    clock.advance(days=2)
    await acme.pay("100.00")
    [ageing] = await service.get_ageing_report(services, CONSOLE)
    assert {band.band: str(band.amount) for band in ageing.bands if band.invoices} == {"31-60": "50.50 EUR"}
    since, until = clock.now() - timedelta(days=30), clock.now() + timedelta(days=1)
    [recovered] = await service.get_recovered_report(services, CONSOLE, since, until)
    assert (recovered.level, recovered.template_id, recovered.sent, recovered.answered) == (
        "first",
        "reminder_first",
        1,
        1,
    )
    assert str(recovered.amount) == "100.00 EUR"
    [taken] = await service.get_time_to_pay_report(services, CONSOLE, since, until)
    assert (taken.invoices, taken.median_days, taken.on_time) == (1, 31.0, 0)
