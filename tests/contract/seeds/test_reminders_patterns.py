"""The email tracking document's access patterns: what waits, what a customer was sent, what went out and when."""

from datetime import UTC, datetime, timedelta

import pytest

from almanac.desks.reminders.store.table import DRAFT_RETENTION_DAYS, EmailDraft, EmailTemplate, SentEmail
from tablature import at_least, between

SENT_AT = datetime(2025, 9, 21, 15, tzinfo=UTC)


@pytest.fixture
def stored(open_table):
    result = open_table("email_tracking")
    result.clock.now = datetime(2025, 9, 22, 9, tzinfo=UTC)
    return result


def test_drafts_that_wait_for_approval_are_listed(stored, costs):
    result = costs(stored, lambda: stored.db.query(EmailDraft.with_status(status="draft")), rcu=2.5)
    assert [draft.customer_name for draft in result] == ["John Doe"]


def test_an_approved_draft_moves_in_the_status_index(stored, costs):
    (draft,) = stored.db.query(EmailDraft.with_status(status="draft"))
    costs(stored, lambda: stored.db.patch(draft, status="approved"), wcu=4)
    assert stored.db.query(EmailDraft.with_status(status="draft")).items == []
    assert len(stored.db.query(EmailDraft.with_status(status="approved"))) == 1


def test_a_customers_history_holds_what_was_sent(stored, costs):
    result = costs(stored, lambda: stored.db.query(SentEmail.history(customer_id="cust_001")), rcu=0.5)
    assert [(mail.reminder_type, mail.delivery_status) for mail in result] == [("first", "delivered")]
    assert len(stored.db.query(EmailDraft.of_customer(customer_id="cust_001"))) == 1


@pytest.mark.parametrize(("kind", "since", "count"), [("first", -1, 1), ("first", 1, 0), ("second", -1, 0)])
def test_recent_mails_of_one_type_are_found(stored, costs, kind, since, count):
    cutoff = SENT_AT + timedelta(days=since)
    query = SentEmail.recent_by_type(customer_id="cust_001", reminder_type=kind, sent_date=at_least(cutoff))
    assert len(costs(stored, lambda: stored.db.query(query), rcu=0.5)) == count
    by_key = SentEmail.recent_by_type(customer_id="cust_001", reminder_type=kind, timestamp=at_least(cutoff))
    assert len(stored.db.query(by_key)) == count


def test_mails_sent_in_a_range_of_dates_are_found(stored, costs):
    for hour in range(6):
        moment = SENT_AT + timedelta(hours=hour + 1)
        stored.db.create(
            SentEmail(
                customer_id=f"c{hour}",
                timestamp=moment,
                sent_date=moment,
                reminder_type="second",
                email_subject="Reminder",
                email_content="Text",
            )
        )
    span = between(SENT_AT, SENT_AT + timedelta(hours=3))
    result = costs(stored, lambda: stored.db.query(SentEmail.with_status(status="sent", sent_date=span)), rcu=5)
    assert [mail.sent_date.hour for mail in result] == [15, 16, 17, 18]


def test_templates_are_found_by_id_and_by_status(stored, costs):
    stored.db.create(EmailTemplate(template_id="reminder_first", version=2, subject_template="S", body_template="B"))
    result = costs(stored, lambda: stored.db.query(EmailTemplate.versions(template_id="reminder_first")), rcu=0.5)
    assert [template.version for template in result] == [1, 2]
    stored.db.patch(EmailTemplate.key(template_id="reminder_first", version=1), status="inactive")
    active = costs(stored, lambda: stored.db.query(EmailTemplate.with_status(status="active")), rcu=0.5)
    assert [template.version for template in active] == [2]


def test_a_new_draft_expires_and_a_documented_one_is_left_as_it_is(stored):
    now = stored.clock.now
    draft = stored.db.create(
        EmailDraft(customer_id="c", timestamp=now, reminder_type="first", email_subject="S", email_content="T")
    )
    assert draft.expires_at == now + timedelta(days=DRAFT_RETENTION_DAYS)
    assert ("CUSTOMER#c", "DRAFT#20250922_090000_c") in stored.items()
    (old,) = stored.db.query(EmailDraft.of_customer(customer_id="cust_001"))
    assert stored.db.patch(old, status="rejected").expires_at is None


def test_a_draft_that_another_program_marked_as_sent_is_no_sent_mail(stored, documented):
    stored.put({**documented("email_tracking")[0], "status": {"S": "sent"}, "GSI1PK": {"S": "STATUS#sent"}})
    (draft,) = stored.db.query(EmailDraft.of_customer(customer_id="cust_001"))
    assert draft.status == "sent"
    assert len(stored.db.query(SentEmail.with_status(status="sent"))) == 1
