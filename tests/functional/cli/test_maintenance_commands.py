"""`config`, `migrate` and `doctor` do what they say, for people and as JSON."""

import os

import pytest

from tablature.engine.engine import Engine
from tablature.engine.server.application import Application
from tablature.engine.server.listener import Server


def test_config_lists_every_setting_without_secrets(machine):
    lines = machine.run("config", "--json", ALMANAC_ADMIN_TOKEN="very-secret-token-value").json
    by_variable = {line["variable"]: line for line in lines}
    assert by_variable["ALMANAC_PORT"]["source"] == "environment"
    assert "very-secret" not in str(lines)


def test_migrate_says_when_there_is_nothing_to_do(machine):
    assert machine.run("migrate", "--json").json == {"applied": [], "warnings": []}
    assert "up to date" in machine.run("migrate").out


def test_a_healthy_installation_is_well(machine):
    answer = machine.run("doctor", "--json")
    assert answer.code == 0, answer.out + answer.err
    assert {finding["name"] for finding in answer.json} >= {"database", "objects", "mail", "tables", "audit log"}


def test_the_doctor_finds_a_damaged_table_file(idle_machine):
    assert idle_machine.run("doctor").code == 0
    tables = idle_machine.folder / "data" / "tables.db"
    content = bytearray(tables.read_bytes())
    content[4096:8192] = os.urandom(4096)
    tables.write_bytes(content)
    answer = idle_machine.run("doctor")
    assert answer.code == 1
    assert "Traceback" not in answer.err


@pytest.fixture
def endpoint():
    """Another DynamoDB-compatible service: the engine's own server with data of its own."""
    with Engine.memory() as engine:
        server = Server(Application(engine))
        server.start()
        yield f"http://127.0.0.1:{server.port}"
        server.close()


def test_tables_live_at_another_endpoint_when_one_is_named(bare_machine, endpoint):
    elsewhere = {
        "ALMANAC_DYNAMODB_ENDPOINT": endpoint,
        "ALMANAC_DYNAMODB_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
    }
    with bare_machine.database_kept_running():
        missing = bare_machine.run("doctor", **elsewhere)
        assert (missing.code, "The table articles is missing; run `almanac migrate`." in missing.out) == (1, True)
        assert "table articles" in bare_machine.run("migrate", "--json", **elsewhere).json["applied"]
        well = bare_machine.run("doctor", **elsewhere)
        assert "all tables are as declared" in well.out
        assert well.code == 0
        assert not (bare_machine.folder / "data" / "tables.db").exists()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("ALMANAC_OBJECTS_URL", "file://srv/objects", "must name a whole path, as in file:///srv/almanac/objects."),
        ("ALMANAC_MAIL_FROM", "nobody in particular", "must be an address such as Almanac <post@example.org>."),
    ],
)
def test_a_setting_that_leads_nowhere_is_a_sentence(machine, name, value, sentence):
    answer = machine.run("doctor", **{name: value})
    assert (answer.code, answer.err.strip()) == (2, f"error: {name} {sentence}")


def test_an_endpoint_that_does_not_answer_is_a_sentence(idle_machine):
    elsewhere = {
        "ALMANAC_DYNAMODB_ENDPOINT": "http://127.0.0.1:1",
        "ALMANAC_DYNAMODB_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
    }
    answer = idle_machine.run("migrate", **elsewhere)
    assert answer.code == 1
    assert "got no response from 127.0.0.1:1" in answer.err


def test_the_version_is_told(machine):
    assert machine.run("--version").out.startswith("Almanac 0.")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"ALMANAC_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}, "database"),
        ({"ALMANAC_OBJECTS_URL": "s3://none?endpoint=http://127.0.0.1:1&region=us-east-1"}, "object store"),
    ],
)
def test_the_doctor_says_what_does_not_answer(machine, settings, sentence):
    keys = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}
    answer = machine.run("doctor", "--json", **settings, **keys)
    failed = [finding["about"] for finding in answer.json if not finding["well"]]
    assert answer.code == 1
    assert any(sentence in about for about in failed)


def test_a_secret_key_that_was_changed_on_purpose_is_accepted(machine):
    changed = {"ALMANAC_SECRET_KEY": "a-secret-key-that-is-long-enough-for-everything"}
    assert "The secret key of this machine differs" in machine.run("doctor", **changed).out
    assert machine.run("doctor", "--accept-secret-key", **changed).code == 0
    assert machine.run("doctor", "--accept-secret-key").code == 0
