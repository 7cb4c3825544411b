"""The newsletter document's access patterns, each without a scan and in its budget; foreign items stay untouched."""

import pytest

from almanac.desks.newsletter.store.table import (
    DraftRecord,
    FullNewsletterRecord,
    NewsletterRecord,
    OutlineRecord,
    TopicsRecord,
)
from tablature.errors import DerivedTouched
from tablature.operations.writes import raw
from tablature.wire import to_wire

CODE = "NL-20260126-A1B2"
FOREIGN = {
    "PK": "PROPOSAL#PROP-20260101-ZZZZ",
    "SK": "METADATA",
    "GSI1PK": "USER#user123",
    "GSI1SK": "PROPOSAL#2026-01-01T00:00:00Z",
    "title": "Not ours",
}


@pytest.fixture
def stored(open_table):
    result = open_table("newsletter")
    result.put({name: to_wire(value) for name, value in FOREIGN.items()})
    return result


def test_a_newsletter_is_got_by_its_code(stored, costs):
    result = costs(stored, lambda: stored.db.require(NewsletterRecord.key(newsletter_code=CODE)), rcu=0.5)
    assert result.title == "Weekly Research Digest"
    listed = costs(stored, lambda: stored.db.query(NewsletterRecord.by_code(newsletter_code=CODE)), rcu=0.5)
    assert listed.items == [result]


def test_all_steps_come_in_one_query(stored, costs):
    result = costs(stored, lambda: stored.db.collect(FullNewsletterRecord, newsletter_code=CODE), rcu=1)
    assert result.newsletter.status == "draft"
    assert result.topics.retrieved_content[0]["score"] == 0.89
    assert result.outline.sections[1]["items"][0]["rag_reference_id"] == "chunk-123"
    assert result.draft.exports["pdf"]["s3_key"] == f"newsletters/{CODE}/export.pdf"


def test_a_persons_newsletters_come_latest_first_and_without_proposals(stored, costs):
    first = stored.db.require(NewsletterRecord.key(newsletter_code=CODE))
    stored.db.create(NewsletterRecord(newsletter_code="NL-20260127-C3D4", title="Next", user_id="user123"))
    result = costs(stored, lambda: stored.db.query(NewsletterRecord.of_user(user_id="user123")), rcu=0.5)
    assert [newsletter.title for newsletter in result] == ["Next", first.title]


def test_some_fields_of_a_step_are_updated(stored, costs):
    audience = ["researchers", "policy_makers"]
    ref = NewsletterRecord.key(newsletter_code=CODE)
    changed = costs(stored, lambda: stored.db.patch(ref, target_audience=audience), wcu=3)
    assert changed.target_audience == audience
    assert changed.updated_at == stored.clock.now


def test_a_changed_owner_moves_the_newsletter_in_the_index(stored):
    stored.db.patch(NewsletterRecord.key(newsletter_code=CODE), user_id="user456")
    assert stored.db.query(NewsletterRecord.of_user(user_id="user123")).items == []
    assert len(stored.db.query(NewsletterRecord.of_user(user_id="user456"))) == 1


def test_an_expression_by_hand_can_not_leave_a_stale_key(stored):
    with pytest.raises(DerivedTouched, match="user_id"):
        stored.db.patch(NewsletterRecord.key(newsletter_code=CODE), raw("SET user_id = :u", values={":u": "user456"}))


def test_deleting_a_newsletter_removes_its_items_and_nothing_else(stored, costs):
    other = NewsletterRecord(newsletter_code="NL-20260127-C3D4", title="Next", user_id="user123")
    stored.db.create(other)
    assert (
        costs(stored, lambda: stored.db.delete_partition(FullNewsletterRecord, newsletter_code=CODE), rcu=3, wcu=10)
        == 4
    )
    assert set(stored.items()) == {(FOREIGN["PK"], "METADATA"), ("NEWSLETTER#NL-20260127-C3D4", "METADATA")}
    for step in (TopicsRecord, OutlineRecord, DraftRecord):
        assert stored.db.get(step.key(newsletter_code=CODE)) is None
