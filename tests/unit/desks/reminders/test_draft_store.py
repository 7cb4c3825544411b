"""Drafts next to those of other programs, taken seconds, edited rules, and retention."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import store
from almanac.desks.reminders.model import transitions
from almanac.desks.reminders.model.ladder import DEFAULT_RULES, LevelRule
from almanac.desks.reminders.store.table import EmailDraft
from almanac.errors import Conflict, NotFound, StaleEdit


async def test_a_draft_of_another_program_is_shown_and_not_sent(tables, clock):
    foreign = EmailDraft(
        customer_id="cust_001",
        timestamp=clock.now(),
        reminder_type="first",
        email_subject="S",
        email_content="T",
        customer_email="john@example.com",
        created_by="ai_system",
    )
    await tables.create(foreign)
    [draft] = (await store.list_drafts(tables)).items
    assert (draft.id, draft.wording.recipients) == ("20260302_090000_cust_001", ("john@example.com",))
    with pytest.raises(Conflict, match="Another program"):
        await store.change_draft(
            tables, draft.id, lambda d, _: transitions.reopen(d), rules=DEFAULT_RULES, now=clock.now()
        )


@pytest.mark.parametrize("wrong", ["", "x", "20260302_090000", "20260302_090000_", "20269902_090000_acme", "☃" * 40])
async def test_an_id_that_names_no_draft_is_not_found(tables, wrong):
    with pytest.raises(NotFound):
        await store.get_draft(tables, wrong)


async def test_drafts_of_two_currencies_in_one_second_get_keys_of_their_own(tables, clock, owing, drafted, invoice):
    await owing()
    dollars = [invoice("INV-9", currency="USD")]
    await store.save_invoices(tables, dollars, rules=DEFAULT_RULES, now=clock.now())
    made = await asyncio.gather(drafted(), drafted(currency="USD"))
    assert sorted(draft.id for draft in made) == ["20260302_090000_acme", "20260302_090001_acme"]


async def test_an_edit_on_an_older_version_is_refused(tables, clock, owing, drafted):
    await owing()
    draft = await drafted()
    words = replace(draft.wording, text="Other words.")

    async def edit(expected):
        return await store.change_draft(
            tables,
            draft.id,
            lambda d, c: transitions.rewrite(d, c, words, CONSOLE),
            rules=DEFAULT_RULES,
            now=clock.now(),
            expected=expected,
        )

    assert (await edit(draft.version)).version == draft.version + 1
    with pytest.raises(Conflict, match="changed after you opened it"):
        await edit(draft.version)


async def test_an_undecided_draft_is_kept_for_thirty_days_and_one_being_sent_until_its_outcome(
    tables, clock, owing, drafted, stored_items
):
    await owing()
    draft = await drafted()
    seen, now = draft.content_hash, clock.now()
    key = ("CUSTOMER#acme", f"DRAFT#{draft.id}")
    assert int((await stored_items())[key]["expires_at"]["N"]) == int((now + timedelta(days=30)).timestamp())
    for change in (
        lambda d, c: transitions.approve(d, c, DEFAULT_RULES, seen, CONSOLE, now),
        lambda d, c: transitions.begin_sending(d, c, DEFAULT_RULES, now),
    ):
        await store.change_draft(tables, draft.id, change, rules=DEFAULT_RULES, now=now)
    assert "expires_at" not in (await stored_items())[key]
    await store.change_draft(tables, draft.id, lambda d, _: replace(d, state="failed"), rules=DEFAULT_RULES, now=now)
    assert "expires_at" in (await stored_items())[key]


async def test_a_sent_reminder_and_its_bytes_are_kept_for_a_year_and_the_guard_for_good(
    tables, clock, owing, drafted, stored_items
):
    await owing()
    draft = await drafted()
    seen, now = draft.content_hash, clock.now()
    for change in (
        lambda d, c: transitions.approve(d, c, DEFAULT_RULES, seen, CONSOLE, now),
        lambda d, c: transitions.begin_sending(d, c, DEFAULT_RULES, now),
    ):
        await store.change_draft(tables, draft.id, change, rules=DEFAULT_RULES, now=now)
    mail = store.SentMail(mail_id="m", message_id="<m>", at=now, raw=b"bytes", delivery={"a@example.org": "sent"})
    sent = await store.record_sent(tables, draft.id, mail)
    items, year = await stored_items(), str(int((now + timedelta(days=365)).timestamp()))
    assert items["CUSTOMER#acme", "SENT#20260302_090000_first"]["expires_at"]["N"] == year
    assert items["CUSTOMER#acme", "COPY#20260302_090000_first"]["expires_at"]["N"] == year
    assert "expires_at" not in items["CUSTOMER#acme", "LADDER#EUR"]
    assert await store.get_sent_mail(tables, sent.id) == b"bytes"


async def test_rules_are_edited_on_the_version_that_was_seen(tables):
    rules = await store.get_rules(tables, time_zone="Asia/Kuala_Lumpur")
    assert rules == replace(DEFAULT_RULES, time_zone="Asia/Kuala_Lumpur")
    changed = replace(rules, levels=(LevelRule("only", 3),), business_days_only=True)
    saved = await store.save_rules(tables, changed)
    assert await store.get_rules(tables, time_zone="Asia/Kuala_Lumpur") == saved
    with pytest.raises(StaleEdit):
        await store.save_rules(tables, changed)


async def test_customers_are_listed_by_name_whatever_its_letters(tables, clock, owing):
    for customer, name in (("a", "zebra"), ("b", "Élan"), ("c", "apple"), ("d", "Eland")):
        await owing(customer, numbers=(f"N-{customer}",), name=name)
    page = await store.list_customers(tables, limit=3)
    rest = await store.list_customers(tables, cursor=page.next_cursor)
    assert [customer.name for customer in (*page.items, *rest.items)] == ["apple", "Eland", "Élan", "zebra"]
