"""Fuzzing: whatever arrives gets one of the service's answers, never a 500 and never a traceback."""

import json
import logging
import socket
from collections.abc import Iterator
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablature.engine.engine import Engine
from tablature.engine.server.application import Application
from tablature.engine.server.http import HttpRequest
from tablature.engine.server.input_types import ITEM_AND_TABLE_INPUTS, STREAM_INPUTS
from tablature.engine.server.listener import Server

SIGNED = {
    "content-type": "application/x-amz-json-1.0",
    "authorization": "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c",
    "x-amz-date": "20260101T000000Z",
}
OPERATIONS = {
    f"{prefix}.{name}": shape
    for prefix, inputs in (("DynamoDB_20120810", ITEM_AND_TABLE_INPUTS), ("DynamoDBStreams_20120810", STREAM_INPUTS))
    for name, shape in inputs.items()
}
TEXTS = st.one_of(
    st.sampled_from(
        [
            "orders",
            "pk",
            "sk",
            "g",
            "by-g",
            "a",
            "#n",
            ":v",
            "1",
            "-1e400",
            "9" * 39,
            "YQ==",
            "",
            "x" * 300,
            "\ud800",
            "pk = :v",
            "SET #n = :v",
            "attribute_exists(pk)",
            "a.b[0]",
            "((((",
            "ALL_NEW",
            "SELECT * FROM orders",
            "EQ",
            "arn:aws:dynamodb:us-east-1:000000000000:table/orders",
            "TOTAL",
            "HASH",
            "RANGE",
            "S",
            "INCLUDE",
        ]
    ),
    st.text(max_size=8),
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def members(shape: Any, depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that mostly fit a shape, and sometimes do not."""
    if depth > 4:
        return ANYTHING
    if is_typeddict(shape):
        fields = {name: members(hint, depth + 1) for name, hint in get_type_hints(shape).items()}
        fitting = st.fixed_dictionaries({}, optional=fields)
    elif get_origin(shape) is dict:
        fitting = st.dictionaries(TEXTS, members(get_args(shape)[1], depth + 1), max_size=3)
    elif get_origin(shape) is list:
        fitting = st.lists(members(get_args(shape)[0], depth + 1), max_size=3)
    elif shape is bool:
        fitting = st.booleans()
    elif getattr(shape, "__name__", "") in ("Integer", "Long", "Timestamp"):
        fitting = st.integers(-1, 100) | st.integers()
    else:
        fitting = TEXTS
    return st.one_of(*[fitting] * 12, ANYTHING)


def payloads(shape: Any) -> st.SearchStrategy[Any]:
    """Payloads for an operation, most of which name a table that exists."""
    fields = {name: members(hint, 1) for name, hint in get_type_hints(shape).items()}
    fields |= {"TableName": st.just("orders")} if "TableName" in fields else {}
    return st.fixed_dictionaries({}, optional=fields)


REQUESTS = st.one_of(
    *(st.tuples(st.just(target), payloads(shape)) for target, shape in OPERATIONS.items())
) | st.tuples(st.sampled_from(sorted(OPERATIONS)), ANYTHING)


@pytest.fixture(scope="module")
def application() -> Iterator[Application]:
    with Engine.memory() as engine:
        engine.call(
            "CreateTable",
            {
                "TableName": "orders",
                "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "g")],
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "sk", "KeyType": "RANGE"},
                ],
                "BillingMode": "PAY_PER_REQUEST",
                "DeletionProtectionEnabled": True,
                "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
                "GlobalSecondaryIndexes": [
                    {
                        "IndexName": "by-g",
                        "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                        "Projection": {"ProjectionType": "ALL"},
                    }
                ],
            },
        )
        yield Application(engine)


@pytest.fixture(scope="module")
def address(application: Application) -> Iterator[tuple[str, int]]:
    server = Server(application)
    server.start()
    yield server.host, server.port
    server.close()


@settings(max_examples=600, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(request_=REQUESTS)
def test_any_payload_gets_an_answer_of_the_services(application, request_):
    target, payload = request_
    body = json.dumps(payload).encode()
    failures: list[logging.LogRecord] = []
    log = logging.getLogger("tablature.engine.server.application")
    log.addFilter(failures.append)
    answer = application.respond(HttpRequest("POST", "/", SIGNED | {"x-amz-target": target}, body))
    log.removeFilter(failures.append)
    assert answer.status in (200, 400), (target, payload, [record.exc_info for record in failures])
    error = json.loads(answer.body)
    assert answer.status == 200 or "#" in error["__type"]


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(body=st.binary(max_size=200), target=st.sampled_from(sorted(OPERATIONS)))
def test_any_body_gets_an_answer_of_the_services(application, body, target):
    answer = application.respond(HttpRequest("POST", "/", SIGNED | {"x-amz-target": target}, body))
    assert answer.status in (200, 400)


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    headers=st.dictionaries(
        st.sampled_from(["x-amz-target", "authorization", "content-type", "origin", "x-amz-date", "expect"]), TEXTS
    ),
    method=st.sampled_from(["POST", "GET", "PUT", "OPTIONS", "HEAD"]),
    path=st.text(max_size=20),
)
def test_any_headers_get_an_answer(application, headers, method, path):
    assert application.respond(HttpRequest(method, f"/{path}", headers, b"{}")).status in (200, 400, 404)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(content=st.binary(max_size=300) | st.text(st.sampled_from("POST / HTTP1.\r\n:0aContent-Length "), max_size=200))
def test_any_bytes_leave_the_server_standing(address, content):
    sent = content.encode() if isinstance(content, str) else content
    with socket.create_connection(address, timeout=20) as sock:
        sock.sendall(sent)
        sock.shutdown(socket.SHUT_WR)
        received = b""
        while chunk := sock.recv(65536):
            received += chunk
    assert received == b"" or received.startswith(b"HTTP/1.1 ")
    assert b"500" not in received[:13]
    with socket.create_connection(address, timeout=20) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert sock.recv(65536).startswith(b"HTTP/1.1 200 OK")
