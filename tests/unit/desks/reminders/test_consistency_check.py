"""The consistency check: nothing for a correct table, and a sentence for each violated invariant."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from almanac.approvals import ApprovalPerson
from almanac.desks.reminders.model.draft import LetterWording, ReminderDraft
from almanac.desks.reminders.model.invariants import find_ladder_problems
from almanac.desks.reminders.model.ladder import DEFAULT_RULES, Ladder, OpenDraft, SentMark
from almanac.desks.reminders.model.sent import SentReminder

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
CLAIM = OpenDraft("d1", "second", 1, "sending", "f", NOW)
MARK = SentMark("d0", 1, NOW - timedelta(days=8))
LADDER = Ladder(customer_id="acme", currency="EUR", open=CLAIM, sent={"first": MARK}, version=5)
DRAFT = ReminderDraft(
    id="d1",
    customer_id="acme",
    customer_name="Acme",
    level="second",
    currency="EUR",
    cycle=1,
    state="sending",
    wording=LetterWording(subject="S", text="T", recipients=()),
    facts=None,
    created_at=NOW,
    created_by=ApprovalPerson("ada", "Ada"),
)
SENT = SentReminder(
    id="s",
    customer_id="acme",
    level="first",
    subject="S",
    text="T",
    status="sent",
    sent_at=MARK.at,
    approved_by="ada",
    message_id="m",
    delivery_status=None,
    delivery={},
    currency="EUR",
    cycle=1,
    draft_id="d0",
    mail_id="m0",
)


def told(ladder=LADDER, drafts=(DRAFT,), sent=(SENT,)):
    return [finding.sentence for finding in find_ladder_problems(ladder, drafts, sent, DEFAULT_RULES, NOW)]


def test_what_is_right_is_not_mentioned():
    assert told() == []


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"ladder": replace(LADDER, open=None)}, "uses no level"),
        ({"drafts": ()}, "which doesn't exist"),
        ({"drafts": (replace(DRAFT, state="unknown"),)}, "while the ladder says sending"),
        ({"drafts": (DRAFT, replace(DRAFT, id="d2", state="draft"))}, "Draft d2 is draft but uses no level"),
        ({"ladder": replace(LADDER, sent={})}, "is missing the first reminder"),
        ({"sent": (SENT, replace(SENT, id="t", mail_id="m1", draft_id="d7"))}, "was sent 2 times"),
        ({"sent": (SENT, replace(SENT, id="t", level="final"))}, "recorded 2 times"),
        ({"drafts": (DRAFT, replace(DRAFT, id="d0", state="failed"))}, "though it is recorded as sent"),
        ({"sent": (SENT, replace(SENT, id="t", mail_id="m1", cycle=2))}, "within 7 days"),
    ],
)
def test_each_thing_that_should_never_be_is_told(wrong, sentence):
    assert any(sentence in line for line in told(**wrong))


def test_drafts_and_mails_of_another_currency_belong_to_another_ladder():
    assert (
        told(drafts=(DRAFT, replace(DRAFT, id="d2", currency="USD")), sent=(SENT, replace(SENT, currency="USD"))) == []
    )
