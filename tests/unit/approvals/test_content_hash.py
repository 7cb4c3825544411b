"""One content has one hash, however its facts were put together; another content has another."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.approvals import canonical_json, content_hash
from almanac.kit.money import Money


class Tone(StrEnum):
    FRIENDLY = "friendly"


@dataclass(frozen=True)
class Draft:
    subject: str
    amount: Money
    due: date
    lines: tuple[str, ...] = ()


DRAFT = Draft("Invoice 7", Money(Decimal("1500.00"), "EUR"), date(2026, 3, 1), ("one", "two"))
WHOLE = st.integers() | st.decimals(allow_nan=False, allow_infinity=False, places=4) | st.booleans() | st.none()
FACTS = st.recursive(
    WHOLE | st.text(), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


def test_a_hash_has_64_hexadecimal_digits():
    assert len(content_hash(DRAFT)) == 64
    assert int(content_hash(DRAFT), 16)


def test_the_form_is_fixed_for_ever():
    assert canonical_json({"b": [1, Decimal("2.50")], "a": "é"}) == '{"a":"\\u00e9","b":[1,2.5]}'
    assert content_hash({}) == "d04e1b3309b5d4a35d1c10286e458f4f479fe55ed669c2ba7747de0da5517e31"


def test_a_dataclass_is_the_dictionary_of_its_fields():
    facts = {
        "due": "2026-03-01",
        "lines": ["one", "two"],
        "subject": "Invoice 7",
        "amount": {"currency": "EUR", "amount": 1500},
    }
    assert content_hash(DRAFT) == content_hash(facts)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (Decimal("1500.00"), 1500),
        (Decimal("1.5E3"), 1500.0),
        (Decimal("-0.0"), 0),
        ({"x", "y"}, frozenset({"y", "x"})),
        (["x", "y"], ("x", "y")),
        (datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2026, 1, 1, 14, tzinfo=timezone(timedelta(hours=2)))),
        (Tone.FRIENDLY, "friendly"),
        (UUID(int=1), str(UUID(int=1))),
    ],
)
def test_what_means_the_same_has_the_same_hash(first, other):
    assert content_hash(first) == content_hash(other)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("a", "a "),
        ("é", "e\u0301"),
        (["x", "y"], ["y", "x"]),
        (1, "1"),
        (1, True),
        (None, ""),
        (None, "null"),
        ({"a": None}, {}),
        (Decimal("1500.00"), Decimal("1500.01")),
        (date(2026, 1, 1), date(2026, 1, 2)),
        (["a", "b"], ["a,b"]),
        ({"a": "b"}, ["a", "b"]),
        (b"x", "x"),
    ],
)
def test_any_change_changes_the_hash(first, other):
    assert content_hash(first) != content_hash(other)


@pytest.mark.parametrize("facts", [float("nan"), Decimal("Infinity"), datetime(2026, 1, 1), {1: "x"}, object(), Draft])
def test_what_has_no_certain_spelling_is_refused(facts):
    with pytest.raises((TypeError, ValueError)):
        content_hash(facts)


@given(FACTS)
def test_the_canonical_form_is_ascii_and_repeatable(facts):
    assert canonical_json(facts).isascii()
    assert canonical_json(facts) == canonical_json(facts)


@given(st.dictionaries(st.text(), FACTS, max_size=6), st.randoms())
def test_the_order_of_keys_never_counts(facts, random):
    names = list(facts)
    random.shuffle(names)
    assert content_hash({name: facts[name] for name in names}) == content_hash(facts)


@given(FACTS, FACTS)
def test_two_contents_never_share_a_hash(first, other):
    assert (content_hash(first) == content_hash(other)) == (canonical_json(first) == canonical_json(other))
