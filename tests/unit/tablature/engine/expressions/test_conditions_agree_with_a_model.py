"""Random conditions on random items, held against a plain reading of what they mean."""

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from tablature.engine.validation.request_expressions import PUT_ITEM, read_expressions

NAMES = ["a", "b", "c"]
NUMBERS = st.integers(-3, 3).map(str)
VALUES = st.one_of(
    NUMBERS.map(lambda number: {"N": number}),
    st.sampled_from(["", "x", "xy", "y"]).map(lambda text: {"S": text}),
    st.booleans().map(lambda flag: {"BOOL": flag}),
    st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, unique=True).map(lambda members: {"SS": members}),
)
ITEMS = st.dictionaries(st.sampled_from(NAMES), VALUES)
ORDERED = ("<", "<=", ">", ">=")


@st.composite
def primitives(draw):
    """A comparison as (text, values, meaning)."""
    name = draw(st.sampled_from(NAMES))
    kind = draw(st.sampled_from(["=", "<>", *ORDERED, "exists", "absent", "in", "contains"]))
    if kind in ORDERED:
        value = draw(st.one_of(NUMBERS.map(lambda number: {"N": number}), st.just({"S": "x"})))
        key = _key(value)
        return f"{name} {kind} {key}", {key: value}, lambda item: _ordered(kind, item.get(name), value)
    if kind == "exists":
        return f"attribute_exists({name})", {}, lambda item: name in item
    if kind == "absent":
        return f"attribute_not_exists({name})", {}, lambda item: name not in item
    value = draw(VALUES)
    key = _key(value)
    if kind == "in":
        return f"{name} IN ({key})", {key: value}, lambda item: _same(item.get(name), value)
    if kind == "contains":
        return f"contains({name}, {key})", {key: value}, lambda item: _contains(item.get(name), value)
    wanted = kind == "="
    return f"{name} {kind} {key}", {key: value}, lambda item: _same(item.get(name), value) is wanted


def _key(value):
    """One placeholder for each value, so that conditions can be joined."""
    ((kind, given),) = value.items()
    return f":{kind}" + "".join(letter if letter.isalnum() else "_" for letter in str(given))


def _plain(value):
    ((kind, given),) = value.items()
    return (kind, frozenset(given)) if kind == "SS" else (kind, Decimal(given)) if kind == "N" else (kind, given)


def _same(left, right):
    return left is not None and _plain(left) == _plain(right)


def _ordered(operator, left, right):
    if left is None or left.keys() != right.keys():
        return False
    left_value, right_value = _plain(left)[1], _plain(right)[1]
    return {
        "<": left_value < right_value,
        "<=": left_value <= right_value,
        ">": left_value > right_value,
        ">=": left_value >= right_value,
    }[operator]


def _contains(left, right):
    if left is None or "S" not in right:
        return False
    if "SS" in left:
        return right["S"] in left["SS"]
    return "S" in left and right["S"] in left["S"]


def _joined(parts):
    (first, one_values, one_meaning), (two, two_values, two_meaning), operator = parts
    text = f"({first}) {operator} ({two})"
    both = {
        "AND": lambda item: one_meaning(item) and two_meaning(item),
        "OR": lambda item: one_meaning(item) or two_meaning(item),
    }
    return text, {**one_values, **two_values}, both[operator]


def _negated(part):
    text, values, meaning = part
    return f"NOT ({text})", values, lambda item: not meaning(item)


CONDITIONS = st.recursive(
    primitives(),
    lambda inner: st.one_of(
        st.tuples(inner, inner, st.sampled_from(["AND", "OR"])).map(_joined),
        inner.map(_negated),
    ),
    max_leaves=6,
)


@given(condition=CONDITIONS, item=ITEMS)
@settings(max_examples=300, deadline=None)
def test_a_condition_holds_exactly_when_the_model_says_so(condition, item):
    text, values, meaning = condition
    request = {"ConditionExpression": text}
    if values:
        request["ExpressionAttributeValues"] = values
    bound = read_expressions(request, PUT_ITEM).condition
    assert bound(item) is meaning(item)
