"""Key templates: escaped, readable back, of fixed width where order matters; two that could meet are refused."""

from datetime import UTC, date, datetime
from typing import Literal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablature import Attr, Entity, Index, Table, attr, blob, fanout, index, primary, unique
from tablature.errors import DeclarationError, InputError


def table(**options):
    return Table("t", pk="PK", sk="SK", **options)


class Draft(Entity, table=table()):
    customer: Attr[str]
    kind: Attr[str]
    at: Attr[datetime] = attr(precision="seconds")

    key = primary("CUSTOMER#{customer}", "DRAFT#{at:%Y%m%d_%H%M%S}_{kind}")


MOMENT = datetime(2025, 9, 21, 14, 30, 22, tzinfo=UTC)


def template(entity, part=1):
    return entity.__schema__.primary.parts[part].template


def test_a_documented_key_is_expressed_exactly():
    ref = Draft.key(customer="cust_001", kind="cust_001", at=MOMENT)
    assert ref.key == {"PK": {"S": "CUSTOMER#cust_001"}, "SK": {"S": "DRAFT#20250921_143022_cust_001"}}


def test_a_key_is_read_back_into_its_values():
    assert template(Draft).parse("DRAFT#20250921_143022_cust_001") == {"at": MOMENT, "kind": "cust_001"}
    assert template(Draft).parse("DRAFT#yesterday_cust_001") is None
    assert template(Draft).parse("DRAFT#20251321_143022_x") is None


class Pair(Entity, table=table()):
    left: Attr[str]
    right: Attr[str]

    key = primary("PAIR#{left}#{right}", "{left}_{right}")


@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8))
def test_any_text_survives_the_way_into_a_key_and_back(left, right):
    ref = Pair.key(left=left, right=right)
    for part in Pair.__schema__.primary.parts:
        assert part.template.parse(ref.key[part.attribute]["S"]) == {"left": left, "right": right}


@given(st.tuples(*[st.text("a#%_", min_size=1, max_size=3)] * 4))
def test_two_different_pairs_never_share_a_key(texts):
    first, two = Pair.key(left=texts[0], right=texts[1]), Pair.key(left=texts[2], right=texts[3])
    assert (first.key == two.key) == (texts[:2] == texts[2:])


def test_a_raw_field_is_written_as_it_is():
    class Keyword(Entity, table=table()):
        word: Attr[str]
        key = primary("KEYWORD#{word:raw}", "K")

    assert Keyword.key(word="C#").key["PK"] == {"S": "KEYWORD#C#"}
    with pytest.raises(DeclarationError, match="only the last field can be raw"):

        class Wrong(Entity, table=table()):
            word: Attr[str]
            key = primary("KEYWORD#{word:raw}#X", "K")


def test_dates_numbers_and_choices_have_their_formats():
    class Row(Entity, table=table()):
        day: Attr[date]
        number: Attr[int]
        id: Attr[UUID]
        flag: Attr[bool]
        key = primary("Y#{day:%Y}#M#{day:%m}#D#{day:iso}", "{number:06d}#{id}#{flag}")

    some = UUID(int=7)
    ref = Row.key(day=date(2026, 1, 26), number=42, id=some, flag=True)
    assert ref.key["PK"] == {"S": "Y#2026#M#01#D#2026-01-26"}
    assert ref.key["SK"] == {"S": f"000042#{some}#true"}
    assert template(Row, 0).parse("Y#2026#M#01#D#2026-01-26") == {"day": date(2026, 1, 26)}


@pytest.mark.parametrize("number", [-1, 1000])
def test_a_number_that_would_lose_its_order_is_refused(number):
    class Row(Entity, table=table()):
        number: Attr[int]
        key = primary("ROW", "{number:03d}")

    with pytest.raises(InputError, match="3 digits"):
        Row.key(number=number)


def test_an_empty_or_missing_value_makes_no_key():
    with pytest.raises(InputError, match="empty text"):
        Pair.key(left="", right="x")
    with pytest.raises(InputError, match="needs a value for 'left'"):
        Pair.key(left=None, right="x")


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("A#{missing}", "not a field"),
        ("A#{id}{other}", "must stand between"),
        ("A#{id", "written {name}"),
        ("A#{at:%Q}", "not %Q"),
        ("A#{id:x}", "'raw'"),
        ("A#{number:x}", "010d"),
        ("A#{tags}", "can't be part of a key"),
        ("", "can't be empty"),
    ],
)
def test_a_template_that_cannot_work_is_refused_when_the_class_is_made(source, problem):
    with pytest.raises(DeclarationError, match=problem):

        class Wrong(Entity, table=table()):
            id: Attr[str]
            other: Attr[str]
            number: Attr[int]
            at: Attr[datetime]
            tags: Attr[list[str]]
            key = primary("X", source)


def declare(shared, pk, sk, name="Second"):
    return type(
        name, (Entity,), {"__annotations__": {"id": Attr[str], "n": Attr[int]}, "key": primary(pk, sk)}, table=shared
    )


def first(shared, pk, sk):
    return declare(shared, pk, sk, "First")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (("A#{id}", "META"), ("A#{id}", "META")),
        (("A#{id}", "{id}"), ("A#1", "META")),
        (("A#{id:raw}", "X"), ("A#{id}#B", "X")),
        (("A#{id}", "N#{n}"), ("A#{id}", "N#{id}")),
    ],
)
def test_two_entities_that_could_share_a_key_are_refused(left, right):
    shared = table()
    first(shared, *left)
    with pytest.raises(DeclarationError, match="could produce the same key"):
        declare(shared, *right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (("A#{id}", "META"), ("B#{id}", "META")),
        (("A#{id}", "META"), ("A#{id}", "TOPICS")),
        (("A#{id}", "X"), ("A#{id}#B#{n}", "X")),
        (("A#{id}", "N#{n:04d}"), ("A#{id}", "M#{id}")),
        (("A#{id}", "{n:04d}"), ("A#{id}", "{n:05d}")),
    ],
)
def test_entities_that_can_be_told_apart_are_accepted(left, right):
    shared = table()
    first(shared, *left)
    declare(shared, *right)


def test_choices_are_told_apart_by_their_values():
    shared = table()
    first(shared, "A#{id}", "META")

    class Step(Entity, table=shared):
        id: Attr[str]
        kind: Attr[Literal["TOPICS", "DRAFT"]]
        key = primary("A#{id}", "{kind}")

    with pytest.raises(DeclarationError, match="same key"):

        class Other(Entity, table=shared):
            id: Attr[str]
            kind: Attr[Literal["META", "X"]]
            key = primary("A#{id}", "{kind}")


def test_copies_are_checked_for_collisions_too():
    with pytest.raises(DeclarationError, match="same key"):

        class Article(Entity, table=table()):
            id: Attr[str]
            words: Attr[list[str]]
            key = primary("A#{id}", "META")
            by_word = fanout(each="words", pk="A#{each}", sk="META")


def test_a_key_that_is_itself_a_field_must_be_that_field():
    simple = Table("s", pk="pk", indexes=[Index("ByStatus", "status", "points", sk_type="N")])

    class Task(Entity, table=simple):
        pk: Attr[str]
        status: Attr[str]
        points: Attr[int]
        key = primary("{pk}")
        by_status = index("ByStatus", "{status}", "{points}")

    assert Task.key(pk="a#b").key == {"pk": {"S": "a#b"}}
    assert Task.__codec__.keys({"pk": "a", "status": "s", "points": 1}) == {}
    with pytest.raises(DeclarationError, match="both a key and the field"):

        class Wrong(Entity, table=Table("s", pk="pk")):
            pk: Attr[str]
            key = primary("TASK#{pk}")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"key": primary("A#{id}")}, "sort key template"),
        ({}, "exactly one primary"),
        ({"key": primary("A", "{opt}")}, "can't be optional"),
        ({"key": primary("A#{id}", "M"), "by": index("NoIndex", "X", "Y")}, "has no index 'NoIndex'"),
        ({"key": primary("A#{id}", "M"), "by": index("GSI1", "X")}, "sort key"),
        ({"key": primary("A#{id}", "M"), "by": index("GSI1", "X", "Y", shards=4)}, "both shards"),
        ({"key": primary("A#{id}", "M"), "by": index("GSI1", "X", "Y", when={"no": 1})}, "not a field"),
        ({"key": primary("A#{id}", "M"), "a": index("GSI1", "X", "Y"), "b": index("GSI1", "X", "Z")}, "two templates"),
        ({"key": primary("A#{id}", "M"), "u": unique("no")}, "not a field"),
        ({"key": primary("A#{id}", "M"), "f": fanout(each="tags", pk="T", sk="{id}")}, "{each}"),
    ],
)
def test_a_wrong_declaration_is_refused_when_the_class_is_made(body, problem):
    annotations = {"id": Attr[str], "opt": Attr[str | None], "tags": Attr[list[str]]}
    shared = table(indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])
    with pytest.raises(DeclarationError, match=problem):
        type("Wrong", (Entity,), {"__annotations__": annotations, **body}, table=shared)


def test_a_wrong_table_is_refused():
    with pytest.raises(DeclarationError, match="as both keys"):
        Table("t", pk="PK", sk="PK")
    with pytest.raises(DeclarationError, match="index twice"):
        table(indexes=[Index("A", "a"), Index("A", "b")])
    with pytest.raises(DeclarationError, match="local index"):
        Table("t", pk="PK", indexes=[Index("A", "a", local=True)])


def test_a_value_that_may_be_kept_elsewhere_cannot_make_a_key():
    with pytest.raises(DeclarationError, match="is a blob"):

        class Wrong(Entity, table=table()):
            id: Attr[str]
            body: Attr[str] = blob(over=100)
            key = primary("A#{id}", "{body}")
