"""The address of an S3-compatible store is read strictly, and a store that does not answer is said to be so."""

import socket
from urllib.parse import quote

import pytest

from almanac.errors import SettingError, Unavailable
from almanac.objects.s3 import S3ObjectStore


@pytest.mark.parametrize(
    "url", ["s3://", "http://bucket", "bucket/prefix", "s3://bucket?endpiont=https://example.org", "s3:///prefix"]
)
def test_a_wrong_address_is_one_sentence_about_the_right_form(url: str) -> None:
    with pytest.raises(SettingError, match="use s3://bucket/prefix"):
        S3ObjectStore.from_url(url)


async def test_a_store_that_does_not_answer_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
    with socket.socket() as bound_but_silent:
        bound_but_silent.bind(("127.0.0.1", 0))
        endpoint = quote(f"http://127.0.0.1:{bound_but_silent.getsockname()[1]}", safe="")
        objects = S3ObjectStore.from_url(f"s3://bucket?endpoint={endpoint}&region=us-east-1", tries=0)
        with pytest.raises(Unavailable, match="The object store failed"):
            await objects.check()
