"""Keys that say a thing twice, or say what an item leaves out: queries, copies and limits still come out right."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from tablature import (
    Attr,
    Database,
    Entity,
    Table,
    at_least,
    attr,
    auto_now,
    fanout,
    pattern,
    primary,
    raw,
)
from tablature.errors import DeclarationError, InputError
from tablature.transport.embedded import Embedded

table = Table("mails", pk="PK", sk="SK")


@dataclass
class Card:
    number: int
    labels: list[str]


class Mail(Entity, table=table):
    customer: Attr[str] = attr(pattern=r"[a-z]+", in_key=True)
    number: Attr[int] = attr(in_key=True)
    kind: Attr[str]
    labels: Attr[list[str]] = attr(default_factory=list, absent=[])
    changed_at: Attr[datetime | None] = auto_now()

    key = primary("C#{customer}", "MAIL#{number:04d}_{customer}_{kind:raw}")
    by_label = fanout(each="labels", pk="LABEL#{each:raw}", sk="N#{number:04d}#{customer}", view=Card)

    of_customer = pattern(key)
    of_kind = pattern(key, filters=("kind",))
    labelled = pattern(by_label)


@pytest.fixture
def db():
    with Embedded.memory() as transport:
        database = Database(transport, clock=lambda: datetime(2026, 1, 26, tzinfo=UTC))
        database.admin.create_table(table)
        yield database


@pytest.fixture
def mails(db):
    made = [
        Mail(customer="ann", number=number, kind=kind) for number, kind in enumerate(("first", "second", "first"), 1)
    ]
    db.put_many(made)
    return made


def test_a_field_of_the_partition_may_stand_in_the_sort_key_too(db, mails):
    assert [mail.number for mail in db.query(Mail.of_customer(customer="ann"))] == [1, 2, 3]


def test_a_filter_may_name_a_field_that_the_sort_key_ends_with(db, mails):
    assert [mail.number for mail in db.query(Mail.of_kind(customer="ann", kind="first"))] == [1, 3]
    later = Mail.of_kind(customer="ann", number=at_least(2), kind="first")
    assert [mail.number for mail in db.query(later)] == [3]
    exact = db.explain(Mail.of_kind(customer="ann", number=3, kind="first")).requests[0]
    assert "FilterExpression" not in exact


def test_a_field_that_is_only_in_the_key_can_not_be_a_filter():
    with pytest.raises(DeclarationError, match="kept in the key alone"):
        pattern(Mail.key, name="numbered", filters=("number",))


def test_the_limits_of_a_field_hold_where_it_is_only_in_the_key(db):
    with pytest.raises(InputError, match="'ANN' does not match"):
        db.put(Mail(customer="ANN", number=1, kind="first"))


def test_a_copy_that_leaves_a_field_out_is_read_from_its_key(db):
    item = {"PK": {"S": "LABEL#old"}, "SK": {"S": "N#0007#ann"}}
    db.transport.send("PutItem", {"TableName": "mails", "Item": item})
    assert db.query(Mail.labelled(each="old")).items == [Card(number=7, labels=[])]


def test_a_raw_update_may_set_an_automatic_time_itself(db, mails):
    changed = db.patch(mails[0], raw("SET changed_at = :then", values={":then": "2026-01-01T00:00:00Z"}))
    assert changed.changed_at == datetime(2026, 1, 1, tzinfo=UTC)


class Item(Entity, table=table):
    id: Attr[str] = attr(in_key=True)
    day: Attr[str]
    tags: Attr[list[dict[str, str] | str]] = attr(default_factory=list)

    key = primary("ITEM#{id}", "ITEM")
    by_tag = fanout(each="tags", of="name", pk="TAG#{each}", sk="{day:[:4]}/{day:[5:7]}/{day}#{id}", fields=("id",))

    tagged = pattern(by_tag, doc="Items with a tag.")


def test_a_key_may_hold_a_part_of_a_text(db):
    db.create(Item(id="1", day="2026-01-26", tags=["a"]))
    stored = db.transport.send("Scan", {"TableName": "mails"})["Items"]
    assert {item["SK"]["S"] for item in stored} == {"ITEM", "2026/01/2026-01-26#1"}
    assert len(db.query(Item.tagged(each="a", day=at_least("2026-01-26")))) == 1
    assert len(db.query(Item.tagged(each="a", day=at_least("2026-01-27")))) == 0
    with pytest.raises(InputError, match="empty text"):
        db.create(Item(id="2", day="2026", tags=["a"]))


def test_copies_may_stand_for_a_member_of_each_element(db):
    tags = [{"name": "a", "since": "x"}, "b", {"other": "c"}, {"name": ""}]
    item = db.create(Item(id="1", day="2026-01-26", tags=tags))
    assert [len(db.query(Item.tagged(each=name))) for name in ("a", "b")] == [1, 1]
    db.patch(item, tags=[{"name": "b"}])
    assert [len(db.query(Item.tagged(each=name))) for name in ("a", "b")] == [0, 1]
    assert len(db.transport.send("Scan", {"TableName": "mails"})["Items"]) == 2
