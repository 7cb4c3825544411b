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
