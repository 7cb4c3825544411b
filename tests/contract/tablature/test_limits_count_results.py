"""A limit counts results, whatever is filtered out; cursors visit everything once and belong to one query."""

import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tablature
from tablature import Attr, Entity, Index, Table, at_least, attr, between, index, pattern, primary, starting_with
from tablature.errors import CursorRejected, DeclarationError, InputError

table = Table("notes", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK", projection="KEYS_ONLY")])


class Note(Entity, table=table):
    book: Attr[str]
    number: Attr[int]
    colour: Attr[str] = attr(default="red")
    chapter: Attr[str | None] = attr(default=None)

    key = primary("BOOK#{book}", "NOTE#{number:04d}")
    by_chapter = index("GSI1", "CHAPTER#{chapter}", "{colour}#{number:04d}")

    in_book = pattern(key, page=10, filters=("colour",), doc="Notes of a book in order.")
    latest = pattern(key, order="descending", page=10, consistent=True)
    in_chapter = pattern(by_chapter)


class Cover(Entity, table=table):
    book: Attr[str]

    key = primary("BOOK#{book}", "COVER")


red_in_book = pattern(Note.key, name="red_in_book", where=Note.colour == "red", page=5)


@pytest.fixture
def db(open_db):
    return open_db(table)


@pytest.fixture
def book(db):
    db.put_many([Note(book="b", number=n, colour="blue" if n % 10 == 9 else "red") for n in range(60)])
    db.put(Cover(book="b"))
    return "b"


def numbers(page):
    return [note.number for note in page]


def test_a_page_has_as_many_results_as_were_asked_for(db, book):
    page = db.query(Note.in_book(book=book, colour="blue"), limit=4)
    assert numbers(page) == [9, 19, 29, 39]
    rest = db.query(Note.in_book(book=book, colour="blue"), limit=4, cursor=page.cursor)
    assert numbers(rest) == [49, 59]


def test_without_a_limit_the_pattern_decides(db, book):
    assert len(db.query(Note.in_book(book=book))) == 10


def test_a_full_last_page_has_no_cursor(db, book):
    page = db.query(Note.in_book(book=book, number=at_least(50)), limit=10)
    assert numbers(page) == list(range(50, 60))
    assert page.cursor is None


def test_the_sort_key_can_be_one_value_a_span_or_open(db, book):
    assert numbers(db.query(Note.in_book(book=book, number=7))) == [7]
    assert numbers(db.query(Note.in_book(book=book, number=between(7, 9)))) == [7, 8, 9]
    assert numbers(db.query(Note.in_book(book=book, number=tablature.at_most(1)))) == [0, 1]
    assert numbers(db.query(Note.latest(book=book), limit=2)) == [59, 58]


def test_other_entities_of_the_partition_are_not_results(db, book):
    assert db.count(Note.latest(book=book)) == 60
    assert db.first(Note.in_book(book="none")) is None
    assert db.first(Note.latest(book=book)).number == 59


def test_each_goes_over_every_page(db, book):
    assert [note.number for note in db.each(Note.in_book(book=book), page=7)] == list(range(60))


def test_a_pattern_outside_the_class_can_have_a_fixed_condition(db, book):
    assert len(db.query(red_in_book(book=book), limit=54)) == 54
    few = db.query(red_in_book(book=book).filtered(Note.number < 3), limit=10)
    assert numbers(few) == [0, 1, 2]


def test_an_index_that_holds_only_keys_still_gives_whole_entities(db):
    db.put_many([Note(book="b", number=n, colour=c, chapter="one") for n, c in enumerate(["red", "blue", "redder"])])
    assert numbers(db.query(Note.in_chapter(chapter="one"))) == [1, 0, 2]
    assert numbers(db.query(Note.in_chapter(chapter="one", colour=starting_with("red")))) == [0, 2]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.booleans(), max_size=20), st.integers(1, 6), st.booleans())
def test_cursors_visit_every_item_exactly_once(db, colours, limit, filtered):
    name = uuid.uuid4().hex
    db.put_many([Note(book=name, number=n, colour="red" if red else "blue") for n, red in enumerate(colours)])
    query = Note.in_book(book=name, colour="red") if filtered else Note.in_book(book=name)
    seen, cursor = [], None
    while True:
        page = db.query(query, limit=limit, cursor=cursor)
        seen += numbers(page)
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == [n for n, red in enumerate(colours) if red or not filtered]


@pytest.fixture
def cursor(db, book):
    return db.query(Note.in_book(book=book), limit=3).cursor


def test_a_cursor_of_other_inputs_is_refused(db, book, cursor):
    with pytest.raises(CursorRejected, match="start again"):
        db.query(Note.in_book(book="other"), cursor=cursor)


def test_a_cursor_of_another_pattern_or_filter_is_refused(db, book, cursor):
    with pytest.raises(CursorRejected):
        db.query(Note.latest(book=book), cursor=cursor)
    with pytest.raises(CursorRejected):
        db.query(Note.in_book(book=book).filtered(Note.colour == "red"), cursor=cursor)


def test_a_cursor_of_another_schema_version_is_refused(open_db):
    notes = {}
    for version in (1, 2):
        shelf = Table("shelf", pk="PK", sk="SK")

        class Leaf(Entity, table=shelf, schema_version=version):
            book: Attr[str]
            number: Attr[int]

            key = primary("BOOK#{book}", "LEAF#{number:04d}")
            in_book = pattern(key, page=2)

        notes[version] = (Leaf, shelf)
    leaf, shelf = notes[1]
    db = open_db(shelf, cursor_secret=b"s" * 32)
    db.put_many([leaf(book="b", number=n) for n in range(5)])
    cursor = db.query(leaf.in_book(book="b")).cursor
    assert numbers(db.query(leaf.in_book(book="b"), cursor=cursor)) == [2, 3]
    with pytest.raises(CursorRejected):
        db.query(notes[2][0].in_book(book="b"), cursor=cursor)


@pytest.mark.parametrize(
    "damage",
    [lambda c: c[:-2], lambda c: ("B" if c[0] == "A" else "A") + c[1:], lambda c: "%%%", lambda c: "", lambda c: "é"],
)
def test_a_damaged_cursor_is_refused(db, book, cursor, damage):
    with pytest.raises(CursorRejected):
        db.query(Note.in_book(book=book), cursor=damage(cursor))


def test_a_cursor_sealed_with_another_secret_is_refused(open_db, db, book, cursor):
    other = open_db(table, names=db.context.names, cursor_secret=b"another")
    with pytest.raises(CursorRejected):
        other.query(Note.in_book(book=book), cursor=cursor)


def test_a_cursor_outlives_the_process_when_the_secret_is_given(open_db, db, book):
    first = open_db(table, names=db.context.names, cursor_secret=b"shared")
    two = open_db(table, names=db.context.names, cursor_secret=b"shared")
    cursor = first.query(Note.in_book(book=book), limit=3).cursor
    assert numbers(two.query(Note.in_book(book=book), limit=2, cursor=cursor)) == [3, 4]


def test_inputs_are_checked_before_anything_is_sent(db):
    with pytest.raises(InputError, match="needs book"):
        Note.in_book()
    with pytest.raises(InputError, match="no input 'shade'"):
        Note.in_book(book="b", shade="red")
    with pytest.raises(InputError, match="only after 'colour'"):
        db.query(Note.in_chapter(chapter="one", number=3))
    with pytest.raises(InputError, match="1 to 1000"):
        db.query(Note.in_book(book="b"), limit=0)


def test_explain_shows_the_request_and_what_it_is_expected_to_cost(db):
    explanation = db.explain(Note.in_book(book="b", colour="red"))
    (request,) = explanation.requests
    assert request["KeyConditionExpression"] == "#n0 = :v0 AND begins_with(#n1, :v1)"
    assert request["ExpressionAttributeValues"][":v1"] == {"S": "NOTE#"}
    assert explanation.rcu > 0
    assert "filter" in explanation.findings[0]
    assert "Note.in_book" in str(explanation)


def test_an_index_cannot_be_read_consistently():
    with pytest.raises(DeclarationError, match="consistent"):
        pattern(Note.by_chapter, name="impossible", consistent=True)
