"""With every transport, a mail arrives byte for byte for exactly the recipients of its envelope."""

from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import SMTP

import pytest

from almanac.kit.ids import new_id
from almanac.mail import Address, Attachment, Message
from almanac.mail.mime import MailIds, write_mail
from almanac.mail.port import Envelope, Lookup

SENDER = Address("desk@example.org", "The Desk")


def envelope(message: Message, sender: Address = SENDER) -> Envelope:
    name = MailIds(mail_id := new_id(), f"<{mail_id}@example.org>")
    raw = write_mail(message, name, sender=sender, date=datetime(2026, 5, 4, 12, tzinfo=UTC), extra={})
    return Envelope(name.mail_id, name.message_id, sender.email, tuple(a.email for a in message.recipients), raw)


def message(**changes) -> Message:
    plain = {"to": (Address("anna@example.com"),), "subject": "Hello", "text": "Hi Anna\n", "topic": "test"}
    return Message(**(plain | changes))


async def test_a_mail_arrives_byte_for_byte(route) -> None:
    sent = envelope(message(html="<p>Hi Anna</p>"))
    await route.transport.send(sent)
    [received] = await route.received()
    assert received.raw.rstrip() == sent.raw.rstrip()
    assert (received.sender, received.recipients) == ("desk@example.org", ("anna@example.com",))


async def test_every_recipient_is_in_the_envelope(route) -> None:
    people = (Address("anna@example.com"), Address("ben@example.com"))
    await route.transport.send(envelope(message(to=people, cc=(Address("cleo@example.com"),))))
    [received] = await route.received()
    assert set(received.recipients) == {"anna@example.com", "ben@example.com", "cleo@example.com"}


async def test_names_subjects_and_bodies_of_every_script_arrive(route) -> None:
    text = "日本語の本文。\n.\n..two dots\nپاسخ " + "long " * 400 + "\n"
    to = (Address("hanako@example.com", "山田 花子, Dr."),)
    await route.transport.send(envelope(message(to=to, subject="請求書 № 5 – überfällig", text=text)))
    mail = message_from_bytes((await route.received())[0].raw, policy=SMTP)
    assert str(mail["Subject"]) == "請求書 № 5 – überfällig"
    assert mail["To"].addresses[0].display_name == "山田 花子, Dr."
    assert mail.get_body(("plain",)).get_content().replace("\r\n", "\n") == text


async def test_attachments_arrive_unchanged(route) -> None:
    content = bytes(range(256)) * 40
    await route.transport.send(envelope(message(attachments=(Attachment("Größe.pdf", "application/pdf", content),))))
    mail = message_from_bytes((await route.received())[0].raw, policy=SMTP)
    [attachment] = mail.iter_attachments()
    assert (attachment.get_filename(), attachment.get_content()) == ("Größe.pdf", content)


async def test_an_international_domain_travels_in_its_ascii_form(route) -> None:
    await route.transport.send(envelope(message(to=(Address("info@bücher.example"),))))
    assert (await route.received())[0].recipients == ("info@xn--bcher-kva.example",)


async def test_a_sent_mail_is_found_where_that_can_be_known(route) -> None:
    sent = envelope(message())
    assert await route.transport.find(sent.message_id) in {Lookup.ABSENT, Lookup.CANNOT_TELL}
    await route.transport.send(sent)
    expected = Lookup.FOUND if route.transport.name in {"memory", "outbox"} else Lookup.CANNOT_TELL
    assert await route.transport.find(sent.message_id) is expected


async def test_the_receipt_holds_the_words_of_the_other_side(route) -> None:
    assert (await route.transport.send(envelope(message()))).words


async def test_a_working_way_out_passes_its_check_and_sends_nothing(route) -> None:
    await route.transport.check()
    assert await route.received() == []


@pytest.mark.parametrize("count", [3])
async def test_mails_arrive_in_the_order_sent(route, count: int) -> None:
    sent = [envelope(message(subject=f"Number {n}")) for n in range(count)]
    for each in sent:
        await route.transport.send(each)
    assert [r.raw.rstrip() for r in await route.received()] == [e.raw.rstrip() for e in sent]
