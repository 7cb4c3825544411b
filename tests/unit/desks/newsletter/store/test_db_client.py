"""The client for plain items: the documented examples work, async and blocking, and keys stay correct."""

import inspect
from datetime import UTC, datetime

import pytest

from almanac.desks.newsletter.store.db_client import DbClient
from almanac.desks.newsletter.store.table import NewsletterRecord, TopicsRecord, newsletters
from tablature import Database, MemoryObjects
from tablature.errors import DerivedTouched, DoesNotExist, InputError, StoredItemError
from tablature.transport.embedded import Embedded

PK = "NEWSLETTER#NL-20260126-A1B2"
METADATA = {
    "PK": PK,
    "SK": "METADATA",
    "GSI1PK": "USER#user123",
    "GSI1SK": "NEWSLETTER#2026-01-26T10:30:00Z",
    "newsletterCode": "NL-20260126-A1B2",
    "title": "Weekly",
    "status": "draft",
    "user_id": "user123",
    "created_at": "2026-01-26T10:30:00Z",
    "updated_at": "2026-01-26T10:35:30Z",
    "tone_professional": 70,
    "target_audience": ["researchers"],
    "current_step": 1,
}
TOPICS = {
    "PK": PK,
    "SK": "TOPICS",
    "selected_types": ["Research Findings"],
    "retrieval_status": "processing",
    "retrieval_error": None,
    "retrieved_content": [{"topic": "Research Findings", "score": 0.89}],
    "total_chunks_retrieved": 1,
    "updated_at": "2026-01-26T10:41:30.123456",
}
PROPOSAL = {
    "PK": {"S": "PROPOSAL#PROP-1"},
    "SK": {"S": "METADATA"},
    "GSI1PK": {"S": "USER#user123"},
    "GSI1SK": {"S": "PROPOSAL#2026-01-01"},
}


@pytest.fixture
def transport():
    with Embedded.memory() as transport:
        Database(transport).admin.create_table(newsletters)
        transport.send("PutItem", {"TableName": "newsletter", "Item": PROPOSAL})
        yield transport


@pytest.fixture
def client(transport):
    return DbClient(transport)


@pytest.fixture
async def filled(client):
    await client.put_item(item=METADATA)
    await client.put_item(item=TOPICS)
    return client


async def test_items_come_back_as_they_were_put(filled):
    assert await filled.get_item(pk=PK, sk="METADATA") == METADATA
    assert filled.get_item_sync(pk=PK, sk="TOPICS") == TOPICS
    assert await filled.get_item(pk=PK, sk="DRAFT") is None


async def test_all_items_of_a_newsletter_and_of_a_user_are_queried(filled):
    assert await filled.query_items(pk=PK) == [METADATA, TOPICS]
    mine = {"pk": "USER#user123", "index_name": "GSI1", "sk_begins_with": "NEWSLETTER#", "scan_index_forward": False}
    assert await filled.query_items(**mine) == filled.query_items_sync(**mine) == [METADATA]
    everything = filled.query_items_sync("USER#user123", index_name="GSI1")
    assert [item["PK"] for item in everything] == [PK, "PROPOSAL#PROP-1"]
    assert len(filled.query_items_sync("USER#user123", index_name="GSI1", limit=1)) == 1


async def test_the_documents_update_works(filled):
    now = datetime(2026, 1, 27, tzinfo=UTC).isoformat()
    changed = await filled.update_item(
        pk=PK,
        sk="METADATA",
        update_expression="SET target_audience = :audience, updated_at = :now",
        expression_attribute_values={":audience": ["policy_makers"], ":now": now},
    )
    assert changed == {**METADATA, "target_audience": ["policy_makers"], "updated_at": now}


async def test_a_worker_updates_a_step_and_may_create_it(filled):
    expression = "SET #status = :status"
    for sk, status in (("TOPICS", "retrieval_status"), ("DRAFT", "draft_status")):
        filled.update_item_sync(PK, sk, expression, {":status": "completed"}, {"#status": status})
        assert filled.get_item_sync(pk=PK, sk=sk)[status] == "completed"


async def test_a_newsletter_that_does_not_exist_is_not_updated_into_being(client):
    with pytest.raises(DoesNotExist, match="create it"):
        await client.update_item(PK, "METADATA", "SET title = :t", {":t": "x"})


async def test_deleting_the_documents_way_removes_everything(filled, transport):
    for sk in ("METADATA", "TOPICS", "OUTLINE", "DRAFT"):
        await filled.delete_item(pk=PK, sk=sk)
    assert transport.send("Scan", {"TableName": "newsletter"})["Items"] == [PROPOSAL]


async def test_a_left_out_index_key_is_filled_in_and_a_wrong_one_refused(client):
    plain = {name: value for name, value in METADATA.items() if not name.startswith("GSI1")}
    client.put_item_sync(plain)
    assert await client.get_item(PK, "METADATA") == METADATA
    with pytest.raises(InputError, match="GSI1PK must be 'USER#user123'"):
        client.put_item_sync({**METADATA, "GSI1PK": "USER#other"})
    with pytest.raises(InputError, match="PK must be"):
        client.put_item_sync({**METADATA, "newsletterCode": "NL-20260126-ZZZZ"})


async def test_an_expression_that_touches_a_key_or_its_source_is_refused(filled):
    with pytest.raises(DerivedTouched, match="user_id"):
        await filled.update_item(PK, "METADATA", "SET user_id = :u", {":u": "other"})


@pytest.mark.parametrize("change", ["put", "update", "delete"])
async def test_items_of_other_programs_are_never_changed(client, transport, change):
    steps = {
        "put": lambda: client.put_item({"PK": "PROPOSAL#PROP-1", "SK": "METADATA"}),
        "update": lambda: client.update_item("PROPOSAL#PROP-1", "METADATA", "SET a = :a", {":a": 1}),
        "delete": lambda: client.delete_item("PROPOSAL#PROP-1", "METADATA"),
    }
    with pytest.raises(InputError, match="isn't an item of a newsletter"):
        await steps[change]()
    assert transport.send("Scan", {"TableName": "newsletter"})["Items"] == [PROPOSAL]


async def test_an_item_of_the_wrong_type_is_refused(client):
    with pytest.raises(StoredItemError, match="tone_professional"):
        await client.put_item({**METADATA, "tone_professional": "seventy"})
    with pytest.raises(InputError, match="both PK and SK"):
        await client.put_item({"PK": PK})


async def test_large_content_that_lives_elsewhere_is_read_and_dropped_when_replaced(transport):
    objects = MemoryObjects()
    db = Database(transport, objects=objects)
    chunk = {"topic": "t", "source": "s", "score": 0.5, "content": "x" * 70_000}
    db.create(NewsletterRecord(newsletter_code="NL-20260126-A1B2", title="Weekly", user_id="user123"))
    db.create(TopicsRecord(newsletter_code="NL-20260126-A1B2", retrieved_content=[chunk]))
    client = DbClient(transport, objects=objects)
    assert len(objects.stored) == 1
    assert (await client.get_item(PK, "TOPICS"))["retrieved_content"] == [chunk]
    client.update_item_sync(PK, "TOPICS", "SET retrieved_content = :c", {":c": []})
    assert objects.stored == {}
    assert db.require(TopicsRecord.key(newsletter_code="NL-20260126-A1B2")).retrieved_content == []


def test_each_awaited_name_has_a_waiting_twin_with_the_same_parameters():
    for name in ("get_item", "put_item", "update_item", "delete_item", "query_items"):
        awaited, waiting = getattr(DbClient, name), getattr(DbClient, f"{name}_sync")
        assert inspect.iscoroutinefunction(awaited)
        assert inspect.signature(awaited) == inspect.signature(waiting)
