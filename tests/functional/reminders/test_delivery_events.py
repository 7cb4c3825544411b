"""Delivery events after a reminder was sent: deliveries and bounces by recipient, and proof against a failure."""

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service, store
from almanac.desks.reminders.pipeline.dispatch import update_from_mail
from almanac.desks.reminders.service.reports import check_consistency
from almanac.mail.message import Address, Message
from almanac.mail.model import DeliveryEvent
from almanac.mail.port import MailRefused, OutcomeUnknown


async def hear(services, mail_id, kind, recipient, *, permanent=False):
    event = DeliveryEvent(
        kind=kind,
        recipient=recipient,
        happened_at=services.clock.now(),
        source="test",
        permanent=permanent,
        mail_id=mail_id,
    )
    await services.deliveries.record(event)
    await update_from_mail(services, mail_id)


async def test_news_is_kept_by_recipient_and_the_worst_of_it_is_the_status(services, account):
    acme = await account(more_recipients=("books@example.org",))
    await acme.send()
    [sent] = await acme.history()
    assert sent.delivery == {"acme@example.org": "sent", "books@example.org": "sent"}
    await hear(services, sent.mail_id, "delivered", "acme@example.org")
    await hear(services, sent.mail_id, "bounced", "books@example.org", permanent=True)
    [sent] = await acme.history()
    assert sent.delivery == {"acme@example.org": "delivered", "books@example.org": "bounced"}
    assert sent.delivery_status == "bounced"


@pytest.mark.parametrize("kind", ["delivered", "delayed", "bounced", "complained", "failed"])
async def test_each_kind_of_news_is_the_delivery_status_and_only_some_suppress(services, account, kind):
    acme = await account()
    await acme.send()
    [sent] = await acme.history()
    await hear(services, sent.mail_id, kind, "acme@example.org", permanent=kind == "bounced")
    [sent] = await acme.history()
    assert (sent.delivery_status, sent.delivery) == (kind, {"acme@example.org": kind})
    suppressed = await services.suppressions.find("acme@example.org") is not None
    assert suppressed is (kind in ("bounced", "complained"))


async def test_a_delivery_settles_a_mail_in_doubt(services, account, outbox):
    acme = await account()
    outbox.failures.append(OutcomeUnknown("The line went dead."))
    draft, _ = await acme.send()
    current = await store.get_draft(services.tables, draft.id)
    await hear(services, current.mail_id, "delivered", "acme@example.org")
    [sent] = await acme.history()
    assert (sent.draft_id, sent.delivery_status) == (draft.id, "delivered")
    assert (await acme.case()).ladder.open is None
    assert (await check_consistency(services)).findings == ()


async def test_a_refused_mail_that_arrived_after_all_takes_its_level(services, account, outbox):
    acme = await account()
    outbox.failures.append(MailRefused("550 no such user"))
    draft, _ = await acme.send()
    failed = await store.get_draft(services.tables, draft.id)
    again = await acme.approved()
    await hear(services, failed.mail_id, "delivered", "acme@example.org")
    assert (await acme.case()).ladder.sent["first"].draft_id == draft.id
    assert (await service.send_draft(services, CONSOLE, again.id)).state == "cancelled"
    assert outbox.sent == []
    assert len(await acme.history()) == 1


async def test_news_of_mail_that_is_no_reminder_is_left_alone(services):
    async with services.database.unit() as unit:
        message = Message(to=(Address("a@example.org"),), subject="Hello", text="Hello", topic="account")
        queued = await services.mailer.queue(message, key="something:else", unit=unit)
    before = (await services.mailbox.get(queued.id)).events
    await update_from_mail(services, queued.id)
    assert (await services.mailbox.get(queued.id)).events == before


async def test_a_suppressed_customer_gets_nothing_and_the_reminder_fails(services, account, outbox):
    acme = await account()
    await services.suppressions.add("acme@example.org", source="manual", reason="Bounced before.", by="ada")
    _, standing = await acme.send()
    assert standing.state == "failed"
    assert outbox.sent == []
