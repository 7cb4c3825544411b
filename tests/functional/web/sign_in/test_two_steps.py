"""Two-step sign-in with an authenticator app: turned on by its first code, asked for at each sign-in, recovered."""

import asyncio

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.credential_store import find_second_factor
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter


async def trail(services):
    entries = await audit.list_entries(services.database, AuditFilter(), key=b"any", limit=50)
    return [(entry.action, entry.detail) for entry in entries.items]


@pytest.fixture
async def two_step(signed_in, ada, turn_on, clock):
    """Ada with two-step sign-in: her browser, her phone, her recovery codes. Its first code is over."""
    visitor = await signed_in(user=ada)
    phone, codes = await turn_on(visitor)
    clock.advance(seconds=60)
    return visitor, phone, codes


async def test_nothing_is_asked_until_the_first_code_was_right(signed_in, ada, sign_in):
    visitor = await signed_in(user=ada)
    page = await visitor.post("/account/two-step/app")
    assert "data:image/svg+xml" in page.text
    _, answer = await sign_in()
    assert answer.headers["location"] == "/"


async def test_a_wrong_first_code_shows_the_same_key_again(signed_in, ada, scan):
    visitor = await signed_in(user=ada)
    page = (await visitor.post("/account/two-step/app")).text
    ceremony = page.partition('name="ceremony" value="')[2].partition('"')[0]
    wrong = await visitor.post("/account/two-step/app/confirm", {"ceremony": ceremony, "code": "000000"})
    assert wrong.status_code == 422
    assert scan(wrong.text).secret == scan(page).secret


async def test_after_the_password_comes_the_code_and_then_the_wanted_page(two_step, sign_in, services):
    _, phone, codes = two_step
    assert len(set(codes)) == 10
    http, answer = await sign_in(next="/jobs")
    assert answer.headers["location"] == "/sign-in/second?next=/jobs"
    assert "almanac_session" not in http.cookies
    assert (await http.get("/jobs")).status_code == 303
    assert 'name="next" value="/jobs"' in (await http.get(answer.headers["location"])).text
    done = await http.post("/sign-in/second", data={"code": phone.code(), "next": "/jobs"})
    assert (done.status_code, done.headers["location"]) == (303, "/jobs")
    assert (await http.get("/jobs")).status_code == 200
    assert ("session.started", {"by": "password", "second_step": "app"}) in await trail(services)


async def test_a_code_works_once(two_step, sign_in):
    _, phone, _ = two_step
    for status in (303, 422):
        http, _ = await sign_in()
        assert (await http.post("/sign-in/second", data={"code": phone.code()})).status_code == status


@pytest.mark.parametrize("kind", ["app", "recovery"])
async def test_of_many_uses_of_one_code_at_once_one_succeeds(two_step, sign_in, kind):
    _, phone, codes = two_step
    code = phone.code() if kind == "app" else codes[3]
    browsers = [(await sign_in())[0] for _ in range(4)]
    answers = await asyncio.gather(*(http.post("/sign-in/second", data={"code": code}) for http in browsers))
    assert sorted(answer.status_code for answer in answers) == [303, 422, 422, 422]


async def test_a_code_of_a_neighbouring_half_minute_works_and_an_older_one_does_not(two_step, sign_in, clock):
    _, phone, _ = two_step
    code = phone.code()
    clock.advance(seconds=90)
    http, _ = await sign_in()
    assert (await http.post("/sign-in/second", data={"code": code})).status_code == 422
    code = phone.code()
    clock.advance(seconds=30)
    assert (await http.post("/sign-in/second", data={"code": f"{code[:3]} {code[3:]}"})).status_code == 303


async def test_a_recovery_code_works_once_in_any_spelling(two_step, sign_in, services):
    _, _, codes = two_step
    spelled = codes[0].upper().replace("-", " ")
    for status in (303, 422):
        http, _ = await sign_in()
        assert (await http.post("/sign-in/second", data={"code": spelled})).status_code == status
    assert ("recovery_code.used", {}) in await trail(services)
    user = (await accounts.list_users(services.accounts, CONSOLE)).items[0]
    assert (await accounts.get_second_factor(services.accounts, CONSOLE, user.id)).codes_left == 9


async def test_new_recovery_codes_replace_the_old_ones(two_step, sign_in):
    visitor, _, codes = two_step
    page = await visitor.post("/account/two-step/codes")
    assert codes[0] not in page.text
    http, _ = await sign_in()
    assert (await http.post("/sign-in/second", data={"code": codes[0]})).status_code == 422


async def test_guessing_codes_is_slowed_down(two_step, sign_in):
    http, _ = await sign_in()
    statuses = [(await http.post("/sign-in/second", data={"code": f"{n:06}"})).status_code for n in range(12)]
    assert 429 in statuses
    # A new first step doesn't reset the count.
    again, _ = await sign_in()
    assert (await again.post("/sign-in/second", data={"code": "999999"})).status_code == 429


async def test_the_second_step_cannot_be_skipped_or_wait_for_ever(two_step, visit, sign_in, clock):
    _, phone, _ = two_step
    stranger = visit()
    assert (await stranger.post("/sign-in/second", data={"code": phone.code()})).status_code == 401
    assert "almanac_session" not in stranger.cookies
    http, _ = await sign_in()
    clock.advance(minutes=11)
    late = await http.post("/sign-in/second", data={"code": phone.code()})
    assert (late.status_code, "This took too long; sign in again." in late.text) == (401, True)
    assert (await http.get("/sign-in/second")).headers["location"] == "/sign-in"


async def test_links_and_new_passwords_ask_for_it_too(two_step, services, visit):
    visitor, phone, _ = two_step
    link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, visitor.user.id)
    http = visit()
    assert (await http.post(link.path)).headers["location"].startswith("/sign-in/second")
    reset = await accounts.send_reset_link(services.accounts, CONSOLE, visitor.user.id)
    done = await http.post(reset.path, data={"password": "another good long one"})
    assert done.headers["location"].startswith("/sign-in/second")
    assert (await http.post("/sign-in/second", data={"code": phone.code()})).status_code == 303


async def test_turning_it_on_ends_other_sessions_and_tells_the_person(signed_in, ada, turn_on, services):
    other, visitor = await signed_in(user=ada), await signed_in(user=ada)
    await turn_on(visitor)
    assert (await visitor.get("/account")).status_code == 200
    assert str((await other.get("/account")).url).endswith("/sign-in?next=/account")
    assert [mail.subject for mail in (await services.mailbox.list()).items] == ["Two-step sign-in is on"]


async def test_the_secret_is_sealed_in_the_database(two_step, services):
    visitor, phone, _ = two_step
    async with services.database.unit() as unit:
        stored = await find_second_factor(unit, visitor.user.id)
    assert phone.secret not in stored.totp_sealed


async def test_it_is_turned_off_by_the_person(two_step, sign_in, services):
    visitor, _, _ = two_step
    assert "Two-step sign-in is off" in (await visitor.post("/account/two-step/off")).text
    _, answer = await sign_in()
    assert answer.headers["location"] == "/"
    assert ("second_factor.turned_off", {}) in await trail(services)


async def test_an_administrator_resets_it_for_somebody_who_lost_the_phone(two_step, admin, sign_in, services):
    visitor, _, _ = two_step
    path = f"/people/{visitor.user.id}"
    assert "10 recovery codes left" in (await admin.get(f"{path}/sign-in")).text
    await admin.post(f"{path}/second-factor/reset", {"why": "lost phone, called back"})
    assert str((await visitor.get("/account")).url).endswith("/sign-in?next=/account")
    _, answer = await sign_in()
    assert answer.headers["location"] == "/"
    assert ("second_factor.reset", {"passkeys_removed": 0, "sessions_ended": 1}) in await trail(services)
    assert "Your two-step sign-in was reset" in [mail.subject for mail in (await services.mailbox.list()).items]


async def test_only_those_who_manage_people_reset_it_and_not_their_own(two_step, signed_in, services):
    editor, _, _ = two_step
    assert (await editor.post(f"/people/{editor.user.id}/second-factor/reset")).status_code == 403
    boss = await signed_in(Role.ADMIN)
    assert (await boss.post(f"/people/{boss.user.id}/second-factor/reset")).status_code == 409


async def test_api_tokens_need_no_second_step(two_step, services, visit):
    visitor, _, _ = two_step
    made = await accounts.create_token(
        services.accounts, CONSOLE, name="script", scopes=["read"], owner_id=visitor.user.id
    )
    http = visit(headers={"Authorization": f"Bearer {made.secret}"})
    assert (await http.get("/api/v1/me")).status_code == 200
