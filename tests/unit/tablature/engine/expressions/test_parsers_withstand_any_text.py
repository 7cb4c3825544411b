"""Whatever text arrives, parsing ends with a tree or a refusal, in time that grows with its length and no faster."""

import sys
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablature.engine.errors import EngineError
from tablature.engine.expressions.condition_parser import parse_condition
from tablature.engine.partiql.parser import parse_statement
from tablature.engine.validation.request_expressions import GET_ITEM, PUT_ITEM, QUERY, UPDATE_ITEM, read_expressions

PIECES = st.sampled_from(
    "a b.c #n :v ( ) , = <> < >= AND OR NOT BETWEEN IN size( contains( attribute_type( [0] [ ] . + - SET REMOVE ADD "
    "DELETE if_not_exists( list_append( name ' \" \n ~ é".split(" ")
)
SENTENCES = st.lists(PIECES, max_size=40).map(" ".join)
TEXT = st.one_of(st.text(max_size=120), SENTENCES)
PARAMETERS = [
    (PUT_ITEM, "ConditionExpression"),
    (QUERY, "KeyConditionExpression"),
    (UPDATE_ITEM, "UpdateExpression"),
    (GET_ITEM, "ProjectionExpression"),
]


@given(text=TEXT, choice=st.sampled_from(PARAMETERS))
@settings(max_examples=400, deadline=None)
def test_any_expression_is_read_or_refused(text, choice):
    shape, parameter = choice
    request = {
        parameter: text,
        "ExpressionAttributeNames": {"#n": "x"},
        "ExpressionAttributeValues": {":v": {"N": "1"}},
    }
    with suppress(EngineError):
        read_expressions(request, shape)


STATEMENT_PIECES = st.sampled_from(
    "SELECT * FROM t WHERE a = 1 AND OR NOT ( ) [ ] { } << >> , ? 'x' \"y\" . INSERT INTO VALUE UPDATE SET REMOVE "
    "DELETE RETURNING ALL OLD EXISTS( IS MISSING BETWEEN IN ORDER BY size( list_append( -".split(" ")
)


@given(text=st.one_of(st.text(max_size=120), st.lists(STATEMENT_PIECES, max_size=40).map(" ".join)))
@settings(max_examples=400, deadline=None)
def test_any_statement_is_read_or_refused(text):
    with suppress(EngineError):
        parse_statement(text, [{"N": "1"}])


def _steps(text):
    """How many lines of code a parse runs through."""
    count = 0

    def trace(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return trace

    parse_condition.cache_clear()
    sys.settrace(trace)
    try:
        parse_condition(text, "ConditionExpression")
    except EngineError:
        pass
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize(
    "pattern",
    ["a=:v OR ", "(", "size(", "NOT ", "(a=:v) AND ", "a.", "a[0]", " ", "((", "a IN (:v,:v) OR ", "'"],
)
def test_parsing_takes_steps_in_proportion_to_the_text(pattern):
    short = _steps(pattern * (1000 // len(pattern)))
    long = _steps(pattern * (4000 // len(pattern)))
    assert long <= 4.5 * short + 200
