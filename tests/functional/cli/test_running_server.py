"""Other commands know the address of the server that runs on the same data, as long as it lives."""

import json
import stat

import httpx


def test_links_lead_to_the_port_that_was_taken(idle_machine):
    served = idle_machine.serve()
    idle_machine.run("user", "add", "ada@example.org", "--name", "Ada")
    link = idle_machine.run("user", "link", "ada@example.org", "--json").json["sign_in_link"]
    assert link.startswith(f"{served.url}/link/")
    assert httpx.get(link).status_code == 200
    note = idle_machine.folder / "data" / "server.json"
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert json.loads(note.read_text())["pid"] == served.process.pid


def test_a_base_url_wins_over_the_running_server(idle_machine):
    idle_machine.serve()
    given = {"ALMANAC_BASE_URL": "https://almanac.example.org"}
    added = idle_machine.run("user", "add", "bob@example.org", "--name", "Bob", "--json", **given)
    assert added.json["sign_in_link"].startswith("https://almanac.example.org/link/")


def test_a_server_that_was_killed_is_no_longer_believed(idle_machine):
    served = idle_machine.serve()
    served.kill()
    added = idle_machine.run("user", "add", "eve@example.org", "--name", "Eve", "--json", ALMANAC_PORT="8123")
    assert added.json["sign_in_link"].startswith("http://127.0.0.1:8123/link/")


def test_every_command_warns_of_a_misspelt_variable_with_the_nearest_name(idle_machine):
    sentence = "warning: ALMANAC_MAIL_ULR is set but isn't a setting; did you mean ALMANAC_MAIL_URL?"
    for command in (["config", "--json"], ["user", "list", "--json"], ["models", "--json"]):
        answer = idle_machine.run(*command, ALMANAC_MAIL_ULR="smtp://mail.example.org")
        assert answer.code == 0
        assert sentence in answer.err
        assert answer.json is not None


def test_doctor_fails_on_a_misspelt_variable(idle_machine):
    answer = idle_machine.run("doctor", "--json", ALMANAC_TIMEZONE="UTC")
    assert answer.code == 1
    [finding] = [line for line in answer.json if line["name"] == "settings"]
    assert "did you mean ALMANAC_TIME_ZONE?" in finding["about"]
