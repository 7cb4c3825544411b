"""Every supported type comes back as it went in; a stored item of the wrong type raises and nothing is made up."""

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any, Literal, NewType
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tablature
from tablature import Attr, Entity, Table, attr, primary, version
from tablature.errors import DeclarationError, InputError, StoredItemError
from tablature.wire import size_of_item

table = Table("types", pk="PK", sk="SK")
Code = NewType("Code", str)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(Enum):
    LOW = 1
    HIGH = 2


@dataclass
class Place:
    city: str
    zip: str | None = None
    tags: list[str] | None = None


class Everything(Entity, table=table):
    id: Attr[Code]
    text: Attr[str]
    whole: Attr[int]
    real: Attr[float]
    exact: Attr[Decimal]
    flag: Attr[bool]
    raw: Attr[bytes]
    moment: Attr[datetime]
    day: Attr[date]
    uid: Attr[UUID]
    colour: Attr[Colour]
    level: Attr[Level]
    state: Attr[Literal["on", "off"]]
    names: Attr[set[str]]
    numbers: Attr[frozenset[int]]
    list_of: Attr[list[int | None]]
    pair: Attr[tuple[str, ...]]
    mapping: Attr[dict[str, float]]
    place: Attr[Place]
    places: Attr[list[Place]]
    anything: Attr[Any]
    maybe: Attr[str | None] = attr(default=None)

    key = primary("E#{id}", "E")


@st.composite
def everything(draw):
    text = st.text(max_size=10)
    places = st.builds(Place, text, st.none() | text, st.none() | st.lists(text, max_size=2))
    moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))
    json = st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**20), 10**20)
        | text
        | st.integers(-(10**9), 10**9).map(lambda n: n / 7),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
        max_leaves=6,
    )
    return Everything(
        id=Code(draw(st.text(min_size=1, max_size=5))),
        text=draw(text),
        whole=draw(st.integers(-(10**30), 10**30)),
        real=draw(st.floats(allow_nan=False)),
        exact=draw(st.decimals(allow_nan=False, allow_infinity=False, places=3)),
        flag=draw(st.booleans()),
        raw=draw(st.binary(max_size=10)),
        moment=draw(moments),
        day=draw(st.dates()),
        uid=draw(st.uuids()),
        colour=draw(st.sampled_from(Colour)),
        level=draw(st.sampled_from(Level)),
        state=draw(st.sampled_from(["on", "off"])),
        names=draw(st.sets(text, max_size=3)),
        numbers=frozenset(draw(st.sets(st.integers(), max_size=3))),
        list_of=draw(st.lists(st.none() | st.integers(), max_size=3)),
        pair=tuple(draw(st.lists(text, max_size=3))),
        mapping=draw(st.dictionaries(text, st.floats(-1e100, 1e100), max_size=3)),
        place=draw(places),
        places=draw(st.lists(places, max_size=2)),
        anything=draw(json),
        maybe=draw(st.none() | text),
    )


CODEC = Everything.__codec__


@given(everything())
def test_everything_comes_back_as_it_went_in(entity):
    assert CODEC.decode(CODEC.encode(entity)) == entity


@given(everything())
def test_the_generated_size_is_the_services_size(entity):
    item = CODEC.encode(entity)
    assert CODEC.size(item) == size_of_item(item)


@pytest.fixture
def entity():
    return Everything(
        id=Code("1"),
        text="t",
        whole=1,
        real=0.1,
        exact=Decimal("1.10"),
        flag=True,
        raw=b"\x00",
        moment=datetime(2026, 1, 26, 10, 30, tzinfo=UTC),
        day=date(2026, 1, 26),
        uid=UUID(int=1),
        colour=Colour.RED,
        level=Level.HIGH,
        state="on",
        names=set(),
        numbers=frozenset({1}),
        list_of=[1, None],
        pair=("a",),
        mapping={"a": 1.5},
        place=Place("x"),
        places=[],
        anything={"a": [1, 2.5, None]},
    )


def test_the_wire_form_is_the_services_own(entity):
    item = CODEC.encode(entity)
    assert item["moment"] == {"S": "2026-01-26T10:30:00Z"}
    assert item["real"] == {"N": "0.1"}
    assert item["raw"] == {"B": "AA=="}
    assert item["level"] == {"N": "2"}
    assert item["place"] == {"M": {"city": {"S": "x"}}}
    assert item["anything"] == {"M": {"a": {"L": [{"N": "1"}, {"N": "2.5"}, {"NULL": True}]}}}
    assert "maybe" not in item
    assert "names" not in item


@pytest.mark.parametrize("value", [math.inf, -math.inf, 5e-324, 1.7e308, -0.0, 0.1 + 0.2])
def test_no_float_is_refused(entity, value):
    assert CODEC.decode(CODEC.encode(tablature.replace(entity, real=value))).real == value


def test_nan_is_not_refused_either(entity):
    assert math.isnan(CODEC.decode(CODEC.encode(tablature.replace(entity, real=math.nan))).real)


def test_a_moment_is_stored_in_utc(entity):
    there = datetime(2026, 1, 26, 18, 30, tzinfo=timezone(timedelta(hours=8)))
    assert CODEC.encode(tablature.replace(entity, moment=there))["moment"] == {"S": "2026-01-26T10:30:00Z"}


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("text", 5, "expected text"),
        ("text", None, "expected text"),
        ("whole", True, "whole number"),
        ("whole", 1.5, "whole number"),
        ("real", "1", "expected a number"),
        ("exact", Decimal("NaN"), "finite"),
        ("flag", 1, "True or False"),
        ("raw", "text", "expected bytes"),
        ("moment", datetime(2026, 1, 1), "time zone"),
        ("day", datetime(2026, 1, 1, tzinfo=UTC), "got a datetime"),
        ("colour", "red", "expected one of"),
        ("state", "unknown", "expected one of"),
        ("names", ["a"], "expected a set"),
        ("list_of", "text", "expected a list"),
        ("mapping", [1], "expected a dict"),
        ("place", {"city": "x"}, "expected a Place"),
        ("anything", object(), "declare its type"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_with_its_fields_name(entity, field, value, problem):
    with pytest.raises(InputError, match=rf"Everything\.{field} can't be stored: .*{problem}"):
        CODEC.encode(tablature.replace(entity, **{field: value}))


@pytest.mark.parametrize(
    ("field", "stored"),
    [
        ("text", {"N": "1"}),
        ("whole", {"S": "1"}),
        ("whole", {"N": "1.5"}),
        ("moment", {"S": "yesterday"}),
        ("state", {"S": "unknown"}),
        ("colour", {"N": "1"}),
        ("place", {"M": {}}),
        ("names", {"L": []}),
        ("flag", {"S": "true"}),
        ("text", {"NULL": True}),
        ("text", None),
        ("whole", None),
    ],
)
def test_a_stored_item_of_the_wrong_type_raises_and_names_the_field(entity, field, stored):
    item = CODEC.encode(entity)
    item.pop(field, None)
    item |= {field: stored} if stored else {}
    with pytest.raises(StoredItemError, match=f"bad '{field}'") as refusal:
        CODEC.decode(item)
    assert refusal.value.field == field


def test_a_number_in_another_notation_is_read(entity):
    assert CODEC.decode(CODEC.encode(entity) | {"whole": {"N": "1E+3"}}).whole == 1000


class Limited(Entity, table=table):
    code: Attr[str] = attr(pattern=r"NL-\d{4}", longest=7)
    share: Attr[int] = attr(minimum=0, maximum=100, default=0)
    added: Attr[str] = attr(default="x", absent="unknown")
    many: Attr[list[str]] = attr(default_factory=list, absent=[])
    revision: Attr[int] = version()

    key = primary("L#{code}", "L")


@pytest.mark.parametrize(("field", "value"), [("code", "NL-1"), ("share", 101), ("share", -1)])
def test_limits_are_checked(field, value):
    with pytest.raises(InputError, match="can't be stored"):
        Limited.__codec__.encode(Limited(**{"code": "NL-0001", field: value}))
    with pytest.raises(InputError, match="can't be set"):
        getattr(Limited, field).set(value)


def test_a_default_is_for_new_entities_and_absent_for_stored_ones():
    assert Limited(code="NL-0001").added == "x"
    stored = Limited.__codec__.decode({"code": {"S": "NL-0001"}, "share": {"N": "1"}})
    assert (stored.added, stored.many, stored.revision) == ("unknown", [], 0)
    stored.many.append("x")
    assert Limited.__codec__.decode({"code": {"S": "NL-0001"}, "share": {"N": "1"}}).many == []


def test_a_null_of_another_program_means_the_same_as_absence():
    nothing = {"NULL": True}
    item = {"code": {"S": "NL-0001"}, "share": {"N": "1"}, "added": nothing, "many": nothing, "revision": nothing}
    stored = Limited.__codec__.decode(item)
    assert (stored.added, stored.many, stored.revision) == ("unknown", [], 0)


def test_fields_of_a_base_class_are_inherited():
    class Dated(Entity):
        created: Attr[date]

    class Letter(Dated, table=Table("letters", pk="PK")):
        id: Attr[str]
        key = primary("LETTER#{id}")

    assert Letter(id="1", created=date(2026, 1, 1)).created.year == 2026
    assert repr(Letter(id="1", created=date(2026, 1, 1))) == "Letter(created=datetime.date(2026, 1, 1), id='1')"
    with pytest.raises(DeclarationError, match="no table"):
        tablature.schema_of(Dated)


@pytest.mark.parametrize(
    ("annotation", "problem"),
    [
        (Attr[complex], "can't be stored"),
        (Attr[dict[int, str]], "str keys"),
        (Attr[set[bool]], "set needs"),
        (str, "isn't an Attr"),
        (Attr[Literal["a", 1]], "all text"),
    ],
)
def test_a_type_that_cannot_be_stored_is_refused_when_the_class_is_made(annotation, problem):
    body = {"__annotations__": {"id": Attr[str], "odd": annotation}, "key": primary("ODD#{id}")}
    with pytest.raises(DeclarationError, match=problem):
        type("Odd", (Entity,), body, table=Table("odd", pk="PK"))


def test_a_shared_default_is_refused():
    with pytest.raises(DeclarationError, match="default_factory"):
        attr(default=[])


def test_a_copy_with_changes_leaves_the_original_alone():
    original = Limited(code="NL-0001")
    two = tablature.replace(original, share=5)
    assert (original.share, two.share) == (0, 5)
    assert original != two
    with pytest.raises(TypeError, match="no field 'shares'"):
        tablature.replace(original, shares=5)
