"""Our signature of a request is the one that Amazon's own library makes."""

from datetime import UTC, datetime

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from almanac.mail.sigv4 import AwsKeys, signed_headers

URL = "https://email.eu-west-1.amazonaws.com/v2/email/outbound-emails"


@pytest.mark.parametrize("token", [None, "session/token=="])
@pytest.mark.parametrize(("method", "body"), [("POST", '{"a": "é"}'.encode()), ("GET", b"")])
def test_the_signature_is_the_one_of_amazons_own_library(token: str | None, method: str, body: bytes) -> None:
    now = datetime.now(UTC)
    request = AWSRequest(method, URL, data=body, headers={"content-type": "application/json"})
    SigV4Auth(Credentials("AKID", "secret", token), "ses", "eu-west-1").add_auth(request)
    theirs = request.headers["Authorization"]
    moment = datetime.strptime(request.headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    ours = signed_headers(
        method, URL, body, region="eu-west-1", service="ses", keys=AwsKeys("AKID", "secret", token), now=moment
    )
    assert ours["authorization"] == theirs
    assert abs((moment - now).total_seconds()) < 60
