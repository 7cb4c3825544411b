"""SELECT from a local index: it carries part of each item, and reaches back into the table for the rest."""

import pytest

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError

INDEX = '"albums"."by-rank"'


@pytest.fixture
def engine():
    with Engine.memory() as engine:
        engine.call(
            "CreateTable",
            {
                "TableName": "albums",
                "KeySchema": [
                    {"AttributeName": "artist", "KeyType": "HASH"},
                    {"AttributeName": "title", "KeyType": "RANGE"},
                ],
                "AttributeDefinitions": [
                    {"AttributeName": name, "AttributeType": kind}
                    for name, kind in (("artist", "S"), ("title", "S"), ("rank", "N"))
                ],
                "LocalSecondaryIndexes": [
                    {
                        "IndexName": "by-rank",
                        "KeySchema": [
                            {"AttributeName": "artist", "KeyType": "HASH"},
                            {"AttributeName": "rank", "KeyType": "RANGE"},
                        ],
                        "Projection": {"ProjectionType": "KEYS_ONLY"},
                    }
                ],
                "BillingMode": "PAY_PER_REQUEST",
            },
        )
        for title, rank in (("a", 3), ("b", 1), ("c", 2)):
            statement = (
                f"INSERT INTO albums VALUE {{'artist': 'Ada', 'title': '{title}', 'rank': {rank}, 'notes': 'n'}}"
            )
            engine.call("ExecuteStatement", {"Statement": statement})
        yield engine


def _titles(engine, statement):
    return [item["title"]["S"] for item in engine.call("ExecuteStatement", {"Statement": statement})["Items"]]


def test_rows_come_in_the_order_of_the_index(engine):
    assert _titles(engine, f"SELECT title FROM {INDEX} WHERE artist = 'Ada'") == ["b", "c", "a"]
    assert _titles(engine, f"SELECT title FROM {INDEX} WHERE artist = 'Ada' ORDER BY rank DESC") == ["a", "c", "b"]
    assert _titles(engine, f"SELECT title FROM {INDEX} WHERE artist = 'Ada' AND rank > 1") == ["c", "a"]


def test_a_star_is_what_the_index_carries(engine):
    answer = engine.call("ExecuteStatement", {"Statement": f"SELECT * FROM {INDEX} WHERE artist = 'Ada' AND rank = 1"})
    assert answer["Items"] == [{"artist": {"S": "Ada"}, "title": {"S": "b"}, "rank": {"N": "1"}}]


def test_a_column_it_does_not_carry_is_fetched_from_the_table(engine):
    statement = f"SELECT notes FROM {INDEX} WHERE artist = 'Ada' AND rank = 1"
    assert engine.call("ExecuteStatement", {"Statement": statement})["Items"] == [{"notes": {"S": "n"}}]


def test_a_condition_on_what_it_does_not_carry_is_refused(engine):
    statement = f"SELECT title FROM {INDEX} WHERE artist = 'Ada' AND notes = 'n'"
    with pytest.raises(EngineError) as caught:
        engine.call("ExecuteStatement", {"Statement": statement})
    assert caught.value.message == (
        "One or more parameter values were invalid: Secondary index by-rank does not project one or more filter "
        "attributes: [notes]"
    )
