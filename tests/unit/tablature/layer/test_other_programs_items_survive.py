"""Items that another program wrote are read, and written back with everything that program put there."""

from datetime import UTC, datetime
from typing import Any

import pytest

import tablature
from tablature import Attr, Database, Entity, Index, Table, attr, index, pattern, primary
from tablature.transport.embedded import Embedded

table = Table("newsletter", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


class Newsletter(Entity, table=table):
    code: Attr[str] = attr(name="newsletterCode")
    user_id: Attr[str]
    title: Attr[str]
    error: Attr[str | None] = attr(default=None)
    amount: Attr[float | None] = attr(default=None)
    created_at: Attr[datetime]
    meta: Attr[dict[str, Any] | None] = attr(default=None)

    key = primary("NEWSLETTER#{code}", "METADATA")
    by_user = index("GSI1", "USER#{user_id}", "NEWSLETTER#{created_at:iso}")
    of_user = pattern(by_user)


class Sent(Entity, table=table):
    customer: Attr[str]
    at: Attr[datetime]

    key = primary("CUSTOMER#{customer}", "SENT#{at:iso}")


FOREIGN = {
    "PK": {"S": "NEWSLETTER#NL-1"},
    "SK": {"S": "METADATA"},
    "GSI1PK": {"S": "USER#u1"},
    "GSI1SK": {"S": "NEWSLETTER#2026-01-26T10:30:00.000Z"},
    "newsletterCode": {"S": "NL-1"},
    "user_id": {"S": "u1"},
    "title": {"S": "Weekly"},
    "error": {"NULL": True},
    "amount": {"N": "1500"},
    "created_at": {"S": "2026-01-26T10:30:00.000Z"},
    "meta": {"M": {"deep": {"L": [{"N": "1"}, {"NULL": True}]}}},
    "tone_professional": {"N": "70"},
    "binary": {"B": "AAE="},
}


@pytest.fixture
def transport():
    with Embedded.memory() as transport:
        yield transport


@pytest.fixture
def db(transport):
    db = Database(transport)
    db.admin.create_table(table)
    return db


def store(transport, item):
    transport.send("PutItem", {"TableName": "newsletter", "Item": item})


def stored(transport, item):
    key = {name: item[name] for name in ("PK", "SK")}
    return transport.send("GetItem", {"TableName": "newsletter", "Key": key}).get("Item")


@pytest.mark.parametrize("verb", ["put", "update"])
def test_reading_and_writing_back_changes_nothing(db, transport, verb):
    store(transport, FOREIGN)
    newsletter = db.require(Newsletter.key(code="NL-1"))
    assert (newsletter.error, newsletter.amount, newsletter.title) == (None, 1500.0, "Weekly")
    getattr(db, verb)(newsletter)
    assert stored(transport, FOREIGN) == FOREIGN


def test_a_change_changes_only_itself_and_what_is_derived_from_it(db, transport):
    store(transport, FOREIGN)
    newsletter = db.require(Newsletter.key(code="NL-1"))
    newsletter.title = "Monthly"
    newsletter.user_id = "u2"
    db.put(newsletter)
    expected = FOREIGN | {"title": {"S": "Monthly"}, "user_id": {"S": "u2"}, "GSI1PK": {"S": "USER#u2"}}
    assert stored(transport, FOREIGN) == expected


def test_a_stale_index_key_is_healed_by_writing_back(db, transport):
    store(transport, FOREIGN | {"GSI1PK": {"S": "USER#somebody-else"}})
    db.put(db.require(Newsletter.key(code="NL-1")))
    assert stored(transport, FOREIGN)["GSI1PK"] == {"S": "USER#u1"}


def test_an_item_whose_own_key_is_spelled_differently_stays_the_same_item(db, transport):
    foreign = {
        "PK": {"S": "CUSTOMER#c"},
        "SK": {"S": "SENT#2026-01-26T10:30:00.000Z"},
        "customer": {"S": "c"},
        "at": {"S": "2026-01-26T10:30:00.000Z"},
    }
    store(transport, foreign)
    every = pattern(Sent.key, name="every")
    sent = db.first(every(customer="c"))
    assert sent.at == datetime(2026, 1, 26, 10, 30, tzinfo=UTC)
    db.put(sent)
    assert db.count(every(customer="c")) == 1
    db.patch(sent, tablature.raw("SET note = :n", values={":n": "x"}))
    assert stored(transport, foreign) == foreign | {"note": {"S": "x"}}
    db.delete(sent)
    assert db.count(every(customer="c")) == 0


def test_items_that_no_entity_knows_are_never_results(db, transport):
    store(transport, FOREIGN)
    proposal = {"PK": {"S": "PROPOSAL#1"}, "SK": {"S": "METADATA"}, "GSI1PK": {"S": "USER#u1"}}
    store(transport, proposal | {"GSI1SK": {"S": "PROPOSAL#2026"}})
    store(transport, proposal | {"PK": {"S": "PROPOSAL#2"}, "GSI1SK": {"S": "NEWSLETTER#2026"}})
    assert [newsletter.code for newsletter in db.query(Newsletter.of_user(user_id="u1"))] == ["NL-1"]
    assert [newsletter.code for newsletter in db.admin.scan(Newsletter)] == ["NL-1"]
