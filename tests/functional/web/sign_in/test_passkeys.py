"""Passkeys: what is accepted, and everything that is not."""

from dataclasses import replace

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from authenticator import PRESENT, Authenticator


@pytest.fixture
async def owner(signed_in, ada, add_key, security_key):
    visitor = await signed_in(user=ada)
    added = await add_key(visitor, security_key)
    assert "The passkey is added" in added.text
    return visitor


async def test_a_passkey_signs_in_without_a_name_or_a_password(owner, visit, use_key, security_key):
    http = visit()
    done = await use_key(http, security_key, next="/jobs")
    assert (done.status_code, done.headers["location"]) == (303, "/jobs")
    assert (await http.get("/api/v1/me")).json()["email"] == "ada@example.org"
    assert "Passkey · from" in (await http.get("/account/sessions")).text


async def test_it_needs_no_second_step_and_is_one(owner, visit, sign_in, use_key, security_key):
    page = await owner.post("/account/two-step/passkeys")
    assert "Keep these recovery codes" in page.text
    assert (await use_key(visit(), security_key)).headers["location"] == "/"
    http, answer = await sign_in()
    assert answer.headers["location"].startswith("/sign-in/second")
    assert (await use_key(http, security_key, "/sign-in/second/passkey")).headers["location"] == "/"
    assert (await http.get("/account")).status_code == 200


async def test_the_only_second_factor_cannot_be_removed(owner, services):
    await owner.post("/account/two-step/passkeys")
    [passkey] = (await accounts.get_second_factor(services.accounts, CONSOLE, owner.user.id)).passkeys
    assert (await owner.post(f"/account/passkeys/{passkey.id}/remove")).status_code == 409
    await owner.post("/account/two-step/off")
    assert (await owner.post(f"/account/passkeys/{passkey.id}/remove")).status_code == 200


async def test_a_passkey_is_renamed_and_removed_by_its_owner_only(
    owner, signed_in, services, visit, use_key, security_key
):
    [passkey] = (await accounts.get_second_factor(services.accounts, CONSOLE, owner.user.id)).passkeys
    stranger = await signed_in(Role.MEMBER)
    for path in ("", "/remove"):
        assert (await stranger.post(f"/account/passkeys/{passkey.id}{path}", {"name": "Mine"})).status_code == 404
    assert "Blue key" in (await owner.post(f"/account/passkeys/{passkey.id}", {"name": "Blue key"})).text
    await owner.post(f"/account/passkeys/{passkey.id}/remove")
    assert (await use_key(visit(), security_key)).status_code == 401


@pytest.mark.parametrize(
    "bent",
    [
        {"origin": "https://evil.example"},
        {"host": "evil.example"},
        {"flags": PRESENT},
        {"credential_id": b"another credential"},
        {"user_id": b"somebody else"},
        {"key": Authenticator("", "").key},
    ],
    ids=["origin", "site", "person not checked", "credential", "person", "signature"],
)
async def test_what_does_not_fit_signs_nobody_in(owner, visit, use_key, security_key, bent):
    http = visit()
    assert (await use_key(http, replace(security_key, **bent))).status_code == 401
    assert "almanac_session" not in http.cookies


async def test_an_answer_works_once_and_in_time_and_a_copied_passkey_is_noticed(
    owner, visit, use_key, security_key, clock
):
    http = visit()
    begun = (await http.post("/sign-in/passkey/begin")).json()
    form = {"ceremony": begun["ceremony"], "credential": security_key.get(begun["options"])}
    assert (await http.post("/sign-in/passkey", data=form)).status_code == 303
    assert (await visit().post("/sign-in/passkey", data=form)).status_code == 401
    copied = replace(security_key, count=security_key.count - 1)
    assert (await use_key(visit(), copied)).status_code == 401
    begun = (await http.post("/sign-in/passkey/begin")).json()
    clock.advance(minutes=11)
    form = {"ceremony": begun["ceremony"], "credential": security_key.get(begun["options"])}
    assert (await visit().post("/sign-in/passkey", data=form)).status_code == 401


async def test_a_passkey_of_somebody_else_is_no_second_step(owner, signed_in, person, add_key, sign_in, use_key):
    await owner.post("/account/two-step/passkeys")
    mallory = await signed_in(Role.MEMBER)
    key = Authenticator("https://almanac.example.org", "almanac.example.org")
    await add_key(mallory, key)
    http, _ = await sign_in()
    assert (await use_key(http, key, "/sign-in/second/passkey")).status_code == 401
    # Nor is an answer that was asked for at the open sign-in form.
    begun = (await http.post("/sign-in/passkey/begin")).json()
    form = {"ceremony": begun["ceremony"], "credential": key.get(begun["options"])}
    assert (await http.post("/sign-in/second/passkey", data=form)).status_code == 401


async def test_a_deactivated_person_stays_out(owner, visit, use_key, security_key, services):
    await accounts.deactivate_user(services.accounts, CONSOLE, owner.user.id)
    assert (await use_key(visit(), security_key)).status_code == 401


@pytest.mark.parametrize("credential", ["", "{}", "[]", "null", '{"id": 1}', '{"response": {}}', "x" * 30_000])
async def test_nonsense_is_refused_in_a_sentence(visit, credential):
    http = visit(headers={"Accept": "text/html"})
    begun = (await http.post("/sign-in/passkey/begin")).json()
    answer = await http.post("/sign-in/passkey", data={"ceremony": begun["ceremony"], "credential": credential})
    assert answer.status_code in (401, 422)


async def test_the_person_is_told_of_a_new_passkey(owner, services):
    assert [mail.subject for mail in (await services.mailbox.list()).items] == ["A passkey was added"]


class TestNumericAddress:
    @pytest.fixture(params=[None, "http://127.0.0.1:8000"])
    def settings(self, settings, request):
        return replace(settings, base_url=request.param)

    async def test_the_page_says_where_passkeys_work(self, signed_in, visit, ada):
        visitor = await signed_in(user=ada)
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.http.cookies.items())
        page = await visit(headers={"Cookie": cookies}).get("https://127.0.0.1:8000/account/two-step")
        assert "Passkeys don't work at this address" in page.text
        assert 'href="https://localhost:8000/account/two-step"' in page.text
        http = visit(headers={"Accept": "application/json"})
        refused = await http.post("http://127.0.0.1:8000/sign-in/passkey/begin")
        assert (refused.status_code, "open http://localhost:8000" in refused.json()["detail"]) == (409, True)
        assert (await http.post("http://localhost:8000/sign-in/passkey/begin")).status_code == 200
