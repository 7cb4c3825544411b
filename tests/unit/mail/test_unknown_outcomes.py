"""A mail with an unknown outcome is looked up or settled by a person; it is never sent again on a guess."""

import pytest

from almanac.errors import Conflict, InputError
from almanac.mail import DeliveryEvent, Lookup, OutcomeUnknown
from almanac.mail.model import ReconcileResult


async def doubtful(mailroom, message, *, delivered: bool) -> str:
    mailroom.transport.failures.append(OutcomeUnknown("Silence."))
    mailroom.transport.delivers_when_unknown = delivered
    mail_id = await mailroom.queue(message())
    await mailroom.mailer.deliver(mail_id)
    return mail_id


async def vanish_between_claim_and_outcome(mailroom, message) -> str:
    """What a killed sender leaves: its claim is committed, its outcome never comes."""

    async def vanish(_envelope) -> None:
        raise KeyboardInterrupt

    mail_id = await mailroom.queue(message())
    send, mailroom.transport.send = mailroom.transport.send, vanish
    with pytest.raises(KeyboardInterrupt):
        await mailroom.mailer.deliver(mail_id)
    mailroom.transport.send = send
    return mail_id


def cannot_tell(mailroom) -> None:
    async def find(_message_id: str) -> Lookup:
        return Lookup.CANNOT_TELL

    mailroom.transport.find = find


async def test_a_mail_found_at_the_other_side_is_sent(mailroom, message) -> None:
    mail_id = await doubtful(mailroom, message, delivered=True)
    assert await mailroom.mailer.reconcile() == ReconcileResult(0, found_sent=1, queued_again=0, still_unknown=0)
    assert (await mailroom.mailer.deliver(mail_id)).status == "sent"
    assert len(mailroom.transport.sent) == 1


async def test_a_mail_certainly_absent_is_sent_again_under_the_same_name(mailroom, message) -> None:
    mail_id = await doubtful(mailroom, message, delivered=False)
    assert (await mailroom.mailer.reconcile()).queued_again == 1
    assert (await mailroom.mailer.deliver(mail_id)).status == "sent"
    assert [e.message_id for e in mailroom.transport.sent] == [f"<{mail_id}@example.org>"]


async def test_a_mail_that_nobody_can_look_up_stays_unknown(mailroom, message) -> None:
    cannot_tell(mailroom)
    mail_id = await doubtful(mailroom, message, delivered=True)
    assert (await mailroom.mailer.reconcile()).still_unknown == 1
    assert (await mailroom.mailbox.get(mail_id)).line.status == "unknown"


async def test_a_vanished_sender_leaves_a_mail_that_is_visibly_being_sent(mailroom, message, clock) -> None:
    cannot_tell(mailroom)
    mail_id = await vanish_between_claim_and_outcome(mailroom, message)
    clock.advance(minutes=9)
    assert (await mailroom.mailer.reconcile()).leases_lost == 0
    assert (await mailroom.mailer.deliver(mail_id)).status == "sending"


async def test_after_the_lease_it_is_unknown_and_not_sent_again(mailroom, message, clock) -> None:
    cannot_tell(mailroom)
    mail_id = await vanish_between_claim_and_outcome(mailroom, message)
    clock.advance(minutes=11)
    assert (await mailroom.mailer.reconcile()).leases_lost == 1
    delivery = await mailroom.mailer.deliver(mail_id)
    assert (delivery.status, delivery.attempted) == ("unknown", False)
    assert mailroom.transport.sent == []
    assert await mailroom.kinds(mail_id) == ["unknown"]


async def test_a_mail_of_another_way_out_is_not_looked_up_here(mailroom, message) -> None:
    await doubtful(mailroom, message, delivered=False)
    mailroom.transport.name = "elsewhere"
    assert await mailroom.mailer.reconcile() == ReconcileResult(0, 0, 0, 0)


async def test_a_person_settles_it_as_sent(mailroom, message) -> None:
    mail_id = await doubtful(mailroom, message, delivered=True)
    await mailroom.mailer.settle(mail_id, "sent", by="ben", why="Anna has it.")
    detail = await mailroom.mailbox.get(mail_id)
    assert detail.line.status == "sent"
    assert (detail.events[-1].detail, detail.events[-1].source) == ("Marked as sent: Anna has it.", "ben")


async def test_a_person_settles_it_as_not_sent_and_retries(mailroom, message) -> None:
    mail_id = await doubtful(mailroom, message, delivered=False)
    await mailroom.mailer.settle(mail_id, "not_sent", by="ben", why="Not in the server's log.")
    line = (await mailroom.mailbox.get(mail_id)).line
    assert (line.status, line.failure) == ("failed", "not_sent")
    await mailroom.mailer.retry(mail_id, by="ben")
    assert (await mailroom.mailer.deliver(mail_id)).status == "sent"


async def test_settling_needs_a_reason_and_a_doubt(mailroom, message) -> None:
    mail_id = await doubtful(mailroom, message, delivered=True)
    with pytest.raises(InputError, match="Say how you know"):
        await mailroom.mailer.settle(mail_id, "sent", by="ben", why=" ")
    await mailroom.mailer.settle(mail_id, "sent", by="ben", why="Anna has it.")
    with pytest.raises(Conflict, match="Only a mail whose outcome is unknown can be resolved; this one is sent"):
        await mailroom.mailer.settle(mail_id, "not_sent", by="cleo", why="No, she has not.")


@pytest.mark.parametrize("believed", ["unknown", "not sent", "queued again"])
async def test_news_of_its_delivery_proves_that_it_left(mailroom, message, clock, believed: str) -> None:
    mail_id = await doubtful(mailroom, message, delivered=True)
    if believed != "unknown":
        await mailroom.mailer.settle(mail_id, "not_sent", by="ben", why="I think so.")
    if believed == "queued again":
        await mailroom.mailer.retry(mail_id, by="ben")
    news = DeliveryEvent(
        kind="delivered", recipient="anna@example.com", happened_at=clock.now(), source="ses", mail_id=mail_id
    )
    await mailroom.deliveries.record(news)
    assert (await mailroom.mailer.deliver(mail_id)).status == "sent"
    assert len(mailroom.transport.sent) == 1


async def test_an_outcome_that_comes_after_the_lease_is_still_believed(mailroom, message, clock) -> None:
    async def slow(envelope):
        clock.advance(minutes=11)
        cannot_tell(mailroom)
        await mailroom.mailer.reconcile()
        return await type(mailroom.transport).send(mailroom.transport, envelope)

    mailroom.transport.send = slow
    mail_id = await mailroom.queue(message())
    assert (await mailroom.mailer.deliver(mail_id)).status == "sent"
    assert (await mailroom.mailbox.get(mail_id)).line.status == "sent"
