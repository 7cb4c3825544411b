"""Item size is checked before sending; large values move to the object store and back without being noticed."""

import pytest

import tablature
from tablature import Attr, Entity, MemoryObjects, Table, attr, blob, pattern, primary, version
from tablature.errors import AlreadyExists, ConditionFailed, InputError, ItemTooLarge, StoredItemError

table = Table("drafts", pk="PK", sk="SK")


class Draft(Entity, table=table):
    id: Attr[str]
    title: Attr[str] = attr(default="")
    content: Attr[str | None] = blob(over=100, default=None)
    parts: Attr[list[dict[str, object]]] = blob(over=100, default=())
    revision: Attr[int] = version()

    key = primary("DRAFT#{id}", "DRAFT")
    every = pattern(key)


class Plain(Entity, table=table):
    id: Attr[str]
    text: Attr[str]

    key = primary("PLAIN#{id}", "PLAIN")


LONG, LONGER = "long " * 100, "longer " * 100


@pytest.fixture
def objects():
    return MemoryObjects()


@pytest.fixture
def db(open_db, objects):
    return open_db(table, objects=objects)


def test_an_item_over_400_kb_is_refused_before_sending(db):
    with db.measure() as spent, pytest.raises(ItemTooLarge, match="at most 409,600"):
        db.create(Plain(id="1", text="x" * 410_000))
    assert spent.total.calls == 0


def test_an_item_that_nears_the_limit_is_warned_about(open_db):
    db = open_db(table, warn_over=1_000)
    with pytest.warns(UserWarning, match="nears the limit"):
        db.create(Plain(id="1", text="x" * 2_000))


def test_a_large_value_is_stored_as_a_pointer_and_read_as_itself(db, objects, transport):
    parts = [{"topic": "drought", "score": 0.89, "raw": "é" * 100}]
    created = db.create(Draft(id="1", content=LONG, parts=parts))
    item = transport.send("GetItem", {"TableName": db.context.physical(table), "Key": Draft.key(id="1").key})["Item"]
    assert item["content"]["M"]["_blob"]["S"] in objects.stored
    assert len(objects.stored) == 2
    stored_draft = db.require(Draft.key(id="1"))
    assert stored_draft == created
    assert (stored_draft.content, stored_draft.parts) == (LONG, parts)
    assert [draft.content for draft in db.query(Draft.every(id="1"))] == [LONG]


def test_a_small_value_stays_in_the_item(db, objects):
    db.create(Draft(id="1", content="short"))
    assert objects.stored == {}
    assert db.require(Draft.key(id="1")).content == "short"


def test_a_replaced_value_leaves_no_object_behind(db, objects):
    draft = db.create(Draft(id="1", content=LONG))
    draft = db.patch(draft, content=LONGER)
    assert draft.content == LONGER
    assert len(objects.stored) == 1
    draft = db.put(tablature.replace(draft, content="short"))
    assert objects.stored == {}
    draft = db.update(tablature.replace(draft, content=LONG))
    db.delete(draft)
    assert objects.stored == {}


def test_a_value_that_did_not_change_is_not_sent_again(db, objects):
    draft = db.create(Draft(id="1", content=LONG))
    (key,) = objects.stored
    draft = db.put(tablature.replace(draft, title="New"))
    assert list(objects.stored) == [key]
    assert db.patch(draft, title="Newer").content == LONG


def test_a_write_that_is_refused_leaves_no_object_behind(db, objects):
    db.create(Draft(id="1", title="first"))
    with pytest.raises(AlreadyExists):
        db.create(Draft(id="1", content=LONG))
    with pytest.raises(ConditionFailed) as refusal:
        db.patch(Draft.key(id="1"), content=LONG, when=Draft.title == "other")
    assert refusal.value.current.title == "first"
    assert objects.stored == {}


def test_an_object_that_was_changed_behind_our_back_is_noticed(db, objects):
    db.create(Draft(id="1", content=LONG))
    (key,) = objects.stored
    objects.put(key, b'{"S":"forged"}')
    with pytest.raises(StoredItemError, match="other content"):
        db.get(Draft.key(id="1"))


def test_without_an_object_store_a_large_value_is_refused(open_db):
    with pytest.raises(InputError, match="no object store"):
        open_db(table).create(Draft(id="1", content=LONG))


class Meddling(MemoryObjects):
    """Lets somebody else act once, between the reading of an item and the fetching of its large value."""

    def __init__(self):
        super().__init__()
        self.meddle = None

    def get(self, key):
        if self.meddle is not None:
            meddle, self.meddle = self.meddle, None
            meddle()
        return super().get(key)


@pytest.fixture
def meddling(open_db, transport):
    """A database, what lies between its reads, and a second way to the same items."""
    objects = Meddling()
    db = open_db(table, objects=objects)
    return db, objects, tablature.Database(transport, names=db.context.names, objects=objects)


def test_a_value_replaced_while_it_is_fetched_is_read_as_it_is_now(meddling):
    db, objects, other = meddling
    db.create(Draft(id="1", content=LONG))
    for read in (lambda: db.get(Draft.key(id="1")), lambda: db.query(Draft.every(id="1")).items[0]):
        objects.meddle = lambda: other.patch(Draft.key(id="1"), content=LONGER)
        assert read().content == LONGER
        other.patch(Draft.key(id="1"), content=LONG)


def test_an_item_deleted_while_its_value_is_fetched_is_not_there(meddling):
    db, objects, other = meddling
    for read in (lambda: db.get(Draft.key(id="1")), lambda: db.query(Draft.every(id="1")).items or None):
        other.put(Draft(id="1", content=LONG))
        objects.meddle = lambda: other.delete(Draft.key(id="1"))
        assert read() is None


def test_a_value_that_is_gone_for_good_is_an_error_that_says_so(db, objects):
    db.create(Draft(id="1", content=LONG))
    objects.stored.clear()
    with pytest.raises(StoredItemError, match="an object it points to is gone"):
        db.get(Draft.key(id="1"))


class Grown(Entity, table=table, schema_version=2):
    id: Attr[str]
    steps: Attr[int]
    content: Attr[str | None] = blob(over=100, default=None)

    key = primary("GROWN#{id}", "GROWN")


@tablature.upcast(Grown, 1)
def _one_step_on(item):
    item["steps"] = {"N": str(int(item["steps"]["N"]) + 1)}
    return item


def test_an_older_item_with_a_large_value_is_brought_up_to_date_once(db, transport):
    old = {**Grown.key(id="1").key, "id": {"S": "1"}, "steps": {"N": "4"}}
    transport.send("PutItem", {"TableName": db.context.physical(table), "Item": old})
    assert db.require(Grown.key(id="1")).steps == 5
