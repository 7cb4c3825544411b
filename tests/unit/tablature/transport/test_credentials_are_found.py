"""Credentials come from variables, from a profile file, or are missing with a sentence that says what to do."""

import pytest

from tablature.errors import TablatureError
from tablature.transport.aws import Aws
from tablature.transport.credentials import BotocoreChain, CredentialsMissing, find_credentials, find_region
from tablature.transport.signature import AwsCredentials


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """An environment without any AWS settings."""
    for name in (
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_REGION",
        "AWS_DEFAULT_REGION",
        "AWS_PROFILE",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return tmp_path


def test_variables_are_used_at_once():
    credentials = find_credentials({"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t"})
    assert credentials() == AwsCredentials("a", "s", "t")


def test_a_profile_is_read_through_botocore(bare):
    (bare / "credentials").write_text("[default]\naws_access_key_id = pa\naws_secret_access_key = ps\n")
    (bare / "config").write_text("[default]\nregion = ap-northeast-1\n")
    assert find_credentials()() == AwsCredentials("pa", "ps")
    assert find_region() == "ap-northeast-1"


def test_no_credentials_anywhere_is_a_sentence(bare):
    with pytest.raises(CredentialsMissing, match="No AWS credentials"):
        BotocoreChain()()


def test_a_missing_region_is_a_sentence(bare):
    with pytest.raises(TablatureError, match="set AWS_REGION"):
        Aws(credentials=AwsCredentials("a", "s"))


def test_the_region_names_amazons_endpoint():
    with Aws(region="eu-north-1", credentials=AwsCredentials("a", "s")) as aws:
        assert aws.endpoint_url == "https://dynamodb.eu-north-1.amazonaws.com"
