"""Condition text that the service refuses, and the exact sentence it refuses it with."""

import pytest

from tablature.engine.validation.request_expressions import PUT_ITEM, SCAN

VALUES = {
    ":s": {"S": "text"},
    ":n": {"N": "1"},
    ":m": {"N": "2"},
    ":b": {"B": "AQI="},
    ":c": {"B": "Ag=="},
    ":t": {"BOOL": True},
    ":z": {"NULL": True},
    ":l": {"L": []},
    ":o": {"M": {}},
    ":u": {"SS": ["a"]},
}

SYNTAX = [
    ("", "The expression can not be empty;"),
    ("a", 'Syntax error; token: "<EOF>", near: "a"'),
    ("a =", 'Syntax error; token: "<EOF>", near: "="'),
    ("a = = :n", 'Syntax error; token: "=", near: "= = :n"'),
    ("a AND b", 'Syntax error; token: "AND", near: "a AND b"'),
    ("NOT a", 'Syntax error; token: "<EOF>", near: "a"'),
    ("(a = :n", 'Syntax error; token: "<EOF>", near: ":n"'),
    ("a = :n)", 'Syntax error; token: ")", near: ":n)"'),
    ("a = :n b = :m", 'Syntax error; token: "b", near: ":n b ="'),
    ("a = b = :n", 'Syntax error; token: "=", near: "b = :n"'),
    ("a-b = :n", 'Syntax error; token: "-", near: "a-b"'),
    ('"a" = :n', 'Syntax error; token: """, near: ""a"'),
    ("_a = :n", 'Syntax error; token: "_", near: "_a"'),
    ("1a = :n", 'Syntax error; token: "1", near: "1a"'),
    ("# = :n", 'Syntax error; token: "#", near: "# ="'),
    ("a = :", 'Syntax error; token: ":", near: "= :"'),
    ("a[01] = :n", 'Syntax error; token: "1", near: "01]"'),
    ("a[b] = :n", 'Syntax error; token: "b", near: "[b]"'),
    ("a[-1] = :n", 'Syntax error; token: "-", near: "[-1"'),
    ("a. = :n", 'Syntax error; token: "=", near: ". = :n"'),
    ("a IN ()", 'Syntax error; token: ")", near: "()"'),
    ("a IN :n", 'Syntax error; token: ":n", near: "IN :n"'),
    ("a BETWEEN :n", 'Syntax error; token: "<EOF>", near: ":n"'),
    ("a BETWEEN :n OR :m", 'Syntax error; token: "OR", near: ":n OR :m"'),
    ("size() > :n", 'Syntax error; token: ")", near: "() >"'),
    ("contains(a, :s", 'Syntax error; token: "<EOF>", near: ":s"'),
    ("a == :n", 'Syntax error; token: "=", near: "== :n"'),
    ("a != :n", 'Syntax error; token: "!", near: "a !="'),
    ("a = :n AND", 'Syntax error; token: "<EOF>", near: "AND"'),
    ("a = (b = :n)", 'Syntax error; token: "=", near: "b = :n"'),
]

TEXT_ONLY = [
    ("((a = :n))", "The expression has redundant parentheses;"),
    ("((a)) = :n", "The expression has redundant parentheses;"),
    ("((attribute_exists(a)))", "The expression has redundant parentheses;"),
    ("a = ((:n))", "The expression has redundant parentheses;"),
    ("foo(a)", "Invalid function name; function: foo"),
    ("SIZE(a) = :n", "Invalid function name; function: SIZE"),
    ("if_not_exists(a, :n) = :n", "The function is not allowed in a condition expression; function: if_not_exists"),
    ("size(a)", "The function is not allowed to be used this way in an expression; function: size"),
    ("NOT size(a)", "The function is not allowed to be used this way in an expression; function: size"),
    (
        "attribute_exists(a) = :t",
        "The function is not allowed to be used this way in an expression; function: attribute_exists",
    ),
    (
        "begins_with(contains(a, :s), :s)",
        "The function is not allowed to be used this way in an expression; function: contains",
    ),
    ("size = :n", "Attribute name is a reserved keyword; reserved keyword: size"),
    ("a.Name = :n", "Attribute name is a reserved keyword; reserved keyword: Name"),
    (
        "a" + ".b" * 32 + " = :n",
        "The document path has too many nesting levels; nesting levels: 33",
    ),
    ("a[99999999999] = :n", "List index is not within the allowable range; index: [99999999999]"),
]

OPERANDS = [
    ("a = :x", "An expression attribute value used in expression is not defined; attribute value: :x"),
    ("#x = :n", "An expression attribute name used in the document path is not defined; attribute name: #x"),
    (
        "attribute_exists(a, b)",
        (
            "Incorrect number of operands for operator or function; operator or function: attribute_exists, "
            "number of operands: 2"
        ),
    ),
    (
        "size(a, b) = :n",
        "Incorrect number of operands for operator or function; operator or function: size, number of operands: 2",
    ),
    (
        "a = a",
        (
            "The first operand must be distinct from the remaining operands for this operator or function; "
            "operator: =, first operand: [a]"
        ),
    ),
    (
        "contains(a.b[0], a.b[0])",
        (
            "The first operand must be distinct from the remaining operands for this operator or function; "
            "operator: contains, first operand: [a, b, [0]]"
        ),
    ),
    (
        "a BETWEEN :n AND a",
        (
            "The first operand must be distinct from the remaining operands for this operator or function; "
            "operator: BETWEEN, first operand: [a]"
        ),
    ),
    (
        "a IN (:n, b, a)",
        (
            "The first operand must be distinct from the remaining operands for this operator or function; "
            "operator: IN, first operand: [a]"
        ),
    ),
    ("attribute_type(:s, :s)", "Operator or function requires a document path; operator or function: attribute_type"),
    (
        "a BETWEEN :c AND :b",
        (
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound "
            "operand: AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=1 cap=1]}, upper bound operand: "
            "AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=2 cap=2]}"
        ),
    ),
    ("attribute_exists(:n)", "Operator or function requires a document path; operator or function: attribute_exists"),
    (
        "begins_with(a, :n)",
        "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
    ),
    (
        "begins_with(:l, :s)",
        "Incorrect operand type for operator or function; operator or function: begins_with, operand type: L",
    ),
    (
        "contains(:n, :s)",
        "Incorrect operand type for operator or function; operator or function: contains, operand type: N",
    ),
    (
        "contains(:o, :s)",
        "Incorrect operand type for operator or function; operator or function: contains, operand type: M",
    ),
    ("size(:n) = :n", "Incorrect operand type for operator or function; operator or function: size, operand type: N"),
    (
        "size(size(a)) = :n",
        "Incorrect operand type for operator or function; operator or function: size, operand type: N",
    ),
    (
        "attribute_type(a, :n)",
        "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N",
    ),
    (
        "attribute_type(a, b)",
        (
            "Incorrect operand type for operator or function; operator or function: attribute_type, "
            "operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"
        ),
    ),
    (
        "attribute_type(a, :s)",
        "Invalid attribute type name found; type: text, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}",
    ),
    ("a < :t", "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"),
    ("a >= :u", "Incorrect operand type for operator or function; operator or function: >=, operand type: SS"),
    (
        "a BETWEEN :o AND :o",
        "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: M",
    ),
    (
        "a BETWEEN :m AND :n",
        (
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
            "lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"
        ),
    ),
    (
        "a BETWEEN :n AND :s",
        (
            "The BETWEEN operator requires same data type for lower and upper bounds; "
            "lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:text}"
        ),
    ),
    (
        "a IN (" + ", ".join([":n"] * 101) + ")",
        "The IN operator is provided with too many operands; number of operands: 101",
    ),
]

PRECEDENCE = [
    ("((foo(a)))", "The expression has redundant parentheses;"),
    ("foo(a) = size", "Invalid function name; function: foo"),
    ("size(a) AND size = :x", "The function is not allowed to be used this way in an expression; function: size"),
    ("size = :x", "Attribute name is a reserved keyword; reserved keyword: size"),
    (
        "a = :x AND #x = :n",
        "An expression attribute value used in expression is not defined; attribute value: :x",
    ),
    (
        "begins_with(a, :n) AND a = :x",
        "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
    ),
    (
        "a = :x AND begins_with(a, :n)",
        "An expression attribute value used in expression is not defined; attribute value: :x",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), SYNTAX + TEXT_ONLY + OPERANDS + PRECEDENCE)
def test_a_faulty_condition_is_refused_in_the_services_words(refusal, text, sentence):
    message = refusal(PUT_ITEM, ConditionExpression=text, ExpressionAttributeValues=VALUES)
    assert message == f"Invalid ConditionExpression: {sentence}"


def test_the_sentence_names_the_parameter_at_fault(refusal):
    message = refusal(SCAN, FilterExpression="a", ExpressionAttributeValues=VALUES)
    assert message == 'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "a"'


def test_an_expression_may_have_4096_bytes_and_no_more(refusal, read):
    padding = "a = :n" + " " * 4090
    assert read(PUT_ITEM, ConditionExpression=padding, ExpressionAttributeValues={":n": {"N": "1"}})
    assert refusal(PUT_ITEM, ConditionExpression=padding + " ", ExpressionAttributeValues={":n": {"N": "1"}}) == (
        "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size;"
    )


def test_an_expression_may_have_300_operators_and_no_more(refusal, read):
    values = {":n": {"N": "1"}}
    within = " OR ".join(["a=:n"] * 150)
    assert read(PUT_ITEM, ConditionExpression=within, ExpressionAttributeValues=values)
    beyond = within + " OR a=:n"
    assert refusal(PUT_ITEM, ConditionExpression=beyond, ExpressionAttributeValues=values) == (
        "Invalid ConditionExpression: The expression contains too many operators; operator count: 301"
    )


@pytest.mark.parametrize("text", ["(" * 4000, "size(" * 800, "NOT " * 1000, "a[" * 2000, "f(" * 2000, "a.(" * 1300])
def test_deep_nesting_is_a_syntax_error_not_a_crash(refusal, text):
    assert "Syntax error" in refusal(PUT_ITEM, ConditionExpression=text)


def test_deep_but_sound_nesting_meets_the_operator_limit(refusal):
    text = "size(" * 600 + "a" + ")" * 600 + " = :n"
    message = refusal(PUT_ITEM, ConditionExpression=text, ExpressionAttributeValues={":n": {"N": "1"}})
    assert message.endswith("The expression contains too many operators; operator count: 601")
