"""Random updates and conditions on random items: each is applied or refused, and the old item stays as it was."""

import copy
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from tablature.engine.encoding.values import normalise
from tablature.engine.errors import EngineError
from tablature.engine.validation.request_expressions import UPDATE_ITEM, read_expressions

SCALARS = st.one_of(
    st.sampled_from(["0", "1", "-2.5", "9E125", "1E-130"]).map(lambda number: {"N": number}),
    st.sampled_from(["", "x", "é"]).map(lambda text: {"S": text}),
    st.sampled_from(["", "AQ==", "AQI="]).map(lambda data: {"B": data}),
    st.booleans().map(lambda flag: {"BOOL": flag}),
    st.just({"NULL": True}),
    st.sampled_from([["a"], ["a", "b"]]).map(lambda members: {"SS": members}),
    st.sampled_from([["1"], ["1", "2"]]).map(lambda members: {"NS": members}),
    st.just({"BS": ["AQ=="]}),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda members: {"L": members}),
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3).map(lambda members: {"M": members}),
    ),
    max_leaves=5,
)
PATHS = st.sampled_from(["a", "b", "c", "a.b", "a[0]", "a[1]", "b.c[2]", "c[0].a", "b[7]"])
OPERANDS = st.recursive(
    st.one_of(PATHS, st.sampled_from([":v", ":w"])),
    lambda inner: st.one_of(
        st.tuples(PATHS, inner).map(lambda pair: f"if_not_exists({pair[0]}, {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"list_append({pair[0]}, {pair[1]})"),
    ),
    max_leaves=3,
)
SETS = st.tuples(PATHS, OPERANDS, st.sampled_from(["", " + :v", " - :w"])).map(
    lambda parts: f"{parts[0]} = {parts[1]}{parts[2]}"
)
ADJUSTMENTS = st.tuples(PATHS, st.sampled_from([":v", ":w"])).map(" ".join)


def _section(keyword, actions):
    return st.lists(actions, min_size=1, max_size=3).map(lambda given: f"{keyword} {', '.join(given)}")


UPDATES = st.lists(
    st.one_of(
        _section("SET", SETS), _section("REMOVE", PATHS), _section("ADD", ADJUSTMENTS), _section("DELETE", ADJUSTMENTS)
    ),
    min_size=1,
    max_size=3,
).map(" ".join)
CONDITIONS = st.tuples(
    st.one_of(PATHS, PATHS.map("size({})".format), st.just(":v")),
    st.sampled_from(["= :w", "<> :v", "< :w", ">= a", "BETWEEN :v AND :w", "IN (:v, b, :w)"]),
).map(" ".join)


@given(
    item=st.dictionaries(st.sampled_from("abc"), VALUES),
    update=UPDATES,
    condition=CONDITIONS,
    first=VALUES,
    second=VALUES,
)
@settings(max_examples=400, deadline=None)
def test_any_update_is_applied_or_refused(item, update, condition, first, second):
    item = {name: normalise(value) for name, value in item.items()}
    before = copy.deepcopy(item)
    values = {key: value for key, value in ((":v", first), (":w", second)) if key in update + condition}
    request = {"UpdateExpression": update, "ConditionExpression": condition, "ExpressionAttributeValues": values}
    with suppress(EngineError):
        clauses = read_expressions({key: value for key, value in request.items() if value}, UPDATE_ITEM)
        assert clauses.condition(item) in (True, False)
        changed = clauses.update.apply(item)
        clauses.update.touched(changed)
        assert {name: normalise(value) for name, value in changed.items()} == changed
    assert item == before
