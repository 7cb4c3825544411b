"""SES notifications of each kind are parsed per recipient; others give no delivery events."""

import json

import pytest

from almanac.errors import InputError
from almanac.mail.sns import parse_ses_notification

MAIL = {"messageId": "ses-1", "headers": [{"name": "x-almanac-id", "value": "mail-1"}]}
AT = "2026-05-04T12:00:00.000Z"
SENT = {**MAIL, "timestamp": AT, "destination": ["anna@example.com", "ben@example.com"]}
DELIVERY = {"recipients": ["anna@example.com", "ben@example.com"], "timestamp": AT, "smtpResponse": "250 ok"}
COMPLAINT = {"complainedRecipients": [{"emailAddress": "anna@example.com"}], "timestamp": AT}
DELAY = {"delayedRecipients": [{"emailAddress": "anna@example.com"}], "timestamp": AT, "delayType": "MailboxFull"}
SOFT = {"bounceType": "Transient", "bouncedRecipients": [{"emailAddress": "anna@example.com"}], "timestamp": AT}


@pytest.mark.parametrize(
    ("notification", "expected"),
    [
        ({"delivery": DELIVERY}, [("delivered", "anna@example.com", False), ("delivered", "ben@example.com", False)]),
        ({"complaint": COMPLAINT}, [("complained", "anna@example.com", True)]),
        ({"deliveryDelay": DELAY}, [("delayed", "anna@example.com", False)]),
        ({"bounce": SOFT}, [("bounced", "anna@example.com", False)]),
        (
            {"eventType": "Reject", "mail": SENT, "reject": {"reason": "Bad content"}},
            [("failed", "anna@example.com", False), ("failed", "ben@example.com", False)],
        ),
        ({"eventType": "Open", "open": {"ipAddress": "192.0.2.1"}}, []),
    ],
)
def test_each_kind_is_read_for_each_recipient(notification: dict, expected: list) -> None:
    events = parse_ses_notification(json.dumps({"mail": MAIL} | notification), "sns-1")
    assert [(e.kind, e.recipient, e.permanent) for e in events] == expected
    assert {e.mail_id for e in events} <= {"mail-1"}


def test_a_message_that_is_no_notification_holds_no_events() -> None:
    assert parse_ses_notification("Successfully validated SNS topic for Amazon SES event publishing.", "sns-1") == []


def test_a_notification_with_a_hole_is_one_sentence() -> None:
    with pytest.raises(InputError, match="can't be read"):
        parse_ses_notification('{"mail": {}}', "sns-1")
