"""The container, compose and systemd files name only settings and commands that exist, and start what they say."""

import re
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
import yaml

from almanac.cli.main import app
from almanac.config import describe_unknown_variables, load_settings
from tablature.engine.engine import Engine
from tablature.engine.server.application import Application
from tablature.engine.server.listener import Server

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMMANDS = {command.name or command.callback.__name__ for command in app.registered_commands}
_VARIABLE = re.compile(r"\$\{(\w+)(?::?([-?])([^}]*))?\}")


def resolved(text, given):
    """A compose value as compose reads it: `${NAME:-default}` and `${NAME:?why}`."""

    def value(node):
        name, kind, rest = node.groups()
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


@pytest.mark.parametrize("name", ["web-1", "web-2", "worker"])
def test_the_settings_in_compose_are_accepted(compose, name, tmp_path):
    given = {"ALMANAC_SECRET_KEY": "k" * 64, "POSTGRES_PASSWORD": "secret"}
    environment = {key: resolved(str(value), given) for key, value in compose["services"][name]["environment"].items()}
    assert describe_unknown_variables(environment) == []
    settings = load_settings(environment, tmp_path)
    assert settings.database_url == "postgresql://almanac:secret@postgres/almanac"
    assert settings.objects_url is None
    assert not settings.worker


def test_a_secret_that_is_missing_stops_compose(compose):
    environment = compose["services"]["web-1"]["environment"]
    with pytest.raises(AssertionError, match="ALMANAC_SECRET_KEY has no value"):
        resolved(environment["ALMANAC_SECRET_KEY"], {})


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_something_that_exists(unit):
    text = unit.read_text("utf-8")
    started = re.search(r"^ExecStart=/opt/almanac/\.venv/bin/(.+)$", text, re.MULTILINE)[1].split()
    assert started[:3] == ["python", "-m", "tablature.engine"] or (started[0] == "almanac" and started[1] in COMMANDS)
    assignments = dict(re.findall(r"(ALMANAC_\w+)=(\S+)", text))
    assert describe_unknown_variables(assignments) == []


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_writes_only_where_it_may(unit):
    settings = dict(re.findall(r"^(\w+)=(.*)$", unit.read_text("utf-8"), re.MULTILINE))
    place = f"/var/lib/{settings['StateDirectory']}"
    written = settings.get("Environment", settings["ExecStart"])
    assert place in written
    assert (settings["ProtectSystem"], settings["NoNewPrivileges"], settings["User"]) == ("strict", "yes", "almanac")
    assert (settings["StateDirectoryMode"], settings["CapabilityBoundingSet"]) == ("0700", "")


def test_stopping_a_unit_leaves_a_shared_database_to_the_last_of_its_users():
    for name in ("almanac.service", "almanac-worker@.service"):
        assert re.search("^KillMode=process$", (DEPLOY / "systemd" / name).read_text("utf-8"), re.MULTILINE)


def test_the_proxy_of_compose_asks_its_two_webs_and_is_the_only_one_believed(compose):
    """nginx reads the names of the file; each is a service with a fixed address, on the port that the image serves."""
    services, proxy = compose["services"], compose["services"]["proxy"]
    asked = re.findall(r"^    server (\S+):(\d+)", (DEPLOY / "nginx.conf").read_text("utf-8"), re.MULTILINE)
    assert {name for name, _ in asked} == {name for name in services if name.startswith("web")}
    assert {port for _, port in asked} == set(
        re.findall(r"ALMANAC_PORT=(\d+)", (DEPLOY / "Dockerfile").read_text("utf-8"))
    )
    own = {
        name: services[name]["networks"]["default"]["ipv4_address"] for name in ("proxy", *(name for name, _ in asked))
    }
    [network] = compose["networks"]["default"]["ipam"]["config"]
    assert all(ip_address(address) in ip_network(network["subnet"]) for address in own.values())
    assert len(set(own.values())) == 3
    assert services["web-1"]["environment"]["ALMANAC_TRUSTED_PROXIES"] == own["proxy"]
    assert not any("ports" in services[name] for name in services if name != "proxy"), "only the proxy can be reached"
    assert (DEPLOY / proxy["volumes"][0].split(":")[0]).is_file()
    assert re.search(r"^    listen (\d+);", (DEPLOY / "nginx.conf").read_text("utf-8"), re.MULTILINE)[1] == "80"
    assert proxy["ports"] == ["8000:80"]


def test_every_service_of_compose_has_a_health_check_or_none_to_ask(compose):
    for name, service in compose["services"].items():
        if name != "worker":
            assert "disable" not in service.get("healthcheck", {})
        assert service["logging"]["options"]["max-size"]


def test_health_is_asked_where_it_is_answered(compose):
    """The image asks the web interface, and compose the engine."""
    with Engine.memory() as engine:
        server = Server(Application(engine))
        server.start()
        code = compose["services"]["tables"]["healthcheck"]["test"][3].replace(":8000/", f":{server.port}/")
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
        server.close()
    assert "/healthz" in (DEPLOY / "Dockerfile").read_text("utf-8")


def test_every_path_of_ours_in_the_deploy_pages_exists():
    root = DEPLOY.parent
    for page in (root / "docs" / "deploy").glob("*.md"):
        for path in re.findall(r"(?:/opt/almanac/|\b)(deploy/[\w./*@-]+)", page.read_text("utf-8")):
            assert list(root.glob(path.rstrip("."))), f"{page.name} names {path}"


def test_the_image_takes_only_what_the_build_needs():
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    copied = {name for line in re.findall(r"^COPY (.+) \S+$", dockerfile, re.MULTILINE) for name in line.split()}
    let_in = set(re.findall(r"^!(\S+)$", (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8"), re.MULTILINE))
    assert copied == let_in
    assert all((DEPLOY.parent / name).exists() for name in copied)


def test_the_image_is_built_from_the_lock_file_and_serves():
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert "--require-hashes --requirement requirements.lock" in text
    assert 'ENTRYPOINT ["almanac"]' in text
    assert 'CMD ["serve"]' in text
    assert describe_unknown_variables(dict(re.findall(r"(ALMANAC_\w+)=(\S+)", text))) == []
    assert re.search(r"^USER almanac$", text, re.MULTILINE)
