"""Fan-out copies are exactly those that the item implies: after any verbs, past 100 actions, and after a crash."""

import uuid
from dataclasses import dataclass
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tablature
from tablature import Attr, Entity, Table, attr, fanout, pattern, primary
from tablature.errors import AlreadyExists, DoesNotExist, Unavailable

table = Table("articles", pk="PK", sk="SK")


@dataclass
class Card:
    id: str
    title: str


class Article(Entity, table=table):
    id: Attr[str]
    title: Attr[str]
    date: Attr[date]
    kind: Attr[str | None] = attr(default=None)
    keywords: Attr[list[str]] = attr(default_factory=list)
    people: Attr[set[str]]
    body: Attr[str | None] = attr(default=None)

    key = primary("A#{id}", "META")
    by_keyword = fanout(
        each="keywords",
        pk="KEYWORD#{each}",
        sk="Y#{date:%Y}#M#{date:%m}#D#{date:iso}#A#{id}",
        fields=("id", "title"),
        constants={"type": "THIN_INDEX"},
    )
    by_person = fanout(each="people", pk="PERSON#{each}", sk="{date:iso}#{id}", view=Card)
    by_kind = fanout(each="kind", pk="KIND#{each}", sk="{date:iso}#{id}", fields=("title",))

    about = pattern(by_keyword, order="descending", page=20)
    with_person = pattern(by_person)


DAY = date(2026, 1, 26)


@pytest.fixture
def db(open_db):
    return open_db(table)


def stored(db, transport):
    items, request = [], {"TableName": db.context.physical(table), "ConsistentRead": True}
    while True:
        answer = transport.send("Scan", request)
        items += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return items
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def implied_keys(article):
    keys = {("A#" + article.id, "META")}
    month = f"Y#{article.date:%Y}#M#{article.date:%m}#D#{article.date}#A#{article.id}"
    keys |= {(f"KEYWORD#{word}", month) for word in article.keywords}
    keys |= {(f"PERSON#{name}", f"{article.date}#{article.id}") for name in article.people}
    return keys | ({(f"KIND#{article.kind}", f"{article.date}#{article.id}")} if article.kind else set())


def assert_copies_are_right(db, transport, ref):
    article = db.get(ref, consistent=True)
    mine = [item for item in stored(db, transport) if ref.values["id"] in item["PK"]["S"] + item["SK"]["S"]]
    assert {(i["PK"]["S"], i["SK"]["S"]) for i in mine} == (implied_keys(article) if article else set())
    titles = {item["title"]["S"] for item in mine if "title" in item}
    assert titles <= ({article.title} if article else set())


words = st.lists(st.sampled_from(["tax", "sea", "law", "air"]), max_size=4)
fields = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(["One", "Two"]),
        "date": st.sampled_from([DAY, date(2025, 12, 1)]),
        "kind": st.none() | st.sampled_from(["photo", "chart"]),
        "keywords": words,
        "people": st.sets(st.sampled_from(["ann", "bob"])),
        "body": st.none() | st.just("text"),
    },
)
verbs = st.sampled_from(["create", "put", "update", "upsert", "patch", "patch_old", "add", "delete"])


def apply(db, ref, verb, values):
    if verb == "delete":
        db.delete(ref)
    elif verb == "patch" and values:
        db.patch(ref, **values)
    elif verb == "patch_old" and values:
        current = db.require(ref)
        db.patch(ref, keywords=["late"])
        db.patch(current, **values)
    elif verb == "add":
        db.patch(ref, Article.people.add({"cyd"}))
    elif verb in ("create", "put", "update", "upsert"):
        getattr(db, verb)(Article(**{"id": ref.values["id"], "title": "One", "date": DAY, **values}))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(verbs, fields), max_size=5))
def test_copies_are_what_the_item_implies_after_any_verbs(db, transport, sequence):
    ref = Article.key(id=uuid.uuid4().hex)
    for verb, values in sequence:
        try:
            apply(db, ref, verb, values)
        except (AlreadyExists, DoesNotExist):
            continue
        assert_copies_are_right(db, transport, ref)
    db.delete(ref)
    assert_copies_are_right(db, transport, ref)


def test_a_copy_holds_the_listed_fields_and_constants(db, transport):
    db.create(Article(id="1", title="Sea", date=DAY, keywords=["sea"], people=set()))
    copy = next(item for item in stored(db, transport) if item["PK"]["S"] == "KEYWORD#sea")
    assert copy == {
        "PK": {"S": "KEYWORD#sea"},
        "SK": {"S": "Y#2026#M#01#D#2026-01-26#A#1"},
        "type": {"S": "THIN_INDEX"},
        "id": {"S": "1"},
        "title": {"S": "Sea"},
    }


def test_copies_are_read_by_patterns_as_thin_records_or_as_views(db):
    db.create(Article(id="1", title="Sea", date=DAY, keywords=["sea", "law"], people={"ann"}))
    db.create(Article(id="2", title="Law", date=date(2026, 2, 1), keywords=["law"], people=set()))
    assert [thin.title for thin in db.query(Article.about(each="law"))] == ["Law", "Sea"]
    assert [thin.each for thin in db.query(Article.about(each="law"))] == ["law", "law"]
    assert db.query(Article.with_person(each="ann")).items == [Card("1", "Sea")]
    span = tablature.between(date(2026, 1, 1), date(2026, 1, 31))
    assert [thin.title for thin in db.query(Article.about(each="law", date=span))] == ["Sea"]


def test_a_change_that_no_copy_depends_on_is_one_plain_update(db):
    db.create(Article(id="1", title="Sea", date=DAY, keywords=["sea"], people=set()))
    with db.measure() as spent:
        db.patch(Article.key(id="1"), body="long")
    assert spent.total.calls == 1


MANY = [f"word{number:03d}" for number in range(120)]


def test_a_fanout_past_one_transaction_is_staged_and_leaves_no_trace(db, transport):
    ref = Article.key(id="1")
    db.create(Article(id="1", title="One", date=DAY, keywords=MANY, people=set()))
    assert_copies_are_right(db, transport, ref)
    db.patch(ref, keywords=[*MANY[60:], "new"], title="Two")
    assert_copies_are_right(db, transport, ref)
    db.put(Article(id="1", title="Three", date=DAY, keywords=MANY, people={"ann"}))
    assert_copies_are_right(db, transport, ref)
    db.delete(ref)
    assert stored(db, transport) == []


class Failing:
    """A transport that loses the connection for good after some calls, as a killed process would."""

    def __init__(self, inner, calls):
        self.inner = inner
        self.left = calls

    def send(self, operation, request):
        if self.left == 0:
            raise Unavailable("ConnectionLost", "the process was killed")
        self.left -= 1
        return self.inner.send(operation, request)


def titles(db):
    """What a reader sees: the titles under a word that stays, and whether the old and the new words are there."""
    stays = [thin.title for thin in db.query(Article.about(each=MANY[100]))]
    old = [thin.title for thin in db.query(Article.about(each=MANY[0]))]
    new = [thin.title for thin in db.query(Article.about(each="new"))]
    return stays, old, new


BEFORE, AFTER = (["One"], ["One"], []), (["Two"], [], ["Two"])


@pytest.mark.parametrize("calls", [1, 3, 4, 5, 60])
def test_a_reader_never_sees_a_mixed_state_and_the_next_writer_repairs_it(db, transport, calls):
    ref = Article.key(id="1")
    db.create(Article(id="1", title="One", date=DAY, keywords=MANY, people=set()))
    doomed = tablature.Database(Failing(transport, calls), names=db.context.names, clock=db.context.now)
    with pytest.raises(Unavailable):
        doomed.patch(ref, title="Two", keywords=[*MANY[60:], "new"])
    state = titles(db)
    assert state in (BEFORE, AFTER)
    assert db.require(ref).title == ("One" if state == BEFORE else "Two")
    db.admin.repair(ref)
    assert titles(db) == state
    assert_copies_are_right(db, transport, ref)
    db.patch(ref, title="Three")
    assert_copies_are_right(db, transport, ref)


def test_the_next_writer_needs_no_repair_by_hand(db, transport):
    ref = Article.key(id="1")
    db.create(Article(id="1", title="One", date=DAY, keywords=MANY, people=set()))
    doomed = tablature.Database(Failing(transport, 3), names=db.context.names, clock=db.context.now)
    with pytest.raises(Unavailable):
        doomed.patch(ref, title="Two")
    db.patch(ref, keywords=["few"])
    assert_copies_are_right(db, transport, ref)
