"""Roles that must sign in in two steps can do nothing else before it is set up."""

from dataclasses import replace

import pytest

from almanac.accounts.permissions import Role


@pytest.fixture
def settings(settings):
    return replace(settings, require_second_factor="admin, approver")


async def test_a_required_role_is_led_to_the_set_up_and_let_through_afterwards(admin, turn_on):
    page = await admin.get("/people")
    assert str(page.url).endswith("/account/two-step")
    assert "Your role needs two-step sign-in" in page.text
    headers = {"X-CSRF-Token": await admin.csrf("/account/two-step")}
    refused = await admin.http.post("/api/v1/users", json={}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "second_factor_needed")
    assert str((await admin.http.post("/people/invite", data={"csrf_token": headers["X-CSRF-Token"]})).url).endswith(
        "/account/two-step"
    )
    await turn_on_from(admin, turn_on)
    assert (await admin.get("/people")).status_code == 200
    assert "Turn off" not in (await admin.get("/account/two-step")).text
    assert (await admin.post("/account/two-step/off")).status_code == 409


async def turn_on_from(visitor, turn_on):
    """The only page with forms that is open."""
    post = visitor.post
    visitor.post = lambda path, data=None, page="/account/two-step": post(path, data, page="/account/two-step")
    await turn_on(visitor)
    visitor.post = post


async def test_other_roles_are_left_alone(signed_in):
    editor = await signed_in(Role.EDITOR)
    assert (await editor.get("/jobs")).status_code == 200


async def test_automation_and_tokens_are_left_alone(api):
    assert (await api.get("/api/v1/users")).status_code == 200
