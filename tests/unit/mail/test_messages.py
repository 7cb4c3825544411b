"""Incomplete messages are rejected, and no value can inject a header."""

from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.errors import InputError
from almanac.mail import Address, Attachment, Message
from almanac.mail.mime import MailIds, read_mail, write_mail

EXPECTED = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "X-Almanac-Id",
    "Content-Type",
    "Content-Transfer-Encoding",
    "MIME-Version",
]
ANNA = Address("anna@example.com")


def written(message: Message, **extra: str) -> bytes:
    name = MailIds("1", "<1@example.org>")
    return write_mail(
        message, name, sender=Address("a@example.org"), date=datetime(2026, 1, 1, tzinfo=UTC), extra=extra
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"to": ()}, "A mail has 1 to 50 recipients"),
        ({"to": tuple(Address(f"a{n}@example.com") for n in range(51))}, "this one has 51"),
        ({"subject": " "}, "A subject is one line"),
        ({"subject": "Hi\r\nBcc: eve@example.org"}, "A subject is one line"),
        ({"subject": "Hi\u2028there"}, "A subject is one line"),
        ({"subject": "x" * 501}, "1 to 500 characters"),
        ({"text": "\n"}, "needs a plain-text body"),
        ({"topic": "News Letter"}, "isn't a topic"),
        ({"bulk": True, "cc": (Address("ben@example.com"),)}, "Bulk mail goes to one recipient each"),
    ],
)
def test_an_incomplete_message_is_refused(message, change, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        message(**change)


@pytest.mark.parametrize(
    ("name", "content_type"),
    [("", "text/plain"), ("a\nb.txt", "text/plain"), ("../a", "text/plain"), ("a", "text"), ("a", "text/p\r\nX: y")],
)
def test_an_attachment_has_a_plain_name_and_type(name: str, content_type: str) -> None:
    with pytest.raises(InputError):
        Attachment(name, content_type, b"")


def test_the_same_person_twice_is_one_recipient(message) -> None:
    assert len(message("anna@example.com", cc=(Address("ANNA@example.com"),)).recipients) == 1


@given(subject=st.text(min_size=1, max_size=200), name=st.text(max_size=100), text=st.text(min_size=1))
def test_no_value_becomes_a_header_of_its_own(subject: str, name: str, text: str) -> None:
    try:
        raw = written(Message(to=(Address("anna@example.com", name),), subject=subject, text=text, topic="t"))
    except InputError:
        return
    mail = message_from_bytes(raw, policy=SMTP)
    assert mail.keys() == EXPECTED
    assert [a.addr_spec for a in mail["To"].addresses] == ["anna@example.com"]
    assert all(len(line) <= 998 for line in raw.split(b"\r\n"))
    assert raw.isascii()


def test_a_header_of_ours_must_be_plain(message) -> None:
    with pytest.raises(InputError, match="one plain line"):
        written(message(), **{"List-Unsubscribe": "<https://a>\r\nBcc: eve@example.org"})


def test_an_address_with_letters_before_the_at_makes_utf8_headers(message) -> None:
    raw = written(message("用户 <用户@example.com>"))
    assert "用户@example.com".encode() in raw
    assert ("To", "用户 <用户@example.com>") in read_mail(raw).headers
