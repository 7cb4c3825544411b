"""Every statement has a name; a name that is unknown or given twice is an error that tells where."""

import pytest

from almanac.relational.database import Queries, parse_queries

TEXT = """
-- name: find_one
-- Finds one.
SELECT 1;

-- name: find_two
SELECT 2
WHERE true;
"""


def test_a_file_is_split_at_its_names() -> None:
    assert parse_queries(TEXT) == {"find_one": "-- Finds one.\nSELECT 1;", "find_two": "SELECT 2\nWHERE true;"}


def test_a_name_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="find_one is named twice"):
        parse_queries(TEXT + "\n-- name: find_one\nSELECT 3;")


def test_an_unknown_name_tells_where_it_was_looked_for() -> None:
    with pytest.raises(KeyError, match=r"almanac\.jobs/queries\.sql has no statement named find_none"):
        Queries("almanac.jobs", parse_queries(TEXT))["find_none"]


PARTS = """
-- part: columns
-- What is read of everybody.
id, name

-- part: everybody
SELECT {{columns}} FROM people

-- name: list_people
-- All of them.
{{everybody}} ORDER BY name;

-- name: find_person
{{everybody}} WHERE id = %(id)s;
"""


def test_a_part_stands_where_it_is_named_and_is_no_statement() -> None:
    assert parse_queries(PARTS) == {
        "list_people": "-- All of them.\nSELECT id, name FROM people ORDER BY name;",
        "find_person": "SELECT id, name FROM people WHERE id = %(id)s;",
    }


def test_a_part_that_is_missing_or_named_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="no part everyone"):
        parse_queries("-- name: list_people\n{{everyone}};")
    with pytest.raises(ValueError, match="part columns is named twice"):
        parse_queries(PARTS + "\n-- part: columns\nid")
