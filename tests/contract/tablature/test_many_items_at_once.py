"""Batches ask again for what the service left undone; scans, migrations and backfills walk over whole tables."""

from datetime import datetime

import pytest

import tablature
from tablature import Attr, Entity, Index, Table, attr, auto_now, auto_now_add, fanout, index, pattern, primary, unique
from tablature.errors import InputError, StoredItemError, Throttled, Unavailable, UniqueViolation

table = Table("many", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])
old_table = Table("old", pk="PK", sk="SK")
new_table = Table("old", pk="PK", sk="SK")
indexed_table = Table("bare", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


class Item(Entity, table=table):
    id: Attr[str]
    group: Attr[str] = attr(default="g")

    key = primary("ITEM#{id}", "ITEM")
    by_group = index("GSI1", "GROUP#{group}", "{id}")
    in_group = pattern(by_group, page=1000)


class Claimed(Entity, table=table):
    id: Attr[str]
    name: Attr[str]

    key = primary("CLAIMED#{id}", "CLAIMED")
    one_name = unique("name")


@pytest.fixture
def db(open_db):
    return open_db(table)


class Stingy:
    """A service that does only part of each batch, as DynamoDB may."""

    def __init__(self, inner, never=False):
        self.inner = inner
        self.never = never

    def send(self, operation, request):
        if operation == "BatchGetItem":
            ((table, wanted),) = request["RequestItems"].items()
            some, rest = ([], wanted["Keys"]) if self.never else (wanted["Keys"][:7], wanted["Keys"][7:])
            answer = {"Responses": {table: []}}
            if some:
                answer = self.inner.send(operation, {"RequestItems": {table: {**wanted, "Keys": some}}})
            return answer | {"UnprocessedKeys": {table: {**wanted, "Keys": rest}} if rest else {}}
        if operation == "BatchWriteItem":
            ((table, wanted),) = request["RequestItems"].items()
            self.inner.send(operation, {"RequestItems": {table: wanted[:7]}})
            return {"UnprocessedItems": {table: wanted[7:]} if wanted[7:] else {}}
        return self.inner.send(operation, request)


def patient(transport, db, **options):
    database = tablature.Database(Stingy(transport, **options), names=db.context.names, clock=db.context.now)
    database._runner._sleep = lambda _: None
    return database


def test_many_are_written_and_read_in_order(db):
    db.put_many([Item(id=str(number)) for number in range(130)])
    items = db.get_many([Item.key(id=str(number)) for number in reversed(range(131))])
    assert [item and item.id for item in items] == [None, *(str(number) for number in reversed(range(130)))]
    db.delete_many([Item.key(id=str(number)) for number in range(130)])
    assert db.count(Item.in_group(group="g")) == 0


def test_the_same_item_may_be_asked_for_twice(db):
    db.put_many([Item(id="1"), Item(id="1", group="h")])
    assert [item.group for item in db.get_many([Item.key(id="1"), Item.key(id="1")])] == ["h", "h"]


def test_what_the_service_leaves_undone_is_asked_for_again(db, transport):
    patient(transport, db).put_many([Item(id=str(number)) for number in range(60)])
    items = patient(transport, db).get_many([Item.key(id=str(number)) for number in range(60)])
    assert all(items)


def test_a_service_that_never_gives_an_answer_is_not_asked_for_ever(db, transport):
    with pytest.raises(Throttled, match="try again later"):
        patient(transport, db, never=True).get_many([Item.key(id="1")])


def test_a_batch_keeps_every_constraint(db):
    db.put_many([Claimed(id="1", name="ann"), Item(id="1")])
    with pytest.raises(UniqueViolation):
        db.put_many([Claimed(id="2", name="ann")])


@pytest.mark.parametrize("segments", [1, 4])
def test_a_scan_finds_every_entity_of_its_kind(db, segments):
    db.put_many([Item(id=str(number)) for number in range(40)])
    db.create(Claimed(id="1", name="ann"))
    assert sorted(int(item.id) for item in db.admin.scan(Item, segments=segments)) == list(range(40))
    assert [item.name for item in db.admin.scan(Claimed, where=Claimed.name == "ann")] == ["ann"]
    with pytest.raises(InputError, match="segments"):
        db.admin.scan(Item, segments=0)


class Person(Entity, table=new_table, schema_version=3):
    id: Attr[str]
    first: Attr[str]
    last: Attr[str]
    updated_at: Attr[datetime] = auto_now()

    key = primary("PERSON#{id}", "PERSON")


@tablature.upcast(Person, 1)
def split_the_name(item):
    first, _, last = item.pop("name")["S"].partition(" ")
    return item | {"first": {"S": first}, "last": {"S": last}}


@tablature.upcast(Person, 2)
def capitalise(item):
    return item | {"last": {"S": item["last"]["S"].title()}}


@pytest.fixture
def old_db(open_db, transport):
    db = open_db(new_table)
    name = db.context.physical(new_table)
    for start in range(0, 150, 25):
        people = [{"PutRequest": {"Item": old_person(f"{number:03d}")}} for number in range(start, start + 25)]
        transport.send("BatchWriteItem", {"RequestItems": {name: people}})
    return db


def old_person(number):
    key = {"PK": {"S": f"PERSON#{number}"}, "SK": {"S": "PERSON"}, "id": {"S": number}}
    return {**key, "name": {"S": "ann lee"}, "updated_at": {"S": "2020-01-01T00:00:00Z"}, "extra": {"N": "1"}}


def test_an_item_of_an_older_version_is_read_as_a_new_one(old_db):
    person = old_db.require(Person.key(id="000"))
    assert (person.first, person.last) == ("ann", "Lee")


def test_an_item_of_a_newer_version_is_not_guessed_at(old_db, transport):
    item = {"PK": {"S": "PERSON#x"}, "SK": {"S": "PERSON"}, "_v": {"N": "9"}}
    transport.send("PutItem", {"TableName": old_db.context.physical(new_table), "Item": item})
    with pytest.raises(StoredItemError, match="newer than 3"):
        old_db.get(Person.key(id="x"))


def test_a_migration_rewrites_old_items_and_keeps_the_rest(old_db, transport):
    progress = old_db.admin.migrate(Person)
    assert (progress.changed, progress.is_done) == (150, True)
    key = Person.key(id="007").key
    item = transport.send("GetItem", {"TableName": old_db.context.physical(new_table), "Key": key})["Item"]
    assert (item["_v"], item["first"], item["extra"]) == ({"N": "3"}, {"S": "ann"}, {"N": "1"})
    assert "name" not in item
    assert item["updated_at"] == {"S": "2020-01-01T00:00:00Z"}
    assert old_db.admin.migrate(Person).changed == 0


def test_an_interrupted_migration_is_continued(old_db):
    first = old_db.admin.migrate(Person, most_pages=1)
    assert not first.is_done
    second = old_db.admin.migrate(Person)
    assert second.is_done
    assert first.changed + second.changed == 150
    assert second.scanned < 150


def test_a_migration_keeps_to_its_rate(old_db, transport):
    pauses = []
    db = tablature.Database(transport, names=old_db.context.names, clock=old_db.context.now)
    db._runner._sleep = pauses.append
    db.admin.migrate(Person, rate=50)
    assert sum(pauses) == pytest.approx(100 / 50, abs=0.1)
    with pytest.raises(InputError, match="above zero"):
        db.admin.migrate(Person, rate=0)


class Post(Entity, table=indexed_table):
    id: Attr[str]
    author: Attr[str | None] = attr(default=None)
    tags: Attr[list[str]] = attr(default_factory=list)
    created_at: Attr[datetime] = auto_now_add()

    key = primary("POST#{id}", "POST")
    by_author = index("GSI1", "AUTHOR#{author}", "{created_at:iso}")
    by_tag = fanout(each="tags", pk="TAG#{each}", sk="{id}", fields=("author",))
    one_author_a_moment = unique("author", "created_at")

    of_author = pattern(by_author)
    tagged = pattern(by_tag)


def test_a_backfill_makes_keys_copies_and_sentinels_what_they_should_be(open_db, transport):
    db = open_db(indexed_table)
    for number, author in enumerate(["ann", "bob", None]):
        item = {
            "PK": {"S": f"POST#{number}"},
            "SK": {"S": "POST"},
            "id": {"S": str(number)},
            "tags": {"L": [{"S": "sea"}]},
            "created_at": {"S": f"2026-01-0{number + 1}T00:00:00Z"},
            "GSI1PK": {"S": "AUTHOR#stale"},
            "GSI1SK": {"S": "stale"},
        }
        item |= {"author": {"S": author}} if author else {}
        transport.send("PutItem", {"TableName": db.context.physical(indexed_table), "Item": item})
    assert db.admin.backfill(Post).changed == 3
    assert [post.id for post in db.query(Post.of_author(author="ann"))] == ["0"]
    assert db.query(Post.of_author(author="stale")).items == []
    assert [copy.author for copy in db.query(Post.tagged(each="sea"))] == ["ann", "bob", None]
    assert db.admin.backfill(Post).changed == 0
    with pytest.raises(UniqueViolation):
        db.create(Post(id="9", author="ann", created_at=db.require(Post.key(id="0")).created_at))


def test_a_failure_in_the_middle_of_a_migration_loses_nothing(old_db, transport):
    class Dying:
        calls = 0

        def send(self, operation, request):
            self.calls += 1
            if self.calls > 60:
                raise Unavailable("ConnectionLost", "gone")
            return transport.send(operation, request)

    dying = tablature.Database(Dying(), names=old_db.context.names, clock=old_db.context.now)
    with pytest.raises(Unavailable):
        dying.admin.migrate(Person)
    assert old_db.admin.migrate(Person).is_done
    assert {person.last for person in old_db.admin.scan(Person)} == {"Lee"}
