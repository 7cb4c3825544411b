"""A mail is queued in the caller's transaction, once per idempotency key, or not at all."""

import asyncio

import pytest

from almanac.errors import Conflict, InputError, TooLarge
from almanac.mail import Attachment
from almanac.mail.mime import MAX_MESSAGE_BYTES


async def test_the_same_key_again_is_the_same_mail(mailroom, message) -> None:
    async with mailroom.database.unit() as unit:
        first = await mailroom.mailer.queue(message(), key="invoice-1", unit=unit)
        again = await mailroom.mailer.queue(message(), key="invoice-1", unit=unit)
    assert (first.created, again.created, again.id) == (True, False, first.id)
    assert len(await mailroom.mailer.deliver_due()) == 1


async def test_twenty_callers_with_one_key_queue_one_mail(mailroom, message) -> None:
    ids = await asyncio.gather(*(mailroom.queue(message(), key="same") for _ in range(20)))
    assert len(set(ids)) == 1
    await mailroom.mailer.deliver_due()
    assert len(mailroom.transport.sent) == 1


async def test_a_key_can_not_hide_a_different_mail(mailroom, message) -> None:
    await mailroom.queue(message(subject="First"), key="k")
    with pytest.raises(Conflict, match="belongs to a different mail"):
        await mailroom.queue(message(subject="Second"), key="k")


async def test_a_mail_vanishes_with_the_transaction_that_queued_it(mailroom, message) -> None:
    async def queue_and_fail() -> None:
        async with mailroom.database.unit() as unit:
            await mailroom.mailer.queue(message(), key="k", unit=unit)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await queue_and_fail()
    assert await mailroom.mailer.deliver_due() == []
    assert (await mailroom.mailbox.list()).items == []


async def test_each_waiting_mail_is_announced_in_its_transaction(mailroom, message) -> None:
    announced = []

    async def announce(mail_id, unit) -> None:
        announced.append((mail_id, await unit.value("SELECT count(*) FROM mail_messages")))

    mailroom.mailer.on_queued(announce)
    mail_id = await mailroom.queue(message())
    await mailroom.queue(message())
    assert announced == [(mail_id, 1)]


async def test_a_mail_can_wait_for_its_moment(mailroom, message, clock) -> None:
    async with mailroom.database.unit() as unit:
        later = clock.now().replace(hour=18)
        queued = await mailroom.mailer.queue(message(), key="evening", unit=unit, due_at=later)
    assert (await mailroom.mailer.deliver(queued.id)).attempted is False
    clock.advance(hours=9)
    assert (await mailroom.mailer.deliver(queued.id)).status == "sent"


async def test_a_waiting_mail_can_be_taken_back(mailroom, message) -> None:
    mail_id = await mailroom.queue(message())
    async with mailroom.database.unit() as unit:
        await mailroom.mailer.cancel(mail_id, by="ben", why="it was paid", unit=unit)
    delivery = await mailroom.mailer.deliver(mail_id)
    assert (delivery.status, delivery.reason, delivery.attempted) == ("failed", "Cancelled: it was paid", False)
    assert mailroom.transport.sent == []


async def test_a_sent_mail_can_not_be_taken_back(mailroom, message) -> None:
    mail_id = await mailroom.queue(message())
    await mailroom.mailer.deliver(mail_id)
    with pytest.raises(Conflict, match="Only a mail that still waits can be cancelled; this one is sent"):
        async with mailroom.database.unit() as unit:
            await mailroom.mailer.cancel(mail_id, by="ben", why="too late", unit=unit)


async def test_a_mail_that_is_too_large_is_refused_at_once(mailroom, message) -> None:
    with pytest.raises(TooLarge, match="10 MB"):
        await mailroom.queue(message(attachments=(Attachment("a.bin", "application/zip", bytes(MAX_MESSAGE_BYTES)),)))


@pytest.mark.parametrize("key", ["", "k" * 201])
async def test_a_key_has_a_sensible_length(mailroom, message, key: str) -> None:
    with pytest.raises(InputError, match="1 to 200 characters"):
        await mailroom.queue(message(), key=key)
