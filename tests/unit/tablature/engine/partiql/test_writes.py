"""INSERT, UPDATE and DELETE: what they store, give back and refuse."""

import pytest

KEY = {"artist": {"S": "Ada"}, "year": {"N": "1"}}


def _stored(engine, **key):
    response = engine.call("GetItem", {"TableName": "Music", "Key": {**KEY, **key}})
    return response.get("Item")


def test_insert_stores_every_kind_of_value(engine, execute):
    statement = """INSERT INTO "Music" VALUE {'artist': 'Ada', 'year': 1, 'quote': 'it''s', 'list': [1, -2.50, null],
        'map': {'yes': true, "no": false}, 'set': <<'a', 'b'>>, 'numbers': <<1, 2e1>>, 'given': ?}"""
    assert execute(statement, {"B": "AQI="}) == {"Items": []}
    assert _stored(engine) == {
        **KEY,
        "quote": {"S": "it's"},
        "list": {"L": [{"N": "1"}, {"N": "-2.5"}, {"NULL": True}]},
        "map": {"M": {"yes": {"BOOL": True}, "no": {"BOOL": False}}},
        "set": {"SS": ["a", "b"]},
        "numbers": {"NS": ["1", "20"]},
        "given": {"B": "AQI="},
    }


def test_insert_refuses_an_existing_key(execute, refusal):
    execute("INSERT INTO Music VALUE {'artist': 'Ada', 'year': 1}")
    assert refusal("INSERT INTO Music VALUE {'artist': 'Ada', 'year': 1}") == (
        "DuplicateItemException",
        "Duplicate primary key exists in table",
    )


def test_insert_refuses_an_item_without_its_key(refusal):
    assert refusal("INSERT INTO Music VALUE {'artist': 'Ada'}") == (
        "ValidationException",
        "One or more parameter values were invalid: Missing the key year in the item",
    )


UPDATES = [
    ("SET plays = 1 SET genre = 'new'", {"plays": {"N": "1"}, "genre": {"S": "new"}}),
    ("SET plays = 1, fans = <<'a'>>", {"plays": {"N": "1"}, "fans": {"SS": ["a"]}}),
    ("SET year2 = year + 1", {"year2": {"N": "2"}}),
    (
        "SET notes.tracks = list_append(notes.tracks, [7])",
        {"notes": {"M": {"tracks": {"L": [{"N": "1"}, {"S": "x"}, {"N": "7"}]}}}},
    ),
    ("SET notes.tracks[0] = 8", {"notes": {"M": {"tracks": {"L": [{"N": "8"}]}}}}),
    ("SET notes.more = {'deep': 1}", {"notes": {"M": {"more": {"M": {"deep": {"N": "1"}}}}}}),
]


@pytest.mark.usefixtures("albums")
@pytest.mark.parametrize(("actions", "modified"), UPDATES)
def test_update_gives_back_what_it_modified(execute, actions, modified):
    response = execute(f"UPDATE Music {actions} WHERE artist='Ada' AND year=1 RETURNING MODIFIED NEW *")
    assert response == {"Items": [modified]}


@pytest.mark.usefixtures("albums")
def test_sets_grow_and_shrink_by_functions(engine, execute):
    where = "WHERE artist='Ada' AND year=1"
    execute(f"UPDATE Music SET tags = <<'a', 'b'>> {where}")
    execute(f"UPDATE Music SET tags = set_add(tags, <<'c'>>) {where}")
    assert _stored(engine)["tags"] == {"SS": ["a", "b", "c"]}
    execute(f"UPDATE Music SET tags = set_delete(tags, <<'a', 'b', 'c'>>) {where}")
    assert "tags" not in _stored(engine)


@pytest.mark.usefixtures("albums")
def test_update_removes_and_gives_back_the_old_item(engine, execute):
    before = _stored(engine)
    response = execute(
        "UPDATE Music REMOVE genre REMOVE notes.tracks[0] WHERE artist='Ada' AND year=1 RETURNING ALL OLD *"
    )
    assert response == {"Items": [before]}
    assert _stored(engine) == {**KEY, "notes": {"M": {"tracks": {"L": [{"S": "x"}]}}}}


@pytest.mark.usefixtures("albums")
def test_update_returns_nothing_unless_asked(execute):
    assert execute("UPDATE Music SET plays = 1 WHERE artist='Ada' AND year=1") == {"Items": []}


CONDITION_FAILED = ("ConditionalCheckFailedException", "The conditional request failed")
NO_KEY = ("ValidationException", "Where clause does not contain a mandatory equality on all key attributes")

REFUSED = [
    ("UPDATE Music SET plays = 1 WHERE artist='Ada' AND year=77", CONDITION_FAILED),
    ("UPDATE Music SET plays = 1 WHERE artist='Ada' AND year=1 AND genre='none'", CONDITION_FAILED),
    ("UPDATE Music SET plays = 1 WHERE artist='Ada'", NO_KEY),
    ("UPDATE Music SET plays = 1", NO_KEY),
    ("UPDATE Music SET plays = 1 WHERE artist='Ada' AND year > 1", NO_KEY),
    ("UPDATE Music SET plays = 1 WHERE artist='Ada' OR year = 1", NO_KEY),
    ("DELETE FROM Music WHERE artist='Ada'", NO_KEY),
    ("DELETE FROM Music WHERE artist='Ada' AND year=1 AND genre='none'", CONDITION_FAILED),
    (
        "UPDATE Music SET artist = 'Eve' WHERE artist='Ada' AND year=1",
        (
            "ValidationException",
            (
                "One or more parameter values were invalid: Cannot update attribute artist. "
                "This attribute is part of the key"
            ),
        ),
    ),
    (
        "UPDATE Music SET plays = absent + 1 WHERE artist='Ada' AND year=1",
        (
            "ValidationException",
            "The provided expression refers to an attribute that does not exist in the item",
        ),
    ),
    (
        "UPDATE Music SET a = 1, a.b = 2 WHERE artist='Ada' AND year=1",
        (
            "ValidationException",
            (
                "Two document paths overlap with each other; must remove or rewrite one of these paths; "
                "path one: [a], path two: [a, b]"
            ),
        ),
    ),
    (
        'DELETE FROM "Music"."by-genre" WHERE genre = 1',
        ("ValidationException", "This operation is not supported on an index"),
    ),
    (
        "INSERT INTO \"Music\".\"by-genre\" VALUE {'genre': 'x'}",
        ("ValidationException", "FROM clause may only contain a single table name"),
    ),
    (
        "UPDATE Music SET plays = 1 WHERE artist='Ada' AND year=1 AND year=2",
        (
            "ValidationException",
            "Multiple conditions on same key year. Only single item Update/Insert/Delete are supported",
        ),
    ),
    (
        "DELETE FROM Music WHERE artist='Ada' AND year=1 RETURNING MODIFIED NEW *",
        (
            "ValidationException",
            (
                "Invalid returning clause: RETURNING MODIFIED NEW *. "
                "Only RETURNING ALL OLD * is allowed in DELETE statements."
            ),
        ),
    ),
    (
        "UPDATE Music SET tags = set_add(fans, <<'a'>>) WHERE artist='Ada' AND year=1",
        ("ValidationException", "The first argument to SET_ADD must equal the assignment value at 1:25:7"),
    ),
    (
        "UPDATE Music SET tags = set_delete(tags, 'a') WHERE artist='Ada' AND year=1",
        ("ValidationException", "The second argument to SET_DELETE must be a value with type SET at 1:36:4"),
    ),
    (
        "UPDATE Music SET tags = <<>> WHERE artist='Ada' AND year=1",
        ("ValidationException", "Empty bags are not supported"),
    ),
    (
        "UPDATE Music SET tags = <<1, 'a'>> WHERE artist='Ada' AND year=1",
        (
            "ValidationException",
            "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags",
        ),
    ),
    (
        "UPDATE Music SET notes[-1] = 1 WHERE artist='Ada' AND year=1",
        ("ValidationException", "List index is not within the allowable range; index: [-1] at 1:25:1"),
    ),
    ("DELETE FROM Nothing WHERE a = 1", ("ResourceNotFoundException", "Requested resource not found")),
    (
        "EXISTS(SELECT * FROM Music WHERE artist='Ada' AND year=1)",
        ("ValidationException", "EXISTS can only be used in ExecuteTransaction write requests."),
    ),
]


@pytest.mark.usefixtures("albums")
@pytest.mark.parametrize(("statement", "answer"), REFUSED)
def test_a_write_that_does_not_fit_is_refused(refusal, statement, answer):
    assert refusal(statement) == answer


@pytest.mark.usefixtures("albums")
def test_delete_gives_back_the_item_when_asked(engine, execute):
    before = _stored(engine)
    assert execute("DELETE FROM Music WHERE artist='Ada' AND year=1 RETURNING ALL OLD *") == {"Items": [before]}
    assert _stored(engine) is None


def test_deleting_what_is_not_there_succeeds(execute):
    assert execute("DELETE FROM Music WHERE artist='Ada' AND year=1 AND genre='x'") == {"Items": []}


def test_writes_are_charged_like_their_native_twins(execute):
    response = execute(
        "INSERT INTO Music VALUE {'artist': 'Ada', 'year': 1, 'genre': 'x'}", ReturnConsumedCapacity="INDEXES"
    )
    assert response["ConsumedCapacity"] == {
        "TableName": "Music",
        "CapacityUnits": 2.0,
        "Table": {"CapacityUnits": 1.0},
        "GlobalSecondaryIndexes": {"by-genre": {"CapacityUnits": 1.0}},
    }


MALFORMED = [
    ("NOT A STATEMENT", "Unexpected token after expression"),
    ("UPDATE Music WHERE artist = 'Ada'", "Expected data manipulation"),
    ("SELECT * WHERE a = 1", "Expected FROM after SELECT list"),
    ("SELECT * FROM Music WHERE (a = 1", "Expected RIGHT_PAREN"),
    ("SELECT * FROM Music WHERE a = 1 b", "Unexpected token after expression"),
    ("SELECT * FROM Music WHERE a", "Unexpected token after expression"),
    ("SELECT * FROM Music WHERE", "Unexpected term"),
    ("SELECT * FROM Music WHERE a =", "Missing right-hand side expression of infix operator"),
    ("SELECT * FROM Music WHERE a = 1 AND", "Missing right-hand side expression of infix operator"),
    ("SELECT * FROM Music WHERE = 1", "Unexpected operator"),
    ("SELECT * FROM Music WHERE a = )", "Unexpected term"),
    ("SELECT * FROM Music WHERE a IS nonsense", "Expected type name"),
    ("SELECT * FROM Music WHERE a BETWEEN 1 AND", "Expected expression after AND"),
    ("SELECT * FROM Music WHERE a.1 = 1", "Unexpected token after expression"),
    ("SELECT a. FROM Music", "Invalid path dot component"),
    (
        "SELECT *, a FROM Music",
        "Other expressions may not be present in the select list when '*' is used without dot notation.",
    ),
    ("SELECT * FROM Music; SELECT * FROM Music", "Unexpected token after semicolon. (Only one query is allowed.)"),
    ("UPDATE Music SET a 1", "Expected '='"),
    ("UPDATE Music REMOVE a, b WHERE artist = 'Ada' AND year = 1", "Unexpected token after expression"),
    ("DELETE Music", "Expected FROM after DELETE"),
    ("INSERT INTO Music VALUES {'artist': 'Ada'}", "Expected LEFT_PAREN for row value constructor"),
    ("INSERT INTO Music VALUE [1]", "Expected a tuple in VALUE"),
    ("SELECT * FROM Music WHERE a = 'open", ""),
    ("SELECT * FROM Music WHERE " + "(" * 4000, "The statement is nested too deeply"),
    ("SELECT * FROM Music WHERE " + "size(" * 1000, "The statement is nested too deeply"),
    ("UPDATE Music SET a = " + "list_append(" * 500, "The statement is nested too deeply"),
]


@pytest.mark.parametrize(("statement", "detail"), MALFORMED)
def test_a_malformed_statement_is_refused(refusal, statement, detail):
    sentence = f"Statement wasn't well formed, can't be processed: {detail}"
    assert refusal(statement) == ("ValidationException", sentence)


def test_parameters_stand_only_for_whole_fields(refusal):
    statement = "INSERT INTO Music VALUE {'artist': ?, 'year': 1, 'map': {'deep': ?}}"
    assert refusal(statement, {"S": "Ada"}, {"S": "x"}) == (
        "ValidationException",
        "Unsupported data type: Parameter under key root.deep at 1:66:1",
    )


def test_comments_are_skipped(execute):
    assert execute("SELECT * -- all of it\nFROM /* which table? */ Music") == {"Items": []}


@pytest.mark.parametrize("parameters", [(), ({"S": "a"}, {"S": "b"})])
def test_parameters_must_match_the_statement(refusal, parameters):
    assert refusal("SELECT * FROM Music WHERE artist = ?", *parameters) == (
        "ValidationException",
        "Number of parameters in request and statement don't match.",
    )


def test_a_statement_has_at_most_8192_characters(refusal):
    code, sentence = refusal("SELECT" + " " * 8187)
    assert code == "ValidationException"
    assert sentence.endswith(
        "at 'statement' failed to satisfy constraint: Member must have length less than or equal to 8192"
    )


@pytest.mark.usefixtures("albums")
def test_an_update_may_begin_with_from(engine, execute, refusal):
    execute("FROM Music WHERE artist='Ada' AND year=1 SET label='x' REMOVE genre")
    stored = _stored(engine)
    assert (stored["label"], "genre" in stored) == ({"S": "x"}, False)
    returned = execute("from Music where artist=? and year=1 set label='y' returning modified new *", {"S": "Ada"})
    assert returned == {"Items": [{"label": {"S": "y"}}]}
    assert refusal("FROM Music WHERE artist='Ada' AND year=99 SET label='x'")[0] == "ConditionalCheckFailedException"
    nothing_done = "Statement wasn't well formed, can't be processed: Expected data manipulation"
    assert refusal("FROM Music WHERE artist='Ada' AND year=1") == ("ValidationException", nothing_done)
