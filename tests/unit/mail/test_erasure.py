"""A person's mail can be erased without them being written to again."""

import pytest

from almanac.errors import Conflict
from almanac.mail import DeliveryEvent, MailRefused, MessageFilter


@pytest.fixture
async def sent(mailroom, message, clock) -> str:
    mail_id = await mailroom.queue(message("Anna <anna@example.com>", subject="Dear Anna", text="Secret for Anna\n"))
    await mailroom.mailer.deliver(mail_id)
    await mailroom.deliveries.record(
        DeliveryEvent(
            kind="bounced",
            recipient="anna@example.com",
            happened_at=clock.now(),
            source="ses",
            permanent=True,
            detail="anna is over quota",
            source_id="n-1",
            mail_id=mail_id,
        )
    )
    return mail_id


async def erase(mailroom, email: str) -> int:
    async with mailroom.database.unit() as unit:
        return await mailroom.mailer.erase(email, by="ben", unit=unit)


async def test_nothing_about_the_person_is_left_in_the_mail(mailroom, sent) -> None:
    assert await erase(mailroom, "ANNA@example.com") == 1
    async with mailroom.database.unit() as unit:
        rows = await unit.all(
            "SELECT m::text, e::text FROM mail_messages m LEFT JOIN mail_events e ON e.mail_id = m.id"
        )
    assert "anna" not in str(rows).lower()
    detail = await mailroom.mailbox.get(sent)
    assert (detail.line.status, detail.line.subject, detail.raw) == ("sent", "Erased", None)
    assert (await mailroom.mailbox.list(MessageFilter(text="anna"))).items == []


async def test_the_same_mail_is_still_not_sent_a_second_time(mailroom, message, sent) -> None:
    await erase(mailroom, "anna@example.com")
    again = await mailroom.queue(message("Anna <anna@example.com>", subject="Dear Anna", text="Secret for Anna\n"))
    assert again == sent
    assert (await mailroom.mailer.deliver(again)).attempted is False


async def test_a_suppression_outlives_the_erasure(mailroom, sent) -> None:
    await erase(mailroom, "anna@example.com")
    assert await mailroom.suppressions.find("anna@example.com") is not None


async def test_mail_that_still_waits_and_mail_to_others_is_left(mailroom, message) -> None:
    await mailroom.queue(message("ben@example.com"), key="1")
    await mailroom.mailer.deliver_due()
    await mailroom.queue(message("anna@example.com"), key="2")
    assert await erase(mailroom, "anna@example.com") == 0


async def test_an_erased_mail_can_not_be_retried(mailroom, message) -> None:
    mailroom.transport.failures.append(MailRefused("No such mailbox."))
    mail_id = await mailroom.queue(message())
    await mailroom.mailer.deliver(mail_id)
    await erase(mailroom, "anna@example.com")
    with pytest.raises(Conflict, match="not erased"):
        await mailroom.mailer.retry(mail_id, by="ben")
