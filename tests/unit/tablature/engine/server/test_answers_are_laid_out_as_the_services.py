"""Headers, checksums and error bodies."""

import re
import zlib

import pytest

from tablature.engine.errors import EngineError, condition_failed, transaction_cancelled, validation_error


def test_an_answer_carries_its_checksum_and_a_request_id(ask, engine):
    engine.answer = {"TableNames": ["Müller"]}
    answer = ask()
    assert answer.json == {"TableNames": ["Müller"]}
    assert int(answer.headers["x-amz-crc32"]) == zlib.crc32(answer.body)
    assert re.fullmatch("[A-Z0-9]{52}", answer.headers["x-amzn-requestid"])


def test_every_answer_has_a_request_id_of_its_own(ask):
    assert len({ask().headers["x-amzn-requestid"] for _ in range(10)}) == 10


@pytest.mark.parametrize(
    ("error", "body"),
    [
        (validation_error("No."), {"__type": "com.amazon.coral.validate#ValidationException", "message": "No."}),
        (
            condition_failed({"a": {"S": "x"}}),
            {
                "__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
                "Item": {"a": {"S": "x"}},
                "message": "The conditional request failed",
            },
        ),
        (
            transaction_cancelled([{"Code": "None"}, {"Code": "ConditionalCheckFailed"}]),
            {
                "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
                "CancellationReasons": [{"Code": "None"}, {"Code": "ConditionalCheckFailed"}],
                "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons "
                "[None, ConditionalCheckFailed]",
            },
        ),
    ],
)
def test_an_error_has_the_shape_the_service_gives_it(ask, engine, error, body):
    engine.answer = error
    answer = ask()
    assert (answer.status, answer.json) == (400, body)


@pytest.mark.parametrize(
    "error", [RuntimeError("a secret"), EngineError("InternalServerError", "Internal server error")]
)
def test_a_fault_of_ours_is_a_500_that_tells_nothing(ask, engine, error):
    engine.answer = error
    answer = ask()
    assert answer.status == 500
    assert answer.json == {
        "__type": "com.amazonaws.dynamodb.v20120810#InternalServerError",
        "message": "Internal server error",
    }


def test_tagging_is_answered_without_a_body(ask):
    answer = ask({"ResourceArn": "arn:x", "Tags": []}, target="DynamoDB_20120810.TagResource")
    assert (answer.status, answer.body, answer.headers["x-amz-crc32"]) == (200, b"", "0")
