"""Settings come from the environment, then the file, then the default; each mistake is one sentence with the cure."""

from pathlib import Path

import pytest

from almanac.config import describe_settings, describe_unknown_variables, load_settings
from almanac.errors import SettingError


def test_without_anything_the_defaults_hold(tmp_path):
    settings = load_settings({}, tmp_path)
    assert (settings.port, settings.data, settings.worker) == (8000, Path("data"), True)
    assert settings.public_url == "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("localhost", "http://localhost:8000"),
        ("192.168.1.7", "http://192.168.1.7:8000"),
        ("0.0.0.0", "http://localhost:8000"),
        ("::", "http://localhost:8000"),
        ("::1", "http://[::1]:8000"),
    ],
)
def test_links_lead_to_an_address_that_a_browser_can_open(tmp_path, host, address):
    assert load_settings({"ALMANAC_HOST": host}, tmp_path).public_url == address


def test_the_environment_wins_over_the_file(tmp_path):
    (tmp_path / "almanac.toml").write_text('port = 9000\ntime_zone = "Asia/Tokyo"\nworker = false\n')
    settings = load_settings({"ALMANAC_PORT": "9100"}, tmp_path)
    assert (settings.port, settings.time_zone, settings.worker) == (9100, "Asia/Tokyo", False)


def test_an_empty_variable_sets_nothing(tmp_path):
    assert load_settings({"ALMANAC_PORT": ""}, tmp_path).port == 8000


def test_every_setting_tells_its_source_and_hides_secrets(tmp_path):
    (tmp_path / "almanac.toml").write_text("port = 9000\n")
    lines = {line.variable: line for line in describe_settings({"ALMANAC_ADMIN_TOKEN": "s" * 20}, tmp_path)}
    assert lines["ALMANAC_PORT"].source == "file"
    assert lines["ALMANAC_HOST"].source == "default"
    assert lines["ALMANAC_ADMIN_TOKEN"].value == "set, not shown"
    assert all(line.about.endswith(".") for line in lines.values())


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"ALMANAC_PORT": "eighty"}, "ALMANAC_PORT must be a whole number."),
        ({"ALMANAC_PORT": "70000"}, "ALMANAC_PORT must be from 0 to 65535."),
        ({"ALMANAC_WORKER": "maybe"}, "ALMANAC_WORKER must be yes or no."),
        ({"ALMANAC_LOG_FORMAT": "xml"}, "ALMANAC_LOG_FORMAT must be one of json, text."),
        ({"ALMANAC_TIME_ZONE": "Mars/Olympus"}, "ALMANAC_TIME_ZONE must be a time zone such as UTC or Africa/Nairobi."),
        (
            {"ALMANAC_DATABASE_URL": "mysql://x"},
            "ALMANAC_DATABASE_URL must be an address that starts with postgresql:// or postgres://.",
        ),
        (
            {"ALMANAC_OIDC_ISSUER": "https://[x"},
            "ALMANAC_OIDC_ISSUER must be an address that starts with http:// or https://.",
        ),
        (
            {"ALMANAC_LLM_BASE_URL": "http://host:eighty"},
            "ALMANAC_LLM_BASE_URL must be an address that starts with http:// or https://.",
        ),
        (
            {"ALMANAC_BASE_URL": "https:example.org"},
            "ALMANAC_BASE_URL must be an address that starts with http:// or https:// and names a host.",
        ),
        (
            {"ALMANAC_RECAP_SOURCE": "file://records"},
            "ALMANAC_RECAP_SOURCE must name a whole path, as in file:///srv/almanac/records.",
        ),
        (
            {"ALMANAC_FETCH_USER_AGENT": "Almanac\nX-Other: 1"},
            "ALMANAC_FETCH_USER_AGENT must be one line of plain letters, digits and signs.",
        ),
        (
            {"ALMANAC_DYNAMODB_REGION": "Frankfurt am Main"},
            "ALMANAC_DYNAMODB_REGION must be a region such as eu-west-1.",
        ),
        (
            {"ALMANAC_DATA": "~nobody-by-this-name/data"},
            "ALMANAC_DATA names the home of an account that isn't here; write the whole path.",
        ),
        ({"ALMANAC_ADMIN_TOKEN": "short"}, "ALMANAC_ADMIN_TOKEN must have at least 16 characters."),
    ],
)
def test_a_wrong_variable_is_one_sentence(tmp_path, variables, sentence):
    with pytest.raises(SettingError) as caught:
        load_settings(variables, tmp_path)
    assert caught.value.sentence == sentence


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("prot = 1", "did you mean port?"),
        ("port = ", "can't be read as TOML"),
        ('port = "x"', "must be a whole number"),
        ("host = 7", "must be text"),
        ('admin_token = "0123456789abcdef"', "is a secret: set ALMANAC_ADMIN_TOKEN"),
        ("zzz = 1", "`almanac config` lists them all"),
    ],
)
def test_a_wrong_file_is_one_sentence(tmp_path, content, part):
    (tmp_path / "almanac.toml").write_text(content)
    with pytest.raises(SettingError, match=part.replace("?", r"\?")):
        load_settings({}, tmp_path)


def test_a_named_file_must_exist(tmp_path):
    with pytest.raises(SettingError, match="which does not exist"):
        load_settings({"ALMANAC_CONFIG": "other.toml"}, tmp_path)


def test_variables_that_set_nothing_are_found():
    variables = {"ALMANAC_PROT": "1", "ALMANAC_PORT": "1", "ALMANAC_CONFIG": "x", "PATH": "", "ALMANAC_QQ": ""}
    assert describe_unknown_variables(variables) == [
        "ALMANAC_PROT is set but isn't a setting; did you mean ALMANAC_PORT?",
        "ALMANAC_QQ is set but isn't a setting; `almanac config` lists them all.",
    ]


@pytest.mark.parametrize(
    ("value", "sources"),
    [
        ("https://a.example/api", ("https://a.example/api",)),
        ("https://a.example/api file:///srv/r", ("https://a.example/api", "file:///srv/r")),
        ("https://a.example/api,file:///srv/r, https://a.example/api", ("https://a.example/api", "file:///srv/r")),
        ("https://a.example/api?x=1,2", ("https://a.example/api?x=1,2",)),
    ],
)
def test_several_sources_of_records_are_separated_by_spaces_or_commas(tmp_path, value, sources):
    assert load_settings({"ALMANAC_RECAP_SOURCE": value}, tmp_path).recap_sources == sources


def test_one_wrong_source_among_several_is_refused(tmp_path):
    with pytest.raises(SettingError, match="whole path"):
        load_settings({"ALMANAC_RECAP_SOURCE": "https://a.example/api file://records"}, tmp_path)
