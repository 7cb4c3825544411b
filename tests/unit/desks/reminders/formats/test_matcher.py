"""Each row of a file is created, updated, unchanged or refused with a reason; a dry run has the same totals."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from almanac.desks.reminders import store
from almanac.desks.reminders.formats.report import write_refused_rows
from almanac.desks.reminders.formats.rows import ImportOptions
from almanac.desks.reminders.model.ladder import DEFAULT_RULES
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.pipeline.imports import ImportRun, merge_reports, prepare_import
from almanac.errors import Unavailable

DIRTY = """Customer ID;Customer Name;Email;Invoice No;Amount;Currency;Invoice Date;Due Date;Paid
acme;Acme Ltd;acme@example.org;A-1;1.500,00;EUR;01.01.2026;31.01.2026;
acme;;;A-2;99,90;EUR;02.01.2026;01.02.2026;99,90
beta;"Beta ""&"" Söhne
GmbH";beta@example.org, second@example.org;B-1;12,50 €;;;15.01.2026;
acme;;;A-3;0,00;EUR;;31.01.2026;
acme;;;A-4;-5,00;EUR;;31.01.2026;
acme;;;A-5;5,00;EUR;;31.02.2026;
acme;;;A-6;5,00;EUR;31.01.2026;01.01.2026;
ghost;;;G-1;5,00;EUR;;31.01.2026;
acme;;;A-1;1.500,00;EUR;01.01.2026;31.01.2026;
long;{name};;L-1;5,00;EUR;;31.01.2026;
bad mail;Bad;nobody;M-1;5,00;EUR;;31.01.2026;
mail;Mail;nobody;M-2;5,00;EUR;;31.01.2026;
acme;;;;5,00;EUR;;31.01.2026;
acme;;;1.5E+10;5,00;EUR;;31.01.2026;
acme;;;A-7;5,00;EUR;;31.01.2026;6,00
acme;;;A-8;5,00;EUR;;31.01.2026;;one;too many
acme;;;A-9;5,00;EURO;;31.01.2026;
acme;;;A-10;5,00;EUR;;;

""".format(name="N" * 301)


async def progress(done, total, doing):
    assert done <= total


@pytest.fixture
def run(tables, clock):
    async def run(content, reading=None):
        data = content if isinstance(content, bytes) else content.encode()
        prepared = await prepare_import(tables, data, reading or ImportOptions())
        return await ImportRun(tables, DEFAULT_RULES, clock.now(), prepared, progress).run()

    return run


@pytest.fixture
def trial(tables):
    async def trial(content, reading=None):
        data = content if isinstance(content, bytes) else content.encode()
        return (await prepare_import(tables, data, reading or ImportOptions())).report

    return trial


async def test_dirty_rows_are_named_and_the_others_are_taken(trial, run, tables):
    planned = await trial(DIRTY)
    done = await run(DIRTY)
    assert planned.counts == done.counts == {"created": 3, "updated": 0, "unchanged": 0, "refused": 15}
    assert (planned.customers_created, planned.blank) == (2, 1)
    assert [row.line for row in done.refused] == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    assert all(row.reason.endswith(".") for row in done.refused)
    beta = await store.get_customer(tables, "beta")
    assert (beta.name, beta.recipients) == ('Beta "&" Söhne GmbH', ("beta@example.org", "second@example.org"))
    assert (await store.get_invoice(tables, "acme", "A-2")).state == "paid"
    assert (await store.get_invoice(tables, "acme", "A-1")).amount.amount == Decimal(1500)


async def test_each_fault_has_its_own_reason(trial):
    reasons = {row.number or row.customer_id: row.reason for row in (await trial(DIRTY)).refused}
    assert "zero" in reasons["A-3"]
    assert "-5.00" in reasons["A-4"]
    assert "isn't a day of the calendar" in reasons["A-5"]
    assert "before it was issued" in reasons["A-6"]
    assert "Customer ghost doesn't exist" in reasons["G-1"]
    assert "line 2 already" in reasons["A-1"]
    assert "301 characters" in reasons["L-1"]
    assert "without spaces" in reasons["M-1"]
    assert "isn't a mail address" in reasons["M-2"]
    assert "shortened" in reasons["1.5E+10"]
    assert "can't be paid" in reasons["A-7"]
    assert "11 cells" in reasons["A-8"]
    assert "isn't a currency" in reasons["A-9"]
    assert "due date is missing" in reasons["A-10"]


async def test_more_than_can_be_kept_is_refused_by_its_row_and_not_by_the_whole_file(run):
    addresses = " ".join(f"p{number}@example.org" for number in range(22))
    rows = [
        "customer_id,customer_name,email,invoice_number,amount,currency,due",
        f"many,Many,{addresses},M-1,5.00,EUR,2026-01-31",
        f"rich,Rich,rich@example.org,R-1,{'9' * 16}.00,EUR,2026-01-31",
        "fine,Fine,fine@example.org,F-1,5.00,EUR,2026-01-31",
    ]
    report = await run("\n".join(rows))
    assert {row.number: row.outcome for row in report.rows} == {"M-1": "refused", "R-1": "refused", "F-1": "created"}
    assert ["at most 21 addresses" in report.rows[0].reason, "too large" in report.rows[1].reason] == [True, True]


async def test_the_same_file_again_changes_nothing(run, trial, stored_items):
    await run(DIRTY)
    before = await stored_items()
    again = await run(DIRTY)
    assert again.counts == {"created": 0, "updated": 0, "unchanged": 3, "refused": 15}
    assert await stored_items() == before


async def test_a_changed_row_updates_its_invoice(run, tables):
    await run("customer id,customer name,invoice,amount,currency,due\nacme,Acme,A-1,100.00,EUR,2026-01-31\n")
    done = await run("customer id,invoice,amount,currency,due\nacme,A-1,120.00,EUR,2026-02-15\n")
    assert done.counts["updated"] == 1
    invoice = await store.get_invoice(tables, "acme", "A-1")
    assert (invoice.amount.amount, invoice.due) == (Decimal(120), date(2026, 2, 15))


async def test_a_number_of_another_customer_or_currency_is_refused(run, trial):
    await run("customer id,customer name,invoice,amount,currency,due\nacme,Acme,A-1,100.00,EUR,2026-01-31\n")
    rows = (
        await trial(
            "customer id,customer name,invoice,amount,currency,due\nbeta,Beta,A-1,100.00,EUR,2026-01-31\n"
            "acme,Acme,A-2,5.00,EUR,2026-01-31\n"
        )
    ).rows
    assert (rows[0].outcome, rows[0].reason) == ("refused", "Invoice A-1 belongs to customer acme.")
    assert rows[1].outcome == "created"
    changed = await trial("customer id,invoice,amount,currency,due\nacme,A-1,100.00,USD,2026-01-31\n")
    assert "currency can't change" in changed.rows[0].reason


async def test_what_the_ledger_knows_to_be_paid_is_not_unpaid_by_a_file(run, trial):
    head = "customer id,customer name,invoice,amount,currency,due,paid\n"
    await run(head + "acme,Acme,A-1,100.00,EUR,2026-01-31,60.00\n")
    assert "60.00 EUR" in (await trial(head + "acme,Acme,A-1,100.00,EUR,2026-01-31,10.00\n")).rows[0].reason
    assert (await trial(head + "acme,Acme,A-1,100.00,EUR,2026-01-31,\n")).counts["unchanged"] == 1


async def test_a_file_of_customers_creates_and_updates_them(run, tables):
    first = await run("id pelanggan,nama,emel,bahasa\nacme,Acme,acme@example.org,ms\nbeta,Beta,,\n")
    assert (first.counts["created"], first.customers_created) == (2, 2)
    second = await run("customer id,name,email\nacme,Acme Bhd,\nbeta,Beta,\n")
    assert (second.counts["updated"], second.counts["unchanged"]) == (1, 1)
    acme = await store.get_customer(tables, "acme")
    assert (acme.name, acme.email, acme.language) == ("Acme Bhd", "acme@example.org", "ms")


async def test_ambiguous_dates_and_amounts_are_asked_about(trial):
    content = 'customer id,customer name,invoice,amount,due\nacme,Acme,A-1,"1,234",03/04/2026\n'
    asked = await trial(content)
    assert {question.field for question in asked.questions} == {"day_order", "decimal_mark", "currency"}
    assert asked.counts["refused"] == 1
    answered = ImportOptions(day_order="mdy", decimal_mark=".", currency="EUR")
    report = await trial(content, answered)
    assert (report.questions, report.counts["created"]) == ((), 1)


async def test_a_currency_without_decimals_leaves_nothing_to_ask(trial):
    report = await trial(
        'customer id,customer name,invoice,amount,currency,due\nacme,Acme,A-1,"1,234",JPY,2026-01-31\n'
    )
    assert (report.questions, report.counts["created"]) == ((), 1)


async def test_days_to_pay_stand_in_for_a_due_date(run, tables):
    content = "customer id,customer name,invoice,amount,currency,invoice date\nacme,Acme,A-1,5.00,EUR,2026-01-01\n"
    await run(content, ImportOptions(terms_days=14))
    assert (await store.get_invoice(tables, "acme", "A-1")).due == date(2026, 1, 15)


async def test_refused_rows_are_a_file_to_correct_and_import_again(tables, run, trial):
    prepared = await prepare_import(tables, DIRTY.encode(), ImportOptions())
    content = write_refused_rows(prepared.sheet, prepared.report.rows)
    again = await trial(content)
    assert again.columns == prepared.report.columns
    assert len(again.rows) == len(prepared.report.refused)


async def test_a_row_that_loses_a_race_is_refused_alone(tables, clock):
    content = b"customer id,customer name,invoice,amount,currency,due\n" + b"".join(
        b"acme,Acme,A-%d,5.00,EUR,2026-01-31\n" % number for number in range(3)
    )
    prepared = await prepare_import(tables, content, ImportOptions())
    await store.create_customer(tables, Customer(id="rival", name="Rival"), now=clock.now())
    taken = replace(prepared.matched.invoices[3], customer_id="rival")
    await store.save_invoices(tables, [taken], rules=DEFAULT_RULES, now=clock.now())
    done = await ImportRun(tables, DEFAULT_RULES, clock.now(), prepared, progress).run()
    assert [row.outcome for row in done.rows] == ["created", "refused", "created"]
    assert done.rows[1].reason.endswith(".")


async def test_an_import_that_was_cut_off_reports_what_both_attempts_did(tables, clock):
    content = b"customer id,customer name,invoice,amount,currency,due\n" + b"".join(
        b"c%d,Customer,A-%d,5.00,EUR,2026-01-31\n" % (number, number) for number in range(3)
    )
    first = await prepare_import(tables, content, ImportOptions())
    seen = []

    async def cut_off(done, total, doing):
        seen.append(doing)
        if seen.count("Saving invoices") == 2:
            raise Unavailable("The power went.")

    with pytest.raises(Unavailable):
        await ImportRun(tables, DEFAULT_RULES, clock.now(), first, cut_off).run()
    second = await prepare_import(tables, content, ImportOptions())
    assert second.report.counts["unchanged"] == 1
    ended = merge_reports(first.report, await ImportRun(tables, DEFAULT_RULES, clock.now(), second, progress).run())
    assert ended.counts == first.report.counts
    assert ended.customers_created == 3
