"""Sample values fit the fields they are made for, whatever their limits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablature import Attr, Entity, Table, attr, primary, schema_of
from tablature.design.samples import regex_example, sample_item, sample_values


@pytest.mark.parametrize(
    "pattern",
    [
        r"NL-\d{8}-[A-Z0-9]{4}",
        r"[a-z]+@[a-z]+\.(com|org)",
        r"(?:draft|final)-?\d*",
        r"^\w{2,5}$",
        r"[^#]+",
        r"[\d-]{3}",
        r"v\d+(\.\d+){2}",
    ],
)
def test_an_example_matches_its_expression(pattern):
    example = regex_example(pattern)
    assert example is not None
    assert re.fullmatch(pattern, example)


@given(st.text(max_size=20))
def test_an_example_matches_or_there_is_none(pattern):
    example = regex_example(pattern)
    assert example is None or re.fullmatch(pattern, example)


def test_samples_keep_to_the_limits():
    table = Table("things", pk="PK")

    class Thing(Entity, table=table):
        id: Attr[str] = attr(longest=2)
        low: Attr[int] = attr(minimum=10)
        high: Attr[float] = attr(maximum=1)
        key = primary("THING#{id}")

    assert sample_values(schema_of(Thing)) == {"id": "id", "low": 10, "high": 1.0}


def test_a_name_has_one_sample_in_a_table(shop):
    samples = {sample_values(entity).get("customer_id") for entity in shop.entities}
    assert samples == {"C-111111", None}


def test_a_sample_item_can_be_read_as_its_entity(shop):
    for entity in shop.entities:
        values = sample_values(entity)
        decoded = entity.cls.__codec__.decode(sample_item(entity))
        assert {name: getattr(decoded, name) for name in values} == values
