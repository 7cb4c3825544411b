"""A claim precedes every send, and each outcome is recorded with its reason."""

from datetime import timedelta

import pytest

from almanac.errors import Conflict, NotFound
from almanac.mail import MailDeferred, MailRefused, OutcomeUnknown, Receipt
from almanac.mail.port import Envelope


async def test_a_delivered_mail_is_sent_and_says_so(mailroom, message) -> None:
    mail_id = await mailroom.queue(message())
    delivery = await mailroom.mailer.deliver(mail_id)
    assert (delivery.status, delivery.attempted) == ("sent", True)
    detail = await mailroom.mailbox.get(mail_id)
    assert (detail.line.status, detail.line.transport, detail.provider_id) == ("sent", "memory", "memory-1")
    assert detail.raw == mailroom.transport.sent[0].raw
    assert await mailroom.kinds(mail_id) == ["sent"]


async def test_delivering_again_sends_nothing(mailroom, message) -> None:
    mail_id = await mailroom.queue(message())
    await mailroom.mailer.deliver(mail_id)
    again = await mailroom.mailer.deliver(mail_id)
    assert (again.status, again.attempted) == ("sent", False)
    assert len(mailroom.transport.sent) == 1


async def test_the_claim_is_committed_before_the_mail_leaves(mailroom, message) -> None:
    seen = []

    async def look_first(envelope: Envelope) -> Receipt:
        seen.append((await mailroom.mailbox.get(envelope.mail_id)).line.status)
        seen.append((await mailroom.mailer.deliver(envelope.mail_id)).attempted)
        return Receipt("ok")

    mailroom.transport.send = look_first
    await mailroom.mailer.deliver(await mailroom.queue(message()))
    assert seen == ["sending", False]


async def test_a_refused_mail_fails_with_the_reason(mailroom, message) -> None:
    mailroom.transport.failures.append(MailRefused("No such mailbox."))
    mail_id = await mailroom.queue(message())
    await mailroom.mailer.deliver(mail_id)
    line = (await mailroom.mailbox.get(mail_id)).line
    assert (line.status, line.failure, line.reason) == ("failed", "refused", "No such mailbox.")


async def test_a_mail_put_off_waits_longer_each_time(mailroom, message, clock) -> None:
    mailroom.transport.failures.extend([MailDeferred("Busy."), MailDeferred("Busy.")])
    mail_id = await mailroom.queue(message())
    await mailroom.mailer.deliver(mail_id)
    first = (await mailroom.mailbox.get(mail_id)).line
    assert (first.status, first.reason) == ("queued", "Busy.")
    assert timedelta(seconds=30) <= first.due_at - clock.now() <= timedelta(seconds=38)
    assert (await mailroom.mailer.deliver(mail_id)).attempted is False

    clock.advance(minutes=1)
    await mailroom.mailer.deliver(mail_id)
    second = (await mailroom.mailbox.get(mail_id)).line
    assert second.due_at - clock.now() >= timedelta(seconds=60)

    clock.advance(minutes=2)
    assert [d.status for d in await mailroom.mailer.deliver_due()] == ["sent"]
    assert await mailroom.kinds(mail_id) == ["deferred", "deferred", "sent"]


async def test_a_mail_keeps_its_message_id_through_every_attempt(mailroom, message, clock) -> None:
    mailroom.transport.failures.append(MailDeferred("Busy."))
    mail_id = await mailroom.queue(message())
    await mailroom.mailer.deliver(mail_id)
    before = (await mailroom.mailbox.get(mail_id)).message_id
    clock.advance(minutes=1)
    await mailroom.mailer.deliver(mail_id)
    assert before == mailroom.transport.sent[0].message_id == f"<{mail_id}@example.org>"


async def test_a_mail_put_off_too_often_fails_and_can_be_retried(mailroom, message, clock) -> None:
    mailroom.transport.failures.extend([MailDeferred("Busy.")] * 3)
    mail_id = await mailroom.queue(message())
    for _ in range(3):
        await mailroom.mailer.deliver(mail_id)
        clock.advance(hours=1)
    line = (await mailroom.mailbox.get(mail_id)).line
    assert (line.status, line.failure) == ("failed", "exhausted")
    assert line.reason == "Failed after 3 attempts: Busy."

    await mailroom.mailer.retry(mail_id, by="ben")
    assert (await mailroom.mailer.deliver(mail_id)).status == "sent"
    assert (await mailroom.kinds(mail_id))[-2:] == ["retried", "sent"]


async def test_only_a_failed_mail_can_be_retried(mailroom, message) -> None:
    mail_id = await mailroom.queue(message())
    await mailroom.mailer.deliver(mail_id)
    with pytest.raises(Conflict, match=r"Only a failed mail .* can be sent again; this one is sent"):
        await mailroom.mailer.retry(mail_id, by="ben")


async def test_the_failure_of_a_final_mail_stands(mailroom, message) -> None:
    mailroom.transport.failures.append(MailRefused("No such mailbox."))
    mail_id = await mailroom.queue(message(final=True))
    await mailroom.mailer.deliver(mail_id)
    with pytest.raises(Conflict, match="not final"):
        await mailroom.mailer.retry(mail_id, by="ben")
    assert (await mailroom.mailer.deliver(mail_id)).status == "failed"


async def test_a_lost_answer_is_unknown_and_not_tried_again(mailroom, message, clock) -> None:
    mailroom.transport.failures.append(OutcomeUnknown("Silence."))
    mail_id = await mailroom.queue(message())
    assert (await mailroom.mailer.deliver(mail_id)).status == "unknown"
    clock.advance(days=1)
    assert await mailroom.mailer.deliver_due() == []
    assert (await mailroom.mailer.deliver(mail_id)).attempted is False
    assert mailroom.transport.sent == []


async def test_an_unforeseen_failure_counts_as_unknown(mailroom, message) -> None:
    mailroom.transport.failures.append(RuntimeError("a bug in the adapter"))
    mail_id = await mailroom.queue(message())
    delivery = await mailroom.mailer.deliver(mail_id)
    assert (delivery.status, delivery.reason) == ("unknown", "Sending stopped unexpectedly.")


async def test_recipients_refused_by_the_server_are_recorded_one_by_one(mailroom, message) -> None:
    async def refuse_ben(_envelope: Envelope) -> Receipt:
        return Receipt("ok", refused={"Ben@example.com": "550 unknown"})

    mailroom.transport.send = refuse_ben
    mail_id = await mailroom.queue(message("anna@example.com", "Ben@example.com"))
    await mailroom.mailer.deliver(mail_id)
    states = {state.email: (state.state, state.detail) for state in (await mailroom.mailbox.get(mail_id)).recipients}
    assert states == {"anna@example.com": ("sent", ""), "ben@example.com": ("refused", "550 unknown")}


async def test_a_stored_mail_that_can_not_be_written_fails_without_blocking_the_others(mailroom, message) -> None:
    broken, whole = await mailroom.queue(message(), key="a"), await mailroom.queue(message(), key="b")
    async with mailroom.database.unit() as unit:
        await unit.execute(
            "UPDATE mail_messages SET content = jsonb_set(content, '{subject}', '\"a\\nb\"') WHERE id = %(id)s",
            {"id": broken},
        )
    assert {d.id: d.status for d in await mailroom.mailer.deliver_due()} == {broken: "failed", whole: "sent"}


async def test_a_mail_that_does_not_exist_is_not_found(mailroom) -> None:
    with pytest.raises(NotFound):
        await mailroom.mailer.deliver("nothing")
    with pytest.raises(NotFound):
        await mailroom.mailer.retry("nothing", by="ben")
