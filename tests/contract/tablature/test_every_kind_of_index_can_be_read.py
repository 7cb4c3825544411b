"""Local indexes, inverted indexes and keys that are plain attributes work like any other index."""

from datetime import UTC, datetime, timedelta

import pytest

import tablature
from tablature import Attr, Entity, Index, Table, at_least, attr, auto_now_add, index, pattern, primary

table = Table(
    "library",
    pk="PK",
    sk="SK",
    indexes=[
        Index("ByTitle", "PK", "title", local=True),
        Index("Inverted", "SK", "PK"),
        Index("Leaders", "kind", "points", sk_type="N", projection=("name",)),
    ],
)


class Loan(Entity, table=table):
    reader: Attr[str]
    book: Attr[str]
    title: Attr[str]
    since: Attr[datetime] = auto_now_add()

    key = primary("READER#{reader}", "BOOK#{book}")
    by_title = index("ByTitle", "READER#{reader}", "{title}")
    inverted = index("Inverted", "BOOK#{book}", "READER#{reader}")

    of_reader = pattern(by_title)
    of_book = pattern(inverted)


class Member(Entity, table=table):
    id: Attr[str]
    name: Attr[str] = attr(default="")
    points: Attr[int | None] = attr(default=None)

    key = primary("MEMBER#{id}", "METADATA")
    board = index("Leaders", "MEMBER", "{points}")
    top = pattern(board, order="descending", page=10)


@pytest.fixture
def db(open_db):
    return open_db(table)


def test_a_local_index_orders_a_partition_in_another_way(db):
    for book, title in (("1", "Zebra"), ("2", "Ant"), ("3", "Moth")):
        db.create(Loan(reader="ann", book=book, title=title))
    db.patch(Loan.key(reader="ann", book="1"), title="Bee")
    assert [loan.title for loan in db.query(Loan.of_reader(reader="ann"))] == ["Ant", "Bee", "Moth"]
    assert [loan.title for loan in db.query(Loan.of_reader(reader="ann", title=at_least("B")))] == ["Bee", "Moth"]
    assert [loan.book for loan in db.each(Loan.of_reader(reader="ann"), page=1)] == ["2", "1", "3"]


def test_an_inverted_index_is_read_by_the_sort_key(db):
    for reader in ("bob", "ann"):
        db.create(Loan(reader=reader, book="1", title="Ant"))
    assert [loan.reader for loan in db.query(Loan.of_book(book="1"))] == ["ann", "bob"]


def test_an_index_on_a_plain_number_is_sparse_and_ordered(db):
    for number, points in enumerate((5, None, 100, 20)):
        db.create(Member(id=str(number), name=f"m{number}", points=points))
    assert [member.points for member in db.query(Member.top())] == [100, 20, 5]
    db.patch(Member.key(id="0"), Member.points.add(500))
    db.patch(Member.key(id="2"), points=None)
    assert [member.points for member in db.query(Member.top())] == [505, 20]
    assert [member.id for member in db.query(Member.top(points=at_least(100)))] == ["0"]


def test_a_write_is_shown_without_being_sent(db):
    loan = Loan(reader="ann", book="1", title="Ant", since=datetime.now(UTC) - timedelta(days=1))
    shown = db.explain(tablature.create(loan))
    ((kind, request),) = shown.requests[0].items()
    assert (kind, request["Item"]["PK"]) == ("Put", {"S": "READER#ann"})
    assert "attribute_not_exists" in request["ConditionExpression"]
    assert (shown.wcu, shown.reads_first) == (1, False)
    assert db.get(Loan.key(reader="ann", book="1")) is None
