"""Statements that say too much, too little or the wrong thing, told in the service's words and with the place."""

import pytest

pytestmark = pytest.mark.usefixtures("albums")

KEY = "artist='Ada' AND year=1"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"


def placed(statement: str, token: str, after: str = "") -> str:
    start = statement.index(token, statement.index(after))
    return f"1:{start + 1}:{len(token)}"


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        (
            "attribute_exists()",
            (
                "Incorrect number of operands for operator or function; operator or function: attribute_exists, "
                "number of operands: 0"
            ),
        ),
        ("EXISTS(genre)", "Unrecognized function: exists at 1:57:6"),
        ("set_add(genre, <<'x'>>) = genre", "Unrecognized function: set_add at 1:57:7"),
        (
            "attribute_exists(notes.inner)",
            "Statement wasn't well formed, can't be processed: Invalid path dot component",
        ),
    ],
)
def test_a_function_is_refused_where_it_can_not_be(refusal, condition, sentence):
    assert refusal(f"SELECT * FROM Music WHERE {KEY} AND   {condition}") == ("ValidationException", sentence)


@pytest.mark.parametrize(
    ("assignment", "sentence", "at"),
    [
        (
            "a = set_add(<<'a'>>, <<'b'>>)",
            "The first argument to SET_ADD must equal the assignment value",
            "set_add",
        ),
        ("tags = set_add(tags)", "SET_ADD must have exactly two arguments", "set_add"),
        ("tags = set_delete(tags, <<'x'>>, <<'y'>>)", "SET_DELETE must have exactly two arguments", "set_delete"),
    ],
)
def test_a_set_is_added_to_itself_alone(refusal, assignment, sentence, at):
    statement = f"UPDATE Music SET {assignment} WHERE {KEY}"
    assert refusal(statement) == ("ValidationException", f"{sentence} at {placed(statement, at)}")


def test_a_function_is_neither_a_column_nor_a_value(refusal):
    column = f"SELECT attribute_exists(genre) FROM Music WHERE {KEY}"
    assert refusal(column)[1] == f"Unexpected path component at {placed(column, 'attribute_exists')}"
    value = "INSERT INTO Music VALUE {'artist': 'x', 'year': set_add(<<1>>, <<2>>)}"
    assert refusal(value)[1] == f"Unsupported data type: set_add under key root at {placed(value, 'set_add')}"


@pytest.mark.parametrize(
    "statement",
    [
        f"SELECT * FROM Music m WHERE {KEY}",
        f"SELECT * FROM Music AS m WHERE {KEY}",
        f"UPDATE Music m SET genre='x' WHERE {KEY}",
        f"DELETE FROM Music m WHERE {KEY}",
    ],
)
def test_a_table_has_no_other_name(refusal, statement):
    assert refusal(statement) == ("ValidationException", "Aliasing is not supported")


@pytest.mark.parametrize("rest", ["= 1e2147483648", "= 1.5e-2147483647", "= 1 # note", "= 1 /* note", "= 'open"])
def test_what_can_not_be_read_at_all_is_told_without_a_reason(refusal, rest):
    sentence = "Statement wasn't well formed, can't be processed: "
    assert refusal(f"SELECT * FROM Music WHERE year {rest}") == ("ValidationException", sentence)


@pytest.mark.parametrize("text", ["1e99999999999", "1e2147483648", "-1e-2147483648", "1e" + "9" * 5000])
def test_a_parameter_that_no_number_can_be_is_not_converted(refusal, text):
    sentence = f"The parameter cannot be converted to a numeric value: {text}"
    assert refusal("SELECT * FROM Music WHERE year = ?", {"N": text}) == ("ValidationException", sentence)


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ("SELECT * FROM Music WHERE year = 1e126", "root"),
        ("INSERT INTO Music VALUE {'artist': 'x', 'year': 1e126}", "root"),
        ("INSERT INTO Music VALUE {'artist': 'x', 'year': 1, 'm': {'x': -1e126}}", "root.x"),
        ("INSERT INTO Music VALUE {'artist': 'x', 'year': 1, 'l': [1, 1e126]}", "root[1]"),
    ],
)
def test_a_number_out_of_range_is_told_with_its_place(refusal, statement, place):
    assert refusal(statement) == ("ValidationException", f"{OVERFLOW} under {place}")
