"""The address of an S3-compatible store is read strictly, and a store that does not answer is said to be so."""

import socket
from urllib.parse import quote

import pytest
from obstore.exceptions import GenericError

from almanac.errors import SettingError, Unavailable
from almanac.objects.obstore_mapping import translate_object_errors
from almanac.objects.s3 import S3ObjectStore

NO_KEY = (
    "There are no credentials for the object store of ALMANAC_BACKUP_URL; "
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
)


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
        with pytest.raises(
            Unavailable,
            match=r"^The object store doesn't answer; check the endpoint in ALMANAC_OBJECTS_URL, and that it runs\.$",
        ):
            await objects.check()


def test_half_of_the_credentials_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test-key")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY", raising=False)
    with pytest.raises(SettingError) as refused:
        S3ObjectStore.from_url("s3://bucket?region=us-east-1", setting="ALMANAC_BACKUP_URL")
    assert refused.value.sentence == NO_KEY


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "Generic S3 error: Error performing PUT http://169.254.169.254/latest/api/token in 4ms - HTTP error",
            NO_KEY,
        ),
        (
            "Generic S3 error: after 4 retries - HTTP error: error sending request\n\nDebug source:\n dns error",
            "The host of the object store isn't known; correct the endpoint in ALMANAC_BACKUP_URL.",
        ),
        (
            "Generic S3 error: after 4 retries - Server returned non-2xx status code: 503 \n\nDebug source: Generic {",
            "The object store of ALMANAC_BACKUP_URL failed with HTTP status 503; try again, or see its own log.",
        ),
    ],
)
def test_what_the_library_says_becomes_a_sentence_that_names_the_setting(text: str, sentence: str) -> None:
    with pytest.raises(Unavailable) as failed, translate_object_errors("key", "ALMANAC_BACKUP_URL"):
        raise GenericError(text)
    assert failed.value.sentence == sentence
