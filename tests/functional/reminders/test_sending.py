"""From an approved draft to one mail: what is sent, what is refused, and what interruptions leave behind."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.permissions import Role
from almanac.approvals import AlreadyDecided, ContentChanged, NotApproved
from almanac.audit.model import AuditAction, AuditSubject
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service, store
from almanac.desks.reminders.jobs import KEEP_UP
from almanac.desks.reminders.model import transitions
from almanac.desks.reminders.model.eligibility import check_eligibility
from almanac.desks.reminders.model.ladder import DEFAULT_RULES
from almanac.desks.reminders.model.ledger import Hold
from almanac.desks.reminders.model.outbox import make_outbox_entry
from almanac.desks.reminders.pipeline.dispatch import (
    advance_draft,
    build_message,
    follow_delivery,
    start_sending,
    wake_snoozed_draft,
    withdraw_blocked_mails,
)
from almanac.desks.reminders.pipeline.drafts import replace_wording
from almanac.desks.reminders.service import InvoiceEdit
from almanac.desks.reminders.service.reports import check_consistency
from almanac.desks.reminders.store.table import EmailTemplate
from almanac.desks.reminders.store.transactions import list_pending_outbox, outbox_writes
from almanac.errors import Conflict, NotAllowed
from almanac.llm import store as answers
from almanac.mail.port import MailDeferred, MailRefused, OutcomeUnknown


def person(role, user_id="ada"):
    return Principal(user_id=user_id, name="Ada", email="ada@example.org", role=role, via="session")


async def all_is_well(services):
    return (await check_consistency(services)).findings == ()


async def test_an_approved_reminder_arrives_once_and_is_recorded(services, account, outbox):
    acme = await account()
    draft, standing = await acme.send()
    assert standing.state == "sent"
    [envelope] = outbox.sent
    assert envelope.recipients == ("acme@example.org",)
    [sent] = await acme.history()
    assert (sent.level, sent.cycle, sent.approved_by, sent.delivery_status) == ("first", 1, "console", "sent")
    assert await store.get_sent_mail(services.tables, sent.id) == envelope.raw
    assert await store.find_draft(services.tables, draft.id) is None
    assert await all_is_well(services)


async def test_a_double_click_sends_once(services, account, outbox):
    acme = await account()
    draft = await acme.draft()

    async def click():
        await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash, send_after=timedelta())
        return await service.send_draft(services, CONSOLE, draft.id)

    await asyncio.gather(*(click() for _ in range(12)), return_exceptions=True)
    assert len(outbox.sent) == 1
    assert len(await acme.history()) == 1
    assert await all_is_well(services)


async def test_the_next_level_waits_for_its_gap_and_a_sent_level_is_taken(services, account, outbox, clock):
    acme = await account()
    await acme.send()
    for level, gap in (("second", 7), ("final", 5)):
        clock.advance(days=gap, seconds=-1)
        assert check_eligibility(await acme.case(), DEFAULT_RULES, clock.now()).rule == "gap"
        clock.advance(seconds=1)
        draft, _ = await acme.send()
        assert draft.level == level
    clock.advance(days=100)
    assert check_eligibility(await acme.case(), DEFAULT_RULES, clock.now()).rule == "exhausted"
    assert [mail.level for mail in await acme.history()] == ["final", "second", "first"]
    assert len(outbox.sent) == 3
    assert await all_is_well(services)


async def test_two_drafts_for_one_level_can_not_be_made(account):
    acme = await account()
    made = await asyncio.gather(*(acme.draft() for _ in range(6)), return_exceptions=True)
    assert sum(not isinstance(result, BaseException) for result in made) == 1
    assert all(isinstance(result, Conflict | AssertionError) for result in made if isinstance(result, BaseException))


async def test_what_is_paid_between_approval_and_sending_is_cancelled(services, account, outbox):
    acme = await account()
    draft = await acme.approved()
    await acme.pay("100.00")
    with pytest.raises(NotApproved):
        await service.send_draft(services, CONSOLE, draft.id)
    assert (await store.get_draft(services.tables, draft.id)).state == "cancelled"
    assert outbox.sent == []


@pytest.mark.parametrize(
    ("change", "then"),
    [
        ({"credited": Decimal("100.00")}, "cancelled"),
        ({"disputed": True}, "cancelled"),
        ({"amount": Decimal("90.00")}, "draft"),
        ({"due": date(2026, 2, 2)}, "draft"),
    ],
    ids=["credited", "disputed", "another amount", "another due date"],
)
async def test_what_the_ledger_says_otherwise_after_the_approval_is_not_sent(services, account, outbox, change, then):
    draft = await (await account()).approved()
    invoice = await service.get_invoice(services, CONSOLE, "acme", "acme-1")
    await service.edit_invoice(services, CONSOLE, "acme", "acme-1", InvoiceEdit(**change), expected=invoice.version)
    with pytest.raises(NotApproved):
        await service.send_draft(services, CONSOLE, draft.id)
    assert (await store.get_draft(services.tables, draft.id)).state == then
    assert outbox.sent == []


async def test_one_more_overdue_invoice_makes_the_approval_void(services, account, outbox):
    acme = await account()
    draft = await acme.approved()
    await acme.owe("acme-2")
    after = await store.get_draft(services.tables, draft.id)
    assert (after.state, after.approved, after.outdated) == ("draft", None, transitions.DEBT_CHANGED)
    assert outbox.sent == []


async def test_a_hold_on_the_customer_cancels_at_the_moment_of_sending(services, account, outbox, clock):
    acme = await account()
    draft = await acme.approved()
    hold = Hold(customer_id="acme", id="h", kind="dispute")
    await store.add_hold(services.tables, hold, rules=DEFAULT_RULES, now=clock.now())
    standing = await service.send_draft(services, CONSOLE, draft.id)
    assert (standing.state, outbox.sent) == ("cancelled", [])


async def test_opting_out_stops_what_was_approved(services, account, outbox):
    acme = await account()
    draft = await acme.approved()
    customer = await store.get_customer(services.tables, "acme")
    await store.save_customer(services.tables, replace(customer, opted_out=True))
    assert (await service.send_draft(services, CONSOLE, draft.id)).state == "cancelled"
    assert outbox.sent == []


async def test_a_new_address_makes_the_approval_void(services, account, outbox):
    acme = await account()
    draft = await acme.approved()
    customer = await store.get_customer(services.tables, "acme")
    await store.save_customer(services.tables, replace(customer, email="new@example.org"))
    standing = await service.send_draft(services, CONSOLE, draft.id)
    assert (standing.state, standing.reason) == ("draft", transitions.RECIPIENTS_CHANGED)
    assert outbox.sent == []


async def test_a_newer_template_makes_the_approval_void(services, account, outbox):
    acme = await account()
    template = EmailTemplate(template_id="t", version=1, subject_template="S", body_template="B")
    await services.tables.create(template)
    draft = await acme.approved(template_id="t", template_version=1)
    newer = EmailTemplate(template_id="t", version=2, subject_template="S", body_template="B")
    await services.tables.create(newer)
    standing = await service.send_draft(services, CONSOLE, draft.id)
    assert (standing.state, standing.reason) == ("draft", transitions.TEMPLATE_CHANGED)
    assert outbox.sent == []


async def test_an_edit_after_approval_must_be_approved_again(services, account, outbox):
    acme = await account()
    draft = await acme.approved()
    edited = replace(draft.wording, text="Pay at once.")
    changed = await replace_wording(services, CONSOLE, draft.id, edited)
    assert (changed.state, changed.approved) == ("draft", None)
    with pytest.raises(NotApproved):
        await service.send_draft(services, CONSOLE, draft.id)
    with pytest.raises(ContentChanged):
        await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
    assert outbox.sent == []


async def test_an_approval_can_be_undone_until_it_is_sent(services, account, outbox):
    acme = await account()
    draft = await acme.approved()
    assert (await service.reopen_draft(services, CONSOLE, draft.id)).state == "draft"
    with pytest.raises(NotApproved):
        await service.send_draft(services, CONSOLE, draft.id)
    assert outbox.sent == []


async def test_a_rejection_frees_the_level_and_can_be_undone(services, account):
    acme = await account()
    draft = await acme.draft()
    rejected = await service.reject_draft(services, CONSOLE, draft.id, seen=draft.content_hash, note="Too harsh.")
    assert (rejected.state, (await acme.case()).ladder.open) == ("rejected", None)
    assert check_eligibility(await acme.case(), DEFAULT_RULES, acme.now, automatic=True).rule == "declined"
    assert (await service.reopen_draft(services, CONSOLE, draft.id)).state == "draft"
    assert (await acme.case()).ladder.open.draft_id == draft.id
    assert await all_is_well(services)


async def test_a_rejection_can_not_be_undone_over_another_draft(services, account, clock):
    acme = await account()
    draft = await acme.draft()
    await service.reject_draft(services, CONSOLE, draft.id, seen=draft.content_hash, note="Too harsh.")
    clock.advance(seconds=5)
    await acme.draft()
    with pytest.raises(Conflict, match="taken this one's place"):
        await service.reopen_draft(services, CONSOLE, draft.id)


async def test_a_snoozed_draft_comes_back_when_its_time_is_over(services, account, clock):
    acme = await account()
    draft = await acme.draft()
    asleep = await service.snooze_draft(services, CONSOLE, draft.id, until=clock.now() + timedelta(days=45))
    clock.advance(days=44)
    assert (await wake_snoozed_draft(services, draft.id)).state == "snoozed"
    assert check_eligibility(await acme.case(), DEFAULT_RULES, clock.now()).rule == "claim"
    clock.advance(days=1)
    await advance_draft(services, asleep)
    assert (await store.get_draft(services.tables, draft.id)).state == "draft"


@pytest.mark.parametrize("verb", ["approve", "reject", "send", "rewrite"])
async def test_nobody_decides_without_the_right(services, account, verb):
    acme = await account()
    draft, role = await acme.draft(), Role.MEMBER
    calls = {
        "approve": lambda: service.approve_draft(services, person(role), draft.id, seen=draft.content_hash),
        "reject": lambda: service.reject_draft(services, person(role), draft.id, seen=draft.content_hash, note="No."),
        "send": lambda: service.send_draft(services, person(role), draft.id),
        "rewrite": lambda: replace_wording(services, person(role), draft.id, draft.wording),
    }
    with pytest.raises(NotAllowed):
        await calls[verb]()


async def test_somebody_elses_decision_is_named(services, account):
    acme = await account()
    draft = await acme.approved()
    with pytest.raises(AlreadyDecided, match="Command line approved this"):
        await service.approve_draft(services, person(Role.ADMIN), draft.id, seen=draft.content_hash)


async def test_a_refused_mail_is_failed_and_never_sent(services, account, outbox):
    acme = await account()
    outbox.failures.append(MailRefused("550 no such user, " + "and much more " * 200))
    draft, standing = await acme.send()
    assert standing.state == "failed"
    failed = await store.get_draft(services.tables, draft.id)
    assert failed.reason.startswith("550 no such user")
    with pytest.raises(Conflict, match="final"):
        await services.mailer.retry(failed.mail_id, by="ada")
    assert (await acme.case()).ladder.open is None
    assert await acme.history() == []
    assert await all_is_well(services)


async def test_a_mail_in_doubt_holds_its_level_until_a_person_settles_it(services, account, outbox, clock):
    acme = await account()
    outbox.failures.append(OutcomeUnknown("The line went dead."))
    draft, standing = await acme.send()
    assert standing.state == "unknown"
    clock.advance(days=60)
    assert check_eligibility(await acme.case(), DEFAULT_RULES, clock.now()).rule == "claim"
    assert (await service.send_draft(services, CONSOLE, draft.id)).state == "unknown"
    standing = await service.settle_draft(services, CONSOLE, draft.id, "not_sent", why="The customer has nothing.")
    assert standing.state == "failed"
    await acme.send()
    assert len(outbox.sent) == 1
    assert await all_is_well(services)


async def test_a_mail_in_doubt_that_is_found_counts_as_sent(services, account, outbox):
    acme = await account()
    outbox.failures.append(OutcomeUnknown("The line went dead."))
    outbox.delivers_when_unknown = True
    draft, standing = await acme.send()
    assert standing.state == "unknown"
    await services.mailer.reconcile()
    await follow_delivery(services, draft.id)
    assert len(await acme.history()) == 1
    assert len(outbox.sent) == 1
    assert await all_is_well(services)


@pytest.mark.parametrize("by", ["the ledger", "the schedule"])
async def test_a_payment_takes_back_a_mail_that_was_put_off(services, account, outbox, clock, by):
    acme = await account()
    outbox.failures.append(MailDeferred("Try again later."))
    draft, standing = await acme.send()
    assert standing.state == "sending"
    await acme.pay("100.00")
    clock.advance(days=1)
    if by == "the ledger":
        await withdraw_blocked_mails(services, "acme")
    else:
        await advance_draft(services, await store.get_draft(services.tables, draft.id))
    assert (await store.get_draft(services.tables, draft.id)).state == "cancelled"
    await services.mailer.deliver_due()
    assert outbox.sent == []
    assert await all_is_well(services)


async def test_a_mail_that_was_put_off_goes_out_later_and_once(services, account, outbox, clock):
    acme = await account()
    outbox.failures.append(MailDeferred("Try again later."))
    draft, _ = await acme.send()
    clock.advance(hours=1)
    await services.mailer.deliver_due()
    assert (await follow_delivery(services, draft.id)).state == "sent"
    assert (len(outbox.sent), len(await acme.history())) == (1, 1)


async def test_a_payment_after_a_crash_before_the_mail_was_queued_stops_it(services, account, outbox):
    acme = await account()
    draft = await start_sending(services, CONSOLE, await acme.approved())
    assert draft.state == "sending"
    await acme.pay("100.00")
    assert (await service.send_draft(services, CONSOLE, draft.id)).state == "cancelled"
    await services.mailer.deliver_due()
    assert outbox.sent == []
    assert await all_is_well(services)


@pytest.mark.parametrize("point", ["queue", "deliver", "copy"])
async def test_a_crash_between_any_two_steps_is_made_good_without_a_second_mail(services, account, outbox, point):
    acme = await account()
    draft = await acme.approved()
    begun = await start_sending(services, CONSOLE, draft)
    assert begun.state == "sending"
    if point != "queue":
        async with services.database.unit() as unit:
            queued = await services.mailer.queue(build_message(begun), key=begun.mail_key, unit=unit)
        if point == "copy":
            await services.mailer.deliver(queued.id)
    for _ in range(3):
        standing = await service.send_draft(services, CONSOLE, draft.id)
    assert standing.state == "gone"
    assert (len(outbox.sent), len(await acme.history())) == (1, 1)
    assert await all_is_well(services)


async def test_a_paid_debt_ends_the_cycle_and_a_new_one_begins_at_the_first_level(services, account, clock):
    acme = await account()
    await acme.send()
    await acme.pay("100.00")
    clock.advance(days=2)
    await acme.owe("acme-2")
    assert check_eligibility(await acme.case(), DEFAULT_RULES, clock.now()).rule == "gap"
    clock.advance(days=5)
    draft, standing = await acme.send()
    assert (draft.level, draft.cycle, standing.state) == ("first", 2, "sent")
    assert await all_is_well(services)


async def test_an_expired_draft_gives_its_level_back_and_can_not_be_sent(services, account, outbox, clock):
    acme = await account()
    draft = await acme.approved()
    clock.advance(days=31)
    assert (await service.send_draft(services, CONSOLE, draft.id)).state == "gone"
    again, standing = await acme.send()
    assert again.id != draft.id
    assert (standing.state, len(outbox.sent)) == ("sent", 1)
    assert await all_is_well(services)


async def test_an_erased_customer_leaves_only_the_guard(services, account, outbox, clock):
    acme = await account()
    await acme.send(text="Dear Mr Acme of Elm Street, please pay.")
    await service.erase_customer(services, CONSOLE, "acme")
    scan = await services.tables.transport.send_async("Scan", {"TableName": "EmailTrackingTable"})
    everything = str(scan["Items"])
    assert "acme@example.org" not in everything
    assert "Acme Ltd" not in everything
    assert "Elm Street" not in everything
    assert (await acme.case()).ladder.sent["first"].cycle == 1
    clock.advance(days=30)
    assert check_eligibility(await acme.case(), DEFAULT_RULES, clock.now()).rule == "erased"
    [sent] = await acme.history()
    mail = await services.mailbox.get(sent.mail_id)
    assert (mail.raw, mail.line.status) == (None, "sent")
    assert await all_is_well(services)


async def test_a_mail_to_an_older_address_that_never_left_is_erased_too(services, account, outbox):
    acme = await account()
    outbox.failures.append(MailRefused("550 no such user"))
    draft, _ = await acme.send(text="Dear Mr Acme")
    failed = await store.get_draft(services.tables, draft.id)
    customer = await store.get_customer(services.tables, "acme")
    await store.save_customer(services.tables, replace(customer, email="new@example.org"))
    await service.erase_customer(services, CONSOLE, "acme")
    mail = await services.mailbox.get(failed.mail_id)
    assert (mail.line.status, mail.line.subject, "acme@example.org" in str(mail)) == ("failed", "Erased", False)


async def test_what_a_model_wrote_about_an_erased_customer_is_remembered_no_more(services, account, clock):
    await account()
    now, later = clock.now(), clock.now() + timedelta(minutes=5)
    async with services.database.unit() as unit:
        for key, step in (("told", "letter"), ("asking", "letter"), ("news", "summary")):
            await answers.claim_question(unit, key, model="tiny", step=step, now=now, until=later)
        for key in ("told", "news"):
            await answers.save_answer(unit, key, "Dear Mr Acme", now)
    await service.erase_customer(services, CONSOLE, "acme")
    async with services.database.unit() as unit:
        await answers.save_answer(unit, "asking", "Dear Mr Acme", now)
        kept = {key: await answers.find_answer(unit, key, now) for key in ("told", "asking", "news")}
    assert [key for key, answer in kept.items() if answer] == ["news"]


async def test_a_customer_with_a_mail_in_doubt_can_not_be_erased_yet(services, account, outbox):
    acme = await account()
    outbox.failures.append(OutcomeUnknown("The line went dead."))
    await acme.send()
    with pytest.raises(Conflict, match="resolve it first"):
        await service.erase_customer(services, CONSOLE, "acme")
    assert (await store.get_customer(services.tables, "acme")).email == "acme@example.org"


async def test_what_cannot_be_told_keeps_no_reminder_from_being_sent(services, account, outbox, clock):
    acme = await account()
    untold = make_outbox_entry(
        clock.now(), AuditAction(CONSOLE.actor, "reminder.lost", AuditSubject("reminders.draft", "x"))
    )
    await services.tables.transact(*outbox_writes(untold))
    async with services.database.unit() as unit:
        await unit.execute("ALTER TABLE audit_entries ADD CHECK (action <> 'reminder.lost')")
    await acme.approved()
    clock.advance(minutes=1)
    await services.jobs.run_schedule(KEEP_UP.name)
    await make_worker(services).drain()
    assert len(outbox.sent) == 1
    assert [notice.id for notice in await list_pending_outbox(services.tables, until=clock.now(), limit=9)] == [
        untold.id
    ]
