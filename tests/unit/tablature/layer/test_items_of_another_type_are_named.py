"""An item that another program stored with a value of another type is told by every verb, and can be put right where
nothing is derived from that value; the layer itself never writes one."""

from dataclasses import dataclass

import pytest

from tablature import Attr, Database, Entity, Index, Table, attr, fanout, index, pattern, primary, unique, version
from tablature.errors import InputError, StoredItemError
from tablature.transport.embedded import Embedded

table = Table("papers", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


@dataclass(frozen=True)
class Size:
    pages: int
    notes: list[str]
    format: str | None = None


class Paper(Entity, table=table):
    code: Attr[str]
    number: Attr[int] = attr(default=1)
    rank: Attr[int] = attr(default=1)
    words: Attr[list[str]] = attr(default_factory=list)
    size: Attr[Size | None] = attr(default=None)

    key = primary("PAPER#{code}", "PAPER")
    by_rank = index("GSI1", "RANK", "{rank:04d}#{code}")
    by_word = fanout(each="words", pk="WORD#{each}", sk="{code}", fields=("code",))
    one_number = unique("number")

    of_word = pattern(by_word)


class Counted(Entity, table=table):
    code: Attr[str]
    revision: Attr[int] = version()

    key = primary("COUNTED#{code}", "COUNTED")


@pytest.fixture
def db():
    with Database(Embedded.memory()) as opened:
        opened.admin.create_table(table)
        opened.create(Paper(code="a", words=["x", "y"], size=Size(1, [])))
        opened.create(Counted(code="a"))
        yield opened


def spoil(db, key, attribute, value):
    """What another program does, which knows nothing of types."""
    change = {"UpdateExpression": "SET #a = :v", "ExpressionAttributeNames": {"#a": attribute}}
    values = {"ExpressionAttributeValues": {":v": value}}
    db.transport.send("UpdateItem", {"TableName": table.name, "Key": key.key, **change, **values})


PAPER = Paper.key(code="a")
VERBS = {
    "get": lambda db: db.get(PAPER),
    "create": lambda db: db.create(Paper(code="a", number=2)),
    "put": lambda db: db.put(Paper(code="a")),
    "update": lambda db: db.update(Paper(code="a")),
    "upsert": lambda db: db.upsert(Paper(code="a")),
    "patch": lambda db: db.patch(PAPER, words=["z"]),
    "delete": lambda db: db.delete(PAPER),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("field", "value"), [("words", {"S": "x"}), ("words", {"L": [{"N": "1"}]}), ("number", {"S": "one"})]
)
def test_every_verb_names_the_field_that_something_is_derived_from(db, verb, field, value):
    spoil(db, PAPER, field, value)
    with pytest.raises(StoredItemError, match=f"bad '{field}'") as refusal:
        VERBS[verb](db)
    assert refusal.value.item[field] == value


@pytest.mark.parametrize(("field", "value"), [("size", {"S": "A4"}), ("rank", {"S": "first"})])
@pytest.mark.parametrize("verb", ["put", "update", "upsert"])
def test_what_nothing_else_is_derived_from_can_be_put_right(db, verb, field, value):
    spoil(db, PAPER, field, value)
    VERBS[verb](db)
    assert db.get(PAPER) == Paper(code="a")
    assert db.query(Paper.of_word(each="x")).items == []


def test_an_item_whose_version_is_none_is_told(db):
    spoil(db, Counted.key(code="a"), "revision", {"S": "one"})
    with pytest.raises(StoredItemError, match="bad 'revision'"):
        db.put(Counted(code="a"))


@pytest.mark.parametrize(
    "change",
    [
        lambda: Paper.size.at("pages").set("many"),
        lambda: Paper.size.at("notes").append([5]),
        lambda: Paper.size.at("notes", 0).set(5),
        lambda: Paper.size.at("pages").set(None),
        lambda: Paper.size.at("pages").remove(),
    ],
)
def test_a_change_inside_a_field_keeps_its_type(change):
    with pytest.raises(InputError, match="'size'"):
        change()


def test_a_member_that_may_be_missing_can_be_removed(db):
    patched = db.patch(PAPER, Paper.size.at("format").set("A4"), Paper.size.at("notes").append(["new"]))
    assert patched.size == Size(1, ["new"], "A4")
    assert db.patch(PAPER, Paper.size.at("format").remove()).size == Size(1, ["new"])
