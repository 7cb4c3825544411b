"""Our signature is the one botocore computes, for any body, target, host, path, token and moment."""

from datetime import UTC, datetime
from unittest import mock

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotocoreCredentials
from hypothesis import given
from hypothesis import strategies as st

from tablature.transport.signature import AwsCredentials, Signer

words = st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/+=", min_size=1, max_size=40)
moments = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)).map(lambda naive: naive.replace(tzinfo=UTC))
hosts = st.sampled_from(["dynamodb.eu-west-1.amazonaws.com", "localhost:8000", "127.0.0.1:4566", "[::1]:8000"])


def botocore_authorization(headers, path, body, credentials, region, now):
    request = AWSRequest(method="POST", url=f"https://{headers['host']}{path}", data=body)
    for name in ("host", "content-type", "x-amz-target"):
        request.headers[name] = headers[name]
    auth = SigV4Auth(
        BotocoreCredentials(credentials.access_key, credentials.secret_key, credentials.token), "dynamodb", region
    )
    with mock.patch("botocore.auth.get_current_datetime", return_value=now.replace(tzinfo=None)):
        auth.add_auth(request)
    return request.headers["Authorization"]


@given(
    body=st.binary(max_size=200),
    access=words,
    secret=words,
    token=st.none() | words,
    host=hosts,
    now=moments,
    region=st.sampled_from(["us-east-1", "ap-northeast-1"]),
    path=st.sampled_from(["/", "/proxy/db"]),
)
def test_authorization_headers_are_equal(body, access, secret, token, host, now, region, path):
    credentials = AwsCredentials(access, secret, token)
    headers = Signer(region).headers(
        credentials, host=host, path=path, target="DynamoDB_20120810.GetItem", body=body, now=now
    )
    assert headers["authorization"] == botocore_authorization(headers, path, body, credentials, region, now)


@pytest.mark.parametrize("token", [None, "session/token=="])
@pytest.mark.parametrize(("method", "body"), [("POST", '{"a": "é"}'.encode()), ("GET", b"")])
def test_a_service_without_targets_is_signed_for_too(token, method, body):
    request = AWSRequest(
        method,
        "https://email.eu-west-1.amazonaws.com/v2/email/outbound-emails",
        data=body,
        headers={"content-type": "application/json"},
    )
    SigV4Auth(BotocoreCredentials("AKID", "secret", token), "ses", "eu-west-1").add_auth(request)
    moment = datetime.strptime(request.headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    ours = Signer("eu-west-1", "ses").headers(
        AwsCredentials("AKID", "secret", token),
        method=method,
        host="email.eu-west-1.amazonaws.com",
        path="/v2/email/outbound-emails",
        target=None,
        body=body,
        content_type="application/json",
        now=moment,
    )
    assert ours["authorization"] == request.headers["Authorization"]


def test_the_signing_key_follows_the_day_and_the_secret():
    signer = Signer("us-east-1")

    def sign(secret, day):
        return signer.headers(
            AwsCredentials("AK", secret),
            host="h",
            path="/",
            target="t",
            body=b"",
            now=datetime(2026, 1, day, tzinfo=UTC),
        )["authorization"]

    first = sign("one", 1)
    assert sign("one", 2) != first
    assert sign("two", 1) != first
    assert sign("one", 1) == first


def test_a_secret_is_not_shown_by_repr():
    assert "hidden" not in repr(AwsCredentials("AK", "hidden", "hidden"))
