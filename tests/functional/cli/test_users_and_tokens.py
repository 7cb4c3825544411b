"""Whoever runs the installation adds people, changes roles, makes links and tokens, and sees clear refusals."""

from urllib.parse import urlsplit

import httpx


def test_a_person_is_added_with_a_link_and_listed(machine):
    added = machine.run("user", "add", "grace@example.org", "--name", "Grace", "--role", "editor", "--json")
    assert added.json["sign_in_link"].startswith("http")
    users = {user["email"]: user for user in machine.run("user", "list", "--json").json}
    assert (users["grace@example.org"]["role"], users["grace@example.org"]["active"]) == ("editor", True)
    assert "grace@example.org" in machine.run("user", "list").out


def test_a_wrong_address_is_refused_with_a_sentence(machine):
    answer = machine.run("user", "add", "not-an-address", "--name", "Nobody")
    assert answer.code == 2
    assert "email" in answer.err
    assert "Traceback" not in answer.err


def test_the_last_administrator_stays_one(machine):
    answer = machine.run("user", "role", "admin@localhost", "member")
    assert answer.code == 1
    assert "last active administrator" in answer.err


def test_an_unknown_person_is_a_sentence(machine):
    answer = machine.run("user", "link", "nobody@example.org")
    assert answer.code == 1
    assert len(answer.err.strip().splitlines()) == 1


def test_an_address_is_changed_and_the_new_one_signs_in(machine):
    machine.run("user", "add", "maiden@example.org", "--name", "Grace")
    assert machine.run("user", "edit", "maiden@example.org", "--email", "married@example.org").code == 0
    assert machine.run("user", "link", "maiden@example.org").code == 1
    assert "/link/" in machine.run("user", "link", "married@example.org").out
    nothing = machine.run("user", "edit", "married@example.org")
    assert (nothing.code, "--email" in nothing.err) == (2, True)


def test_somebody_locked_out_is_let_in_again_and_signed_out_elsewhere(machine):
    """With no address named, the link is for the first administrator, whatever their address is."""
    with httpx.Client(follow_redirects=True) as browser:
        browser.post(machine.started[0].url + urlsplit(machine.run("user", "link").out.strip()).path)
        assert browser.get(machine.started[0].url + "/account").url.path == "/account"
        admin = next(user for user in machine.run("user", "list", "--json").json if user["role"] == "admin")
        assert machine.run("user", "reset-second-factor", admin["email"], "--why", "lost phone").code == 0
        assert browser.get(machine.started[0].url + "/account").url.path == "/sign-in"
        browser.post(machine.started[0].url + urlsplit(machine.run("user", "link").out.strip()).path)
        assert "Ended 1 session" in machine.run("user", "sign-out", admin["email"]).out


def test_the_morning_mail_of_a_person_is_chosen_on_the_command_line(machine):
    assert "07:00" in machine.run("notifications", "morning", "admin@localhost", "--hour", "7").out
    chosen = machine.run("notifications", "list", "admin@localhost", "--json").json["morning"]
    assert chosen == {"hour": 7, "days": [1, 2, 3, 4, 5], "when_empty": False}


def test_a_person_is_deactivated_and_brought_back(machine):
    machine.run("user", "add", "temp@example.org", "--name", "Temp")
    assert "can no longer sign in" in machine.run("user", "deactivate", "temp@example.org", "--why", "left").out
    users = {user["email"]: user["active"] for user in machine.run("user", "list", "--json").json}
    assert users["temp@example.org"] is False
    assert machine.run("user", "reactivate", "temp@example.org").code == 0


def test_a_token_works_until_it_is_revoked(machine):
    made = machine.run("token", "make", "backup robot", "--scope", "read", "--json").json
    url, headers = machine.started[0].url + "/api/v1/me", {"Authorization": f"Bearer {made['token']}"}
    assert httpx.get(url, headers=headers).status_code == 200
    assert made["token"] not in machine.run("token", "list").out
    assert machine.run("token", "revoke", made["id"]).code == 0
    assert httpx.get(url, headers=headers).status_code == 401


def test_an_unknown_scope_is_refused(machine):
    answer = machine.run("token", "make", "robot", "--scope", "everything")
    assert answer.code == 2
    assert "Traceback" not in answer.err


def test_the_fixed_admin_token_opens_the_api(idle_machine):
    served = idle_machine.serve(ALMANAC_ADMIN_TOKEN="0123456789abcdef-fixed")
    headers = {"Authorization": "Bearer 0123456789abcdef-fixed"}
    assert httpx.get(served.url + "/api/v1/users", headers=headers).status_code == 200
    assert httpx.get(served.url + "/api/v1/users", headers={"Authorization": "Bearer wrong"}).status_code == 401
