"""What could open an account to others asks for a fresh proof of identity once the sign-in is some time ago."""

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role

PASSWORD = "violet tramway under snow"
ADMIN_TOKEN = {"name": "all", "scopes": ["read", "admin"], "days": "30"}
SENSITIVE = [
    ("/account/email", {"email": "new@example.org"}),
    ("/account/two-step/app", {}),
    ("/account/two-step/passkeys", {}),
    ("/account/two-step/codes", {}),
    ("/account/two-step/off", {}),
    ("/account/passkeys/none/remove", {}),
    ("/account/tokens", ADMIN_TOKEN),
]


@pytest.fixture
async def boss(signed_in, person, clock):
    """An administrator who signed in an hour ago."""
    visitor = await signed_in(user=await person(Role.ADMIN, email="boss@example.org", password=PASSWORD))
    clock.advance(minutes=60)
    return visitor


@pytest.mark.parametrize(("path", "form"), SENSITIVE, ids=[path for path, _ in SENSITIVE])
async def test_a_sensitive_change_is_sent_to_the_confirmation_first(boss, path, form):
    answer = await boss.post(path, form)
    assert answer.url.path == "/account/confirm", answer.text
    assert "Confirm that it is you" in answer.text


async def test_after_the_password_it_goes_on_for_a_while(boss, clock):
    wrong = await boss.post("/account/confirm", {"password": "not this one", "next": "/account/two-step"})
    assert (wrong.status_code, "This isn&#39;t your password." in wrong.text) == (422, True)
    done = await boss.post("/account/confirm", {"password": PASSWORD, "next": "/account/two-step"})
    assert done.url.path == "/account/two-step"
    assert "Copy your new token now" in (await boss.post("/account/tokens", ADMIN_TOKEN)).text
    clock.advance(minutes=31)
    assert (await boss.post("/account/tokens", ADMIN_TOKEN)).url.path == "/account/confirm"


async def test_wrong_passwords_are_slowed_down_here_too(boss):
    statuses = [(await boss.post("/account/confirm", {"password": f"wrong {n}"})).status_code for n in range(8)]
    assert 429 in statuses


async def test_the_confirmation_never_leads_to_another_site(boss):
    done = await boss.post("/account/confirm", {"password": PASSWORD, "next": "//evil.example/"})
    assert done.url.path == "/account"
    assert done.url.host == "almanac.example.org"


async def test_a_passkey_or_a_code_confirms_as_well(signed_in, person, clock, add_key, security_key, turn_on):
    boss = await signed_in(user=await person(Role.ADMIN, email="boss@example.org", password=PASSWORD))
    await add_key(boss, security_key)
    phone, _ = await turn_on(boss)
    clock.advance(minutes=60)
    headers = {"X-CSRF-Token": await boss.csrf(), "Accept": "application/json"}
    begun = (await boss.http.post("/account/confirm/passkey/begin", headers=headers)).json()
    form = {"ceremony": begun["ceremony"], "credential": security_key.get(begun["options"]), "next": "/account/tokens"}
    assert (await boss.post("/account/confirm/passkey", form)).url.path == "/account/tokens"
    assert "Copy your new token now" in (await boss.post("/account/tokens", ADMIN_TOKEN)).text
    clock.advance(minutes=60)
    assert (await boss.post("/account/confirm", {"code": phone.code()})).url.path == "/account"
    assert (await boss.post("/account/tokens", ADMIN_TOKEN)).url.path == "/account/tokens"


async def test_an_administrator_confirms_before_changing_how_others_sign_in(boss, ada, services):
    for path, form in (("email", {"email": "x@example.org"}), ("second-factor/reset", {})):
        assert (await boss.post(f"/people/{ada.id}/{path}", form)).url.path == "/account/confirm"
    headers = {"X-CSRF-Token": await boss.csrf(), "If-Match": f'"{ada.version}"'}
    refused = await boss.http.patch(f"/api/v1/users/{ada.id}", json={"email": "x@example.org"}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "proof_needed")


async def test_ordinary_changes_and_ordinary_tokens_ask_for_nothing(boss):
    assert "saved" in (await boss.post("/account", {"name": "The boss", "language": "en"})).text
    assert "Copy your new token now" in (await boss.post("/account/tokens", {**ADMIN_TOKEN, "scopes": ["read"]})).text


async def test_somebody_with_nothing_to_prove_themselves_by_is_not_asked(signed_in, person, clock):
    """The first administrator followed a link and has no password yet."""
    first = await signed_in(user=await person(Role.ADMIN))
    clock.advance(minutes=60)
    assert "Your address is" in (await first.get("/account/email")).text


async def test_an_api_token_changes_nothing_about_signing_in(services, visit, ada):
    made = await accounts.create_token(
        services.accounts, CONSOLE, name="script", scopes=["read", "write"], owner_id=ada.id
    )
    http = visit(headers={"Authorization": f"Bearer {made.secret}"})
    for path in ("/account/email", "/account/two-step/app", "/account/two-step/off", "/account/passkeys/begin"):
        assert (await http.post(path)).status_code == 403, path
