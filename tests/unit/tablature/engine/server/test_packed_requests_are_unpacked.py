"""Bodies that come compressed: understood, bounded, and refused as the service refuses them."""

import gzip
import zlib

import pytest

BODY = b'{"Limit": 3}'


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(BODY)),
        ("gzip", gzip.compress(BODY[:5]) + gzip.compress(BODY[5:])),
        ("deflate", zlib.compress(BODY)),
        ("identity", BODY),
    ],
    ids=["gzip", "gzip in two parts", "deflate", "as it is"],
)
def test_a_packed_body_is_read_as_what_it_holds(ask, engine, coding, packed):
    assert ask(packed, content_encoding=coding).status == 200
    assert engine.calls == [("ListTables", {"Limit": 3})]


@pytest.mark.parametrize(
    ("coding", "packed"),
    [("gzip", BODY), ("gzip", b""), ("gzip", gzip.compress(BODY)[:-1]), ("br", BODY), ("deflate", gzip.compress(BODY))],
    ids=["not packed", "empty", "cut off", "another coding", "packed otherwise"],
)
def test_what_can_not_be_unpacked_is_the_services_fault(ask, engine, coding, packed):
    answer = ask(packed, content_encoding=coding)
    assert (answer.status, answer.json["__type"]) == (500, "com.amazonaws.dynamodb.v20120810#InternalServerError")
    assert engine.calls == []


def test_a_body_may_not_unpack_to_more_than_any_other_body_has(ask, engine):
    bomb = gzip.compress(b" " * (16 * 1024 * 1024) + BODY)
    assert len(bomb) < 20_000
    answer = ask(bomb, content_encoding="gzip")
    assert (answer.status, answer.body, engine.calls) == (413, b"", [])
