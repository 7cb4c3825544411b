"""SELECT: which items it finds, in which order and columns, page by page."""

import pytest

pytestmark = pytest.mark.usefixtures("albums")


def _years(response):
    return [int(item["year"]["N"]) for item in response["Items"]]


FOUND = [
    ("artist = 'Ada'", [1, 2, 3, 4, 5]),
    ("artist = 'Ada' AND year = 3", [3]),
    ("artist = 'Ada' AND year > 1 AND year < 4", [2, 3]),
    ("artist = 'Ada' AND 3 <= year", [3, 4, 5]),
    ("artist = 'Ada' AND year BETWEEN 2 AND 3", [2, 3]),
    ("artist = 'Ada' AND year IN [1, 5]", [1, 5]),
    ("artist = 'Ada' AND year IN (1, 5)", [1, 5]),
    ("artist = 'Ada' AND genre = 'even'", [2, 4]),
    ("artist = 'Ada' AND NOT genre = 'even'", [1, 3, 5]),
    ("artist = 'Ada' AND (year = 1 OR genre = 'even')", [1, 2, 4]),
    ("artist = 'Ada' AND begins_with(genre, 'ev')", [2, 4]),
    ("artist = 'Ada' AND contains(notes.tracks, 4)", [4]),
    ("artist = 'Ada' AND notes.tracks[0] > 3", [4, 5]),
    ("artist = 'Ada' AND size(notes.tracks) = 2", [1, 2, 3, 4, 5]),
    ("artist = 'Ada' AND attribute_type(year, 'N') AND year <> 1", [2, 3, 4, 5]),
    ("artist IN ['Ada', 'Bob'] AND year >= 5", [5, 9]),
    ("artist = 'Ada' OR artist = 'Bob'", [1, 2, 3, 4, 5, 9]),
    ("year = 9", [9]),
    ("genre IS MISSING", [9]),
    ("genre IS NOT MISSING AND year < 3", [1, 2]),
    ("genre IS NULL", []),
    ("genre IS NOT NULL AND year > 4", [5, 9]),
    ("artist = 'Nobody'", []),
]


@pytest.mark.parametrize(("where", "years"), FOUND)
def test_a_condition_finds_its_items(execute, where, years):
    assert sorted(_years(execute(f'SELECT * FROM "Music" WHERE {where}'))) == years


def test_without_a_condition_everything_is_found(execute):
    assert sorted(_years(execute("SELECT * FROM Music"))) == [1, 2, 3, 4, 5, 9]


def test_parameters_stand_for_values_in_order(execute):
    response = execute("SELECT year FROM Music WHERE artist = ? AND year >= ?", {"S": "Ada"}, {"N": "4"})
    assert response == {"Items": [{"year": {"N": "4"}}, {"year": {"N": "5"}}]}


def test_columns_are_named_after_the_last_name_of_their_path(execute):
    response = execute("SELECT genre, notes.tracks, notes.tracks[1], absent FROM Music WHERE artist='Ada' AND year=1")
    tracks = {"L": [{"N": "1"}, {"S": "x"}]}
    assert response["Items"] == [{"genre": {"S": "odd"}, "tracks": tracks, "tracks[1]": {"S": "x"}}]


def test_order_by_the_sort_key_goes_either_way(execute):
    assert _years(execute("SELECT year FROM Music WHERE artist='Ada' ORDER BY year DESC")) == [5, 4, 3, 2, 1]
    assert _years(execute("SELECT year FROM Music WHERE artist='Ada' ORDER BY year ASC")) == [1, 2, 3, 4, 5]


def test_pages_follow_each_other_by_token(execute):
    statement = "SELECT year FROM Music WHERE artist IN ['Bob', 'Ada']"
    years, token = [], {}
    while True:
        page = execute(statement, Limit=2, **token)
        years += _years(page)
        if "NextToken" not in page:
            break
        token = {"NextToken": page["NextToken"]}
    assert years == [9, 1, 2, 3, 4, 5]


def test_a_limit_counts_items_before_the_condition(execute):
    page = execute("SELECT year FROM Music WHERE artist='Ada' AND genre='even'", Limit=3)
    assert _years(page) == [2]
    assert page["LastEvaluatedKey"] == {"artist": {"S": "Ada"}, "year": {"N": "3"}}


def test_an_index_is_read_under_its_quoted_name(execute):
    response = execute("""SELECT year FROM "Music"."by-genre" WHERE genre = 'even'""")
    assert sorted(_years(response)) == [2, 4]


def test_capacity_is_told_when_asked_for(execute):
    response = execute("SELECT * FROM Music WHERE artist='Ada'", ReturnConsumedCapacity="TOTAL", ConsistentRead=True)
    assert response["ConsumedCapacity"] == {"TableName": "Music", "CapacityUnits": 1.0}


REFUSED = [
    ("SELECT * FROM Nothing", "ResourceNotFoundException", "Requested resource not found"),
    ('SELECT * FROM "Music"."none"', "ValidationException", "The table does not have the specified index"),
    (
        """SELECT notes FROM "Music"."by-genre" WHERE genre = 'even'""",
        "ValidationException",
        "One or more parameter values were invalid: Global secondary index by-genre does not project [notes]",
    ),
    (
        "SELECT * FROM Music ORDER BY year",
        "ValidationException",
        "Must have WHERE clause in the statement when using ORDER BY clause.",
    ),
    (
        "SELECT * FROM Music WHERE year = 1 ORDER BY year",
        "ValidationException",
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.",
    ),
    (
        "SELECT * FROM Music WHERE artist = 'Ada' ORDER BY genre",
        "ValidationException",
        "Attribute genre in ORDER BY clause must be part of the primary key",
    ),
    (
        "SELECT * FROM Music WHERE artist IN ['Ada', 'Bob'] ORDER BY year",
        "ValidationException",
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.",
    ),
    (
        "SELECT * FROM Music WHERE artist = 'Ada' AND year = true",
        "ValidationException",
        "Key value must be of type S, N, or B. Key name: year, Key type: BOOL",
    ),
    (
        "SELECT * FROM Music WHERE artist IN ['Ada', 'Ada']",
        "ValidationException",
        "Overlapping conditions with range keys are not supported in where clause",
    ),
    (
        f"SELECT * FROM Music WHERE artist IN {[str(number) for number in range(51)]}",
        "ValidationException",
        "Too many decomposed read operations for a given query.",
    ),
    (
        f"SELECT * FROM Music WHERE genre IN {[str(number) for number in range(101)]}",
        "ValidationException",
        "The IN operator is provided with too many operands; number of operands: 101",
    ),
    (
        """SELECT year FROM "Music"."by-genre" WHERE genre = 'even' AND notes IS NOT MISSING""",
        "ValidationException",
        (
            "One or more parameter values were invalid: Secondary index by-genre does not project one or more "
            "filter attributes: [notes]"
        ),
    ),
    (
        "SELECT * FROM a.b.c",
        "ValidationException",
        "A path may contain at most 2 components in the FROM clause",
    ),
    ('SELECT * FROM ""', "ValidationException", "Path component cannot be an empty string"),
    ("SELECT * FROM Music LIMIT 5", "ValidationException", "Unsupported clause: LIMIT at [1:21:5]"),
    (
        "SELECT * FROM Music WHERE year < true",
        "ValidationException",
        "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL",
    ),
    (
        "SELECT * FROM Music WHERE artist = 1",
        "ValidationException",
        "Key attribute's data type should match its data type in table's schema: Key artist",
    ),
]


@pytest.mark.parametrize(("statement", "code", "sentence"), REFUSED)
def test_a_select_that_does_not_fit_the_table_is_refused(refusal, statement, code, sentence):
    assert refusal(statement) == (code, sentence)


def test_a_consistent_read_of_a_global_index_is_refused(refusal):
    statement = """SELECT * FROM "Music"."by-genre" WHERE genre = 'even'"""
    assert refusal(statement, ConsistentRead=True) == (
        "ValidationException",
        "Strongly consistent read is not supported on Global Secondary Indexes",
    )


def test_a_token_of_another_statement_is_refused(execute, refusal):
    token = execute("SELECT * FROM Music WHERE artist='Ada'", Limit=1)["NextToken"]
    assert refusal("SELECT * FROM Music", NextToken=token)[1] == "NextToken does not match request"
    assert refusal("SELECT * FROM Music", NextToken="garbage")[1] == "Invalid NextToken"


def test_a_scan_of_an_index_sees_only_what_the_index_carries(execute):
    assert execute("""SELECT * FROM "Music"."by-genre" WHERE notes IS NOT MISSING""") == {"Items": []}


def test_ordered_by_the_partition_key_alone_the_sort_key_falls(execute):
    response = execute("SELECT year FROM Music WHERE artist IN ['Bob', 'Ada'] ORDER BY artist")
    assert _years(response) == [5, 4, 3, 2, 1, 9]


@pytest.mark.usefixtures("albums")
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("genre IS STRING", 5),
        ("genre IS NOT STRING", 0),
        ("genre IS BOOL", 0),
        ("attribute_exists(genre) = true", 5),
        ("attribute_exists(nothing) = false", 5),
        ("attribute_exists(genre) <> true", 0),
    ],
)
def test_a_type_or_a_function_is_a_condition(execute, condition, expected):
    assert len(execute(f"SELECT * FROM Music WHERE artist='Ada' AND {condition}")["Items"]) == expected


def test_a_list_index_of_thousands_of_digits_is_refused(refusal):
    code, sentence = refusal(f"SELECT notes[{'9' * 5000}] FROM Music WHERE artist='Ada'")
    assert (code, sentence[:47]) == ("ValidationException", "List index is not within the allowable range; i")
