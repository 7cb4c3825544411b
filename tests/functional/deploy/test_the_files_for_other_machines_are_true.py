"""The container, compose and systemd files name only settings and commands that exist, and start what they say."""

import re
from pathlib import Path

import pytest
import yaml

from almanac.cli.main import app
from almanac.config import load_settings, unknown_variables

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMMANDS = {command.name or command.callback.__name__ for command in app.registered_commands}
_VARIABLE = re.compile(r"\$\{(\w+)(?::?([-?])([^}]*))?\}")


def resolved(text, given):
    """A compose value as compose reads it: `${NAME:-default}` and `${NAME:?why}`."""

    def value(found):
        name, kind, rest = found.groups()
        if kind == "?":
            assert name in given, f"{name} has no value: {rest}"
        return given.get(name, rest if kind == "-" else "")

    return _VARIABLE.sub(value, text)


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def test_compose_starts_two_for_the_web_and_two_for_jobs(compose):
    services = compose["services"]
    commands = [service["command"] for name, service in services.items() if name.startswith("web")]
    assert commands == ["serve", "serve"]
    assert (services["worker"]["command"], services["worker"]["deploy"]["replicas"]) == ("worker", 2)


@pytest.mark.parametrize("name", ["web", "web-second", "worker"])
def test_the_settings_in_compose_are_accepted(compose, name, tmp_path):
    given = {"ALMANAC_SECRET_KEY": "k" * 64, "POSTGRES_PASSWORD": "secret"}
    environment = {key: resolved(str(value), given) for key, value in compose["services"][name]["environment"].items()}
    assert unknown_variables(environment) == []
    settings = load_settings(environment, tmp_path)
    assert settings.database_url == "postgresql://almanac:secret@postgres/almanac"
    assert settings.objects_url is None
    assert not settings.worker


def test_a_secret_that_is_missing_stops_compose(compose):
    environment = compose["services"]["web"]["environment"]
    with pytest.raises(AssertionError, match="ALMANAC_SECRET_KEY has no value"):
        resolved(environment["ALMANAC_SECRET_KEY"], {})


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_something_that_exists(unit):
    text = unit.read_text("utf-8")
    started = re.search(r"^ExecStart=/opt/almanac/\.venv/bin/(.+)$", text, re.MULTILINE)[1].split()
    assert started[:3] == ["python", "-m", "tablature.engine"] or (started[0] == "almanac" and started[1] in COMMANDS)
    assignments = dict(re.findall(r"(ALMANAC_\w+)=(\S+)", text))
    assert unknown_variables(assignments) == []


def test_the_image_is_built_from_the_lock_file_and_serves():
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert "--require-hashes --requirement requirements.lock" in text
    assert 'ENTRYPOINT ["almanac"]' in text
    assert 'CMD ["serve"]' in text
    assert unknown_variables(dict(re.findall(r"(ALMANAC_\w+)=(\S+)", text))) == []
    assert re.search(r"^USER almanac$", text, re.MULTILINE)
