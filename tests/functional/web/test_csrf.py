"""A change with a session cookie needs the CSRF token of our own pages."""

from almanac.accounts.permissions import Role


async def test_a_form_without_its_token_changes_nothing(signed_in, services):
    visitor = await signed_in(Role.MEMBER)
    answer = await visitor.http.post("/account", data={"name": "Mallory"})
    assert answer.status_code == 403
    assert "This form is no longer valid and nothing was changed" in answer.text
    assert "Mallory" not in (await visitor.get("/account")).text


async def test_the_token_of_another_session_is_refused(signed_in):
    member, editor = await signed_in(Role.MEMBER), await signed_in(Role.EDITOR)
    answer = await member.http.post("/account", data={"name": "Mallory", "csrf_token": await editor.csrf()})
    assert answer.status_code == 403


async def test_scripts_may_send_the_token_in_a_header(signed_in):
    visitor = await signed_in(Role.MEMBER)
    answer = await visitor.http.post(
        "/account", data={"name": "Ada Lovelace"}, headers={"X-CSRF-Token": await visitor.csrf()}
    )
    assert answer.status_code == 200
    assert "Ada Lovelace" in answer.text


async def test_the_api_with_a_cookie_needs_the_token_too(signed_in):
    visitor = await signed_in(Role.ADMIN)
    wish = {"name": "export", "scopes": ["read"]}
    refused = await visitor.http.post("/api/v1/tokens", json=wish)
    assert refused.status_code == 403
    taken = await visitor.http.post("/api/v1/tokens", json=wish, headers={"X-CSRF-Token": await visitor.csrf()})
    assert taken.status_code == 201


async def test_programs_with_an_api_token_need_no_csrf_token(api):
    assert (await api.post("/api/v1/jobs/retry", json={"ids": [1]})).status_code == 200
