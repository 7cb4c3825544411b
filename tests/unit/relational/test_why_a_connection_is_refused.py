"""Whoever starts Almanac learns why PostgreSQL can't be used, and never reads the password."""

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from almanac.errors import Unavailable
from almanac.relational import Database, count_other_connections
from almanac.relational.errors import describe_refusal

REFUSED = 'connection failed: connection to server at "127.0.0.1", port 5432 failed: FATAL:  {}'
URL = "postgresql://ada:hush@db.example.org/almanac"


async def refusal(url):
    with pytest.raises(Unavailable) as refused:
        await count_other_connections(url)
    with pytest.raises(Unavailable) as at_start:
        await Database(url).open()
    assert at_start.value.sentence == refused.value.sentence
    return refused.value.sentence


async def test_a_missing_database_is_named(database_url):
    sentence = await refusal(make_conninfo(database_url, dbname="nowhere"))
    assert sentence == "There is no database nowhere; create it, or correct ALMANAC_DATABASE_URL."


async def test_an_unknown_host_is_named_without_the_rest_of_a_password():
    sentence = await refusal("postgresql://ada:hu@sh@nohost.invalid/almanac")
    assert sentence == "The host nohost.invalid isn't known; correct ALMANAC_DATABASE_URL."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('password authentication failed for user "ada"', "PostgreSQL refused the password of role ada;"),
        ('role "ada" does not exist', "There is no role ada in PostgreSQL;"),
        ("the database system is starting up", "The database doesn't answer;"),
    ],
)
def test_what_the_server_refuses_is_said(text, sentence):
    described = describe_refusal(URL, psycopg.OperationalError(REFUSED.format(text)))
    assert described.startswith(sentence)
    assert "hush" not in described
