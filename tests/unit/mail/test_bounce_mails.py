"""A bounce mail is parsed into delivery events, like those of a webhook."""

from datetime import UTC, datetime

import pytest

from almanac.errors import InputError
from almanac.mail.deliveries import parse_bounce_mail

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
REPORT = """\
From: MAILER-DAEMON@mx.example.com
Message-ID: <bounce-1@mx.example.com>
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
MIME-Version: 1.0

--b
Content-Type: text/plain

Your mail could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; anna@example.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1
 no such mailbox

Original-Recipient: rfc822;ben@example.com
Action: delayed
Status: 4.2.2

Final-Recipient: rfc822; cleo@example.com
Action: relayed
Status: 2.0.0
--b
Content-Type: {kind}

Message-ID: <mail-1@example.org>
X-Almanac-Id: mail-1
Subject: Hello

--b--
"""


@pytest.mark.parametrize("kind", ["message/rfc822", "text/rfc822-headers"])
def test_each_recipient_of_the_report_is_an_event(kind: str) -> None:
    events = parse_bounce_mail(REPORT.format(kind=kind).encode(), NOW)
    assert [(e.kind, e.recipient, e.permanent) for e in events] == [
        ("bounced", "anna@example.com", True),
        ("delayed", "ben@example.com", False),
    ]
    assert events[0].detail == "smtp; 550 5.1.1 no such mailbox"
    assert {(e.mail_id, e.message_id) for e in events} == {("mail-1", "<mail-1@example.org>")}
    assert {e.source_id for e in events} == {"<bounce-1@mx.example.com>"}


def test_an_ordinary_mail_is_no_report() -> None:
    with pytest.raises(InputError, match="isn't a delivery status notification"):
        parse_bounce_mail(b"Subject: Re: Hello\r\n\r\nThanks!\r\n", NOW)


def test_a_report_without_the_mail_it_is_about_is_no_use() -> None:
    with pytest.raises(InputError, match="doesn't say which mail"):
        parse_bounce_mail(REPORT.format(kind="text/plain").encode(), NOW)
