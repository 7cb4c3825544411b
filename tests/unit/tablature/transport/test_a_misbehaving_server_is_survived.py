"""Throttling, server errors, lost connections, damaged answers and a wrong clock are retried; refusals are not."""

import time
from email.utils import formatdate

import pytest

from tablature.errors import ServiceError, Unavailable
from tablature.transport.http_exchange import AwsRetryPolicy


async def test_an_answer_is_decoded(script, call, act):
    script.acts = [act.answer(200, {"Item": {"id": {"S": "é"}}})]
    assert await call() == {"Item": {"id": {"S": "é"}}}


async def test_the_request_is_signed_and_names_its_operation(script, call, act):
    script.acts = [act.answer()]
    await call("PutItem", {"TableName": "t", "Item": {}})
    headers, body = script.requests[0]
    assert headers["x-amz-target"] == "DynamoDB_20120810.PutItem"
    assert headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=AK/")
    assert body == b'{"TableName":"t","Item":{}}'


async def test_stream_operations_go_to_their_own_service(script, call, act):
    script.acts = [act.answer()]
    await call("GetRecords")
    assert script.requests[0][0]["x-amz-target"] == "DynamoDBStreams_20120810.GetRecords"


@pytest.mark.parametrize(
    "code", ["ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"]
)
async def test_throttling_is_retried(script, call, act, code):
    script.acts = [act.refusal(code), act.refusal(code), act.answer(200, {"ok": True})]
    assert await call() == {"ok": True}
    assert len(script.requests) == 3


async def test_a_server_error_is_retried_and_given_up_after_the_last_attempt(script, call, act):
    script.acts = [act.refusal("InternalServerError", 500)]
    with pytest.raises(ServiceError) as caught:
        await call()
    assert caught.value.code == "InternalServerError"
    assert len(script.requests) == 4


async def test_a_refusal_is_not_retried_and_keeps_its_fields(script, call, act):
    script.acts = [act.answer(400, {"__type": "x#ConditionalCheckFailedException", "message": "no", "Item": {"a": 1}})]
    with pytest.raises(ServiceError) as caught:
        await call()
    assert (caught.value.code, caught.value.fields) == ("ConditionalCheckFailedException", {"Item": {"a": 1}})
    assert len(script.requests) == 1


async def test_a_lost_connection_is_retried_on_a_new_one(script, call, act):
    script.acts = [act.drop, act.answer(200, {"ok": 1})]
    assert await call() == {"ok": 1}


async def test_a_server_that_never_answers_is_a_clear_error(script, call, act):
    script.acts = [act.silence]
    with pytest.raises(Unavailable, match="GetItem got no response from 127"):
        await call(read_timeout=0.05, retries=AwsRetryPolicy(attempts=2, first_bound=0.001))
    assert len(script.requests) == 2


async def test_a_damaged_answer_is_noticed_and_fetched_again(script, call, act):
    wrong = act.answer(200, {"a": 1}).replace(b'{"a": 1}', b'{"a": 2}')
    script.acts = [wrong, act.answer(200, {"a": 1})]
    assert await call() == {"a": 1}


async def test_an_answer_that_stays_damaged_is_an_error(script, call, act):
    script.acts = [act.answer(200, {"a": 1}).replace(b'{"a": 1}', b'{"a": 2}')]
    with pytest.raises(Unavailable, match="AnswerDamaged"):
        await call()


async def test_an_answer_that_is_no_json_is_an_error(script, call):
    script.acts = [b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhtml"]
    with pytest.raises(Unavailable, match="isn't JSON"):
        await call()


async def test_a_wrong_clock_is_put_right_once(script, call, act):
    theirs = time.time() + 3 * 3600
    late = act.refusal("InvalidSignatureException", headers=[f"Date: {formatdate(theirs, usegmt=True)}"])
    script.acts = [late, act.answer(200, {"ok": 1})]
    assert await call() == {"ok": 1}
    first, second = (headers["x-amz-date"] for headers, _ in script.requests)
    assert int(second[9:13]) != int(first[9:13])
    assert second[:8] in time.strftime("%Y%m%d", time.gmtime(theirs))


async def test_a_wrong_secret_is_not_mistaken_for_a_wrong_clock(script, call, act):
    script.acts = [act.refusal("InvalidSignatureException", headers=[f"Date: {formatdate(usegmt=True)}"])]
    with pytest.raises(ServiceError):
        await call()
    assert len(script.requests) == 1


async def test_connections_are_reused(script, call, act):
    script.acts = [act.answer()]
    for _ in range(5):
        await call()
    assert script.connections == 1


async def test_a_connection_that_the_server_closes_is_replaced(script, call, act):
    script.acts = [act.answer(close=True)]
    await call()
    await call()
    assert script.connections == 2


async def test_chunked_and_unsized_answers_are_read(script, call, act):
    script.acts = [act.chunked({"a": "b" * 100}), b'HTTP/1.0 200 OK\r\n\r\n{"x": 1}']
    assert await call() == {"a": "b" * 100}
    assert await call() == {"x": 1}


def test_pauses_double_up_to_the_longest_with_full_jitter():
    policy = AwsRetryPolicy(first_bound=0.1, longest=1.0)
    assert [policy.pause(n, lambda: 1.0) for n in (1, 2, 3, 4, 5, 6)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    assert policy.pause(3, lambda: 0.0) == 0.0


async def test_an_empty_answer_is_right_where_there_is_nothing_to_tell(script, call):
    script.acts = [b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]
    assert await call("TagResource") == {}
    with pytest.raises(Unavailable, match="isn't JSON"):
        await call("GetItem")
