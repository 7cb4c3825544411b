"""Webhook endpoints from a terminal: added with a secret that is shown once, listed, tried, and followed in a log."""

import pytest

URL = "https://hooks.example.invalid/almanac?key=hidden-part"


@pytest.fixture(scope="module")
def endpoint(installed_machine):
    answer = installed_machine.run("webhook", "add", URL, "--event", "approval.asked", "--json")
    assert answer.code == 0, answer.err
    return answer.json


def test_the_secret_is_printed_once(installed_machine, endpoint):
    assert endpoint["secret"].startswith("whsec_")
    listed = installed_machine.run("webhook", "list")
    assert endpoint["secret"] not in listed.out
    assert "hidden-part" not in listed.out
    as_json = installed_machine.run("webhook", "list", "--json")
    assert "hooks.example.invalid" in as_json.out
    assert endpoint["secret"] not in as_json.out


def test_events_are_listed_with_their_meaning(installed_machine):
    assert "Somebody asked for an approval." in installed_machine.run("webhook", "events").out


def test_a_test_event_is_followed_in_the_log(installed_machine, endpoint):
    sent = installed_machine.run("webhook", "ping", endpoint["id"])
    assert "queued as delivery" in sent.out
    [delivery] = installed_machine.run("webhook", "log", endpoint["id"], "--json").json
    assert delivery["event"] == "ping"
    assert delivery["id"] in sent.out


def test_what_is_wrong_is_one_sentence(installed_machine):
    for wrong in (
        ["add", "nowhere", "--event", "approval.asked"],
        ["add", URL, "--event", "soup"],
        ["ping", "nothing"],
    ):
        answer = installed_machine.run("webhook", *wrong)
        assert answer.code != 0
        assert "Traceback" not in answer.err
        assert len(answer.err.strip().splitlines()) <= 3
