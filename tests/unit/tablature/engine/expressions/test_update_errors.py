"""Update text that the service refuses, and the exact sentence it refuses it with."""

import pytest

from tablature.engine.validation.request_expressions import UPDATE_ITEM

VALUES = {":n": {"N": "1"}, ":s": {"S": "x"}, ":l": {"L": []}, ":u": {"SS": ["a"]}, ":t": {"BOOL": True}}

WRONG_OPERAND = (
    "Incorrect operand type for operator or function; operator: {0}, operand type: {1}, "
    "typeSet: ALLOWED_FOR_{0}_OPERAND"
)

CASES = [
    ("", "The expression can not be empty;"),
    ("SET", 'Syntax error; token: "<EOF>", near: "SET"'),
    ("a = :n", 'Syntax error; token: "a", near: "a ="'),
    ("SET a", 'Syntax error; token: "<EOF>", near: "a"'),
    ("SET a =", 'Syntax error; token: "<EOF>", near: "="'),
    ("SET a = :n,", 'Syntax error; token: "<EOF>", near: ","'),
    ("SET a = :n b = :n", 'Syntax error; token: "b", near: ":n b ="'),
    ("SET a = b + :n + :n", 'Syntax error; token: "+", near: ":n + :n"'),
    ("SET a = :n * :n", 'Syntax error; token: "*", near: ":n * :n"'),
    ("SET :n = a", 'Syntax error; token: ":n", near: "SET :n ="'),
    ("REMOVE a b", 'Syntax error; token: "b", near: "a b"'),
    ("ADD a b", 'Syntax error; token: "b", near: "a b"'),
    ("ADD a = :n", 'Syntax error; token: "=", near: "a = :n"'),
    ("UPDATE a = :n", 'Syntax error; token: "UPDATE", near: "UPDATE a"'),
    ("SET a[:n] = :n", 'Syntax error; token: ":n", near: "[:n]"'),
    ("SET a = size(b)", "The function is not allowed in an update expression; function: size"),
    ("SET a = foo(b)", "Invalid function name; function: foo"),
    ("SET name = :n", "Attribute name is a reserved keyword; reserved keyword: name"),
    ("REMOVE a.data", "Attribute name is a reserved keyword; reserved keyword: data"),
    ("SET a = :n SET b = :n", 'The "SET" section can only be used once in an update expression;'),
    ("REMOVE a REMOVE b", 'The "REMOVE" section can only be used once in an update expression;'),
    ("SET a = :x", "An expression attribute value used in expression is not defined; attribute value: :x"),
    ("SET #x = :n", "An expression attribute name used in the document path is not defined; attribute name: #x"),
    (
        "SET a = :n, a = :s",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these paths; "
            "path one: [a], path two: [a]"
        ),
    ),
    (
        "SET a = :n REMOVE a.b[1]",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these paths; "
            "path one: [a], path two: [a, b, [1]]"
        ),
    ),
    (
        "SET a.b.c = :n, a.b = :s",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these paths; "
            "path one: [a, b, c], path two: [a, b]"
        ),
    ),
    (
        "SET a.b = :n, a[1] = :s",
        (
            "Two document paths conflict with each other; must remove or rewrite one of these paths; "
            "path one: [a, b], path two: [a, [1]]"
        ),
    ),
    (
        "SET a.b = :n, a[1] = :s, c = :n, c = :s",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these paths; "
            "path one: [c], path two: [c]"
        ),
    ),
    (
        "ADD a :s",
        WRONG_OPERAND.format("ADD", "STRING"),
    ),
    (
        "ADD a :l",
        WRONG_OPERAND.format("ADD", "LIST"),
    ),
    (
        "DELETE a :n",
        WRONG_OPERAND.format("DELETE", "NUMBER"),
    ),
    (
        "DELETE a :t",
        WRONG_OPERAND.format("DELETE", "BOOLEAN"),
    ),
    (
        "SET a = list_append(a, :n)",
        "Incorrect operand type for operator or function; operator or function: list_append, operand type: N",
    ),
    ("SET a = a + :s", "Incorrect operand type for operator or function; operator or function: +, operand type: S"),
    ("SET a = :u - a", "Incorrect operand type for operator or function; operator or function: -, operand type: SS"),
    (
        "SET a = if_not_exists(:n, :s)",
        "Operator or function requires a document path; operator or function: if_not_exists",
    ),
    (
        "SET a = list_append(a)",
        (
            "Incorrect number of operands for operator or function; "
            "operator or function: list_append, number of operands: 1"
        ),
    ),
    ("SET a = foo(name)", "Attribute name is a reserved keyword; reserved keyword: name"),
    ("SET #x = :x", "An expression attribute name used in the document path is not defined; attribute name: #x"),
    ("SET a = :x, b = #x", "An expression attribute name used in the document path is not defined; attribute name: #x"),
]


@pytest.mark.parametrize(("text", "sentence"), CASES)
def test_a_faulty_update_is_refused_in_the_services_words(refusal, text, sentence):
    message = refusal(UPDATE_ITEM, UpdateExpression=text, ExpressionAttributeValues=VALUES)
    assert message == f"Invalid UpdateExpression: {sentence}"


def test_an_update_is_checked_before_the_condition_beside_it(refusal):
    message = refusal(UPDATE_ITEM, UpdateExpression="SET", ConditionExpression="(")
    assert message == 'Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "SET"'


def test_too_long_an_update_is_refused_without_its_size(refusal):
    message = refusal(UPDATE_ITEM, UpdateExpression="REMOVE " + "a" * 4090)
    assert message == "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;"


def test_functions_count_as_operators(refusal):
    text = "SET " + ",".join(f"a{i}=list_append(a,a)" for i in range(190))
    assert len(text) <= 4096
    plenty = text.replace("list_append(a,a)", "z+z") + "," + ",".join(f"b{i}=z+z" for i in range(130))
    message = refusal(UPDATE_ITEM, UpdateExpression=plenty)
    assert message == "Invalid UpdateExpression: The expression contains too many operators; operator count: 320"
