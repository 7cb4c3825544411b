"""A session is new at every sign-in, and ends with the password, the account or at its owner's request."""

import re

import pytest

from almanac.accounts.permissions import Role

PASSWORD = "violet tramway under snow"


@pytest.fixture
async def ada(person):
    return await person(Role.ADMIN, email="ada@example.org", password=PASSWORD)


async def enter(client, password=PASSWORD):
    return await client.post("/sign-in", data={"email": "ada@example.org", "password": password})


def session_of(client):
    return {name: value for name, value in client.cookies.items() if "session" in name}


async def test_a_session_that_was_planted_before_is_not_taken_over(visit, ada):
    browser = visit(headers={"Accept": "text/html"})
    await enter(browser)
    (name, planted), *_ = session_of(browser).items()
    victim = visit(headers={"Accept": "text/html", "Cookie": f"{name}=planted-by-somebody"})
    await enter(victim)
    assert session_of(victim)[name] not in (planted, "planted-by-somebody")
    attacker = visit(headers={"Accept": "text/html"}, cookies={name: "planted-by-somebody"})
    assert (await attacker.get("/")).status_code == 303


async def test_a_cookie_is_for_this_site_and_kept_from_scripts(visit, ada):
    browser = visit()
    cookies = [cookie.lower() for cookie in (await enter(browser)).headers.get_list("set-cookie")]
    assert len(cookies) == len(browser.cookies) > 0
    for cookie in cookies:
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "domain=" not in cookie


async def test_a_cookie_kept_after_signing_out_opens_nothing(signed_in, visit):
    visitor = await signed_in(Role.EDITOR)
    kept = dict(visitor.http.cookies)
    await visitor.post("/sign-out")
    assert (await visit(cookies=kept, headers={"Accept": "text/html"}).get("/")).status_code == 303


async def test_another_password_ends_every_other_session(ada, visit, signed_in):
    first, second = await signed_in(user=ada), await signed_in(user=ada)
    form = {"current": PASSWORD, "password": "another good long one", "old": PASSWORD, "new": "another good long one"}
    page = await second.get("/account/password")
    names = {name for name in form if f'name="{name}"' in page.text}
    changed = await second.post("/account/password", {name: form[name] for name in names}, page="/account/password")
    assert changed.status_code == 200
    assert str((await first.get("/account")).url).endswith("next=/account")
    assert (await second.get("/account")).status_code == 200


async def test_a_password_set_by_mail_ends_every_session(ada, nobody, signed_in, services):
    """Whoever asks for a new password may do so because somebody else is in."""
    intruder = await signed_in(user=ada)
    await nobody.http.post("/sign-in/forgotten", data={"email": "ada@example.org"})
    mail = await services.mailbox.get((await services.mailbox.list()).items[0].id)
    path = re.search(r"/link/\S+", mail.content.text)[0]
    assert (await nobody.http.post(path, data={"password": "another good long one"})).status_code == 303
    assert "/sign-in" in str((await intruder.get("/account")).url)


async def test_a_closed_account_is_out_at_once_and_a_lesser_role_too(api, signed_in, ada):
    visitor = await signed_in(Role.ADMIN)
    assert (await visitor.get("/people")).status_code == 200
    user = (await api.get(f"/api/v1/users/{visitor.user.id}")).json()
    lesser = {"role": "member"}
    changed = await api.patch(
        f"/api/v1/users/{visitor.user.id}", json=lesser, headers={"If-Match": f'"{user["version"]}"'}
    )
    assert changed.status_code == 200, changed.text
    assert (await visitor.get("/people")).status_code == 403
    version = changed.json()["version"]
    closed = await api.patch(
        f"/api/v1/users/{visitor.user.id}", json={"active": False}, headers={"If-Match": f'"{version}"'}
    )
    assert closed.status_code == 200, closed.text
    assert "/sign-in" in str((await visitor.get("/account")).url)


@pytest.mark.parametrize("role", [Role.EDITOR, Role.APPROVER, Role.MEMBER])
async def test_nobody_raises_their_own_role(signed_in, role):
    visitor = await signed_in(role)
    headers = {"X-CSRF-Token": await visitor.csrf(), "If-Match": '"1"'}
    for path in ("/api/v1/me", f"/api/v1/users/{visitor.user.id}"):
        answer = await visitor.http.patch(path, json={"role": "admin"}, headers=headers)
        assert answer.status_code in (403, 422)
    await visitor.post("/account", {"name": "Me", "role": "admin"})
    await visitor.post(f"/people/{visitor.user.id}", {"name": "Me", "role": "admin", "version": "1"})
    assert (await visitor.get("/api/v1/me")).json()["role"] == role
