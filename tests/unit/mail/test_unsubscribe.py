"""Bulk mail has one-click unsubscription that only we can sign."""

from email import message_from_bytes
from email.policy import SMTP

import pytest

from almanac.errors import InputError
from almanac.mail import UnsubscribeLinks

LINKS = UnsubscribeLinks(b"key", "https://almanac.example.org/")


async def test_a_bulk_mail_carries_the_headers_of_rfc_8058_on_one_line_each(mailroom, message) -> None:
    long_address = f"{'anna' * 15}@{'department.' * 8}example.com"
    await mailroom.mailer.deliver(await mailroom.queue(message(long_address, topic="newsletter", bulk=True)))
    mail = message_from_bytes(mailroom.transport.sent[0].raw, policy=SMTP)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = mail["List-Unsubscribe"].removeprefix("<").removesuffix(">")
    assert url == mailroom.links.url(long_address, "newsletter")
    assert f"List-Unsubscribe: <{url}>\r\n".encode() in mailroom.transport.sent[0].raw


async def test_personal_mail_carries_none(mailroom, message) -> None:
    await mailroom.mailer.deliver(await mailroom.queue(message()))
    assert b"List-Unsubscribe" not in mailroom.transport.sent[0].raw


async def test_following_the_link_ends_bulk_mail_of_that_topic(mailroom, message) -> None:
    token = mailroom.links.token("anna@example.com", "newsletter")
    for _ in range(2):
        wish = await mailroom.suppressions.unsubscribe(token)
    assert (wish.email, wish.topic) == ("anna@example.com", "newsletter")
    [entry] = (await mailroom.suppressions.list()).items
    assert (entry.source, entry.topic) == ("unsubscribe", "newsletter")
    mail_id = await mailroom.queue(message(topic="newsletter", bulk=True))
    assert (await mailroom.mailer.deliver(mail_id)).status == "failed"


@pytest.mark.parametrize(
    "damage", [lambda t: "", lambda t: t[:-2], lambda t: ("B" if t[0] == "A" else "A") + t[1:], lambda t: t + "é"]
)
def test_a_damaged_link_unsubscribes_nobody(damage) -> None:
    with pytest.raises(InputError, match="This unsubscribe link is damaged"):
        LINKS.read(damage(LINKS.token("anna@example.com", "newsletter")))


def test_a_link_signed_by_somebody_else_unsubscribes_nobody() -> None:
    forged = UnsubscribeLinks(b"another key", "https://almanac.example.org").token("anna@example.com", "newsletter")
    with pytest.raises(InputError):
        LINKS.read(forged)
