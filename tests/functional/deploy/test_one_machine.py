"""docs/deploy/one-machine.md, followed as far as a machine without systemd allows; the units by systemd's own check."""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import psutil
import pytest

from deployment import MACHINE, ROOT, UNITS, Deployment, free_ports, read_blocks, wait_until_listening

pytestmark = pytest.mark.lengthy
PAGE = ROOT / "docs" / "deploy" / "one-machine.md"
LEFT_OUT = {
    "useradd": "adds an account to the machine",
    "git clone": "needs the network",
    "make --directory": "builds the environment that this test runs in",
}
# systemd's score from 0 (nothing to reach) to 100 (root's reach); half of what an ordinary service has.
HIGHEST_EXPOSURE = 35


@pytest.fixture(scope="module")
def port():
    return free_ports(1)[0]


@pytest.fixture(scope="module")
def machine(port):
    """The page, followed to its end."""
    folder = Path(tempfile.mkdtemp(prefix="almanac-one-"))
    words = {
        "/opt/almanac/.venv/bin/": f"{Path(sys.executable).parent}/",
        "/opt/almanac/": f"{ROOT}/",
        "/etc/systemd/system/": f"{MACHINE}/units/",
        "/etc/almanac.env": f"{MACHINE}/almanac.env",
        "/var/lib/almanac": f"{MACHINE}/data",
        "https://almanac.example.org": f"http://127.0.0.1:{port}",
        "smtp://user:password@mail.example.org:587": "outbox:",
    }
    # The port of the proxy's address above; there is no proxy here.
    deployment = Deployment(folder, words, more_settings={"ALMANAC_PORT": str(port)}, left_out=tuple(LEFT_OUT))
    deployment.search_path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    (folder / "machine" / "units").mkdir(parents=True)
    try:
        for block in read_blocks(PAGE):
            deployment.follow([block], ("machine",))
            if "enable --now" in block.text:
                wait_until_listening(port)
        yield deployment
    finally:
        deployment.close()
        shutil.rmtree(folder, ignore_errors=True)


def test_it_serves_with_the_settings_of_the_page_and_every_part_is_well(machine, port):
    assert httpx.get(f"http://127.0.0.1:{port}/readyz").json()["status"] == "ready"
    assert "Africa/Nairobi" in machine.run("machine", "almanac config")
    assert re.search(r"database|PostgreSQL", machine.printed)


def test_the_first_sign_in_is_in_the_journal(machine, port):
    journal = machine.run("machine", "journalctl --unit almanac")
    link = re.search(rf"http://127\.0\.0\.1:{port}(/\S+)", journal)[1]
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", follow_redirects=True) as browser:
        assert browser.post(link).status_code == 200
        assert browser.get("/people").status_code == 200


def test_the_settings_are_for_root_alone_and_the_units_are_in_place(machine):
    assert (machine.folder / "machine" / "almanac.env").stat().st_mode & 0o777 == 0o600
    assert {file.name for file in (machine.folder / "machine" / "units").iterdir()} == {u.name for u in UNITS.iterdir()}


def test_every_command_that_was_left_out_is_on_the_page():
    text = "\n".join(block.text for block in read_blocks(PAGE))
    assert all(re.search(f"^{command}", text, re.MULTILINE) for command in LEFT_OUT)


@pytest.mark.parametrize("unit", sorted(UNITS.iterdir()), ids=lambda unit: unit.name)
def test_systemd_finds_no_fault_in_a_unit_and_little_that_it_could_reach(unit, debian_program, tmp_path):
    program = debian_program("systemd-analyze")
    file = tmp_path / unit.name
    file.write_text(unit.read_text("utf-8").replace("/opt/almanac/.venv/bin/", f"{Path(sys.executable).parent}/"))
    for options in (["verify"], ["security", "--offline=true", f"--threshold={HIGHEST_EXPOSURE}"]):
        done = subprocess.run([program, *options, str(file)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == ""


def test_stopping_ends_the_embedded_database_too(machine):
    """Last, since nothing runs after it."""
    assert processes_of(machine.folder) != []
    begun = time.monotonic()
    machine.stop("machine", "almanac")
    assert time.monotonic() - begun < 20
    assert processes_of(machine.folder) == []


def processes_of(folder):
    """The command lines that name the folder: PostgreSQL's does."""
    commands = [" ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
    return [command for command in commands if str(folder) in command]
