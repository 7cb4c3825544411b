"""Which requests get through the front door, and what the others are told."""

import pytest


def test_a_get_says_that_the_server_is_healthy(ask):
    answer = ask(method="GET", body=b"")
    assert (answer.status, answer.body) == (200, b"healthy: dynamodb.us-east-1.amazonaws.com ")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_other_methods_are_unknown(ask, method):
    answer = ask(method=method)
    assert (answer.status, answer.body) == (404, b"<UnknownOperationException/>\n")
    assert answer.headers["x-amz-crc32"] == "3552371480"


def test_a_body_that_is_not_declared_json_is_unknown(ask):
    assert ask(content_type="text/plain").status == 404


def test_the_answer_has_the_content_type_of_the_request(ask):
    assert ask(content_type="application/json").headers["content-type"] == "application/json"
    assert ask().headers["content-type"] == "application/x-amz-json-1.0"


def test_a_body_that_is_not_json_is_refused_before_anything_else(ask):
    answer = ask(b"{nonsense", target="DynamoDB_20120810.Nothing", authorization=None)
    assert (answer.status, answer.json) == (400, {"__type": "com.amazon.coral.service#SerializationException"})


@pytest.mark.parametrize("target", [None, "", "DynamoDB_20120810", "DynamoDB_20120810.Nothing", "Other.ListTables"])
def test_an_unknown_target_is_an_unknown_operation(ask, target):
    answer = ask(target=target)
    assert (answer.status, answer.json) == (400, {"__type": "com.amazon.coral.service#UnknownOperationException"})


def test_stream_operations_have_their_own_target(ask, engine):
    assert ask(target="DynamoDBStreams_20120810.ListStreams").status == 200
    assert ask(target="DynamoDB_20120810.ListStreams").status == 400
    assert [operation for operation, _ in engine.calls] == ["ListStreams"]


@pytest.mark.parametrize("authorization", [None, "Basic abc"])
def test_an_unsigned_request_lacks_its_token(ask, authorization):
    assert ask(authorization=authorization).json == {
        "__type": "com.amazon.coral.service#MissingAuthenticationTokenException",
        "message": "Request is missing Authentication Token",
    }


def test_a_signature_names_every_part_it_lacks(ask):
    answer = ask(authorization="AWS4-HMAC-SHA256 Signature=b", x_amz_date=None)
    assert answer.json == {
        "__type": "com.amazon.coral.service#IncompleteSignatureException",
        "message": "Authorization header requires 'Credential' parameter. "
        "Authorization header requires 'SignedHeaders' parameter. "
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
        "Authorization=AWS4-HMAC-SHA256 Signature=b",
    }


def test_an_address_that_makes_no_sense_is_just_a_path(ask):
    assert ask(path="//[?a=b").status == 200


def test_a_signature_may_be_in_the_query_instead(ask):
    whole = "X-Amz-Algorithm=a&X-Amz-Credential=c&X-Amz-Signature=s&X-Amz-SignedHeaders=h&X-Amz-Date=d"
    assert ask(authorization=None, path=f"/?{whole}").status == 200
    assert ask(authorization=None, path="/?X-Amz-Algorithm=a&X-Amz-Date=d").json["message"] == (
        "AWS query-string parameters must include 'X-Amz-Credential'. "
        "AWS query-string parameters must include 'X-Amz-Signature'. "
        "AWS query-string parameters must include 'X-Amz-SignedHeaders'. Re-examine the query-string parameters."
    )
    assert ask(path=f"/?{whole}").json["__type"].endswith("InvalidSignatureException")


def test_a_browser_may_ask_first(ask):
    answer = ask(
        method="OPTIONS",
        body=b"",
        origin="http://example.com",
        access_control_request_headers="x-amz-target",
        access_control_request_method="POST",
    )
    assert answer.status == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-headers"] == "x-amz-target"
    assert answer.headers["access-control-allow-methods"] == "POST"
