"""An API token is limited to its scopes on every route, and a narrow one sees nothing of other desks anywhere."""

import pytest

from almanac.accounts.permissions import WHOLE_SCOPES, Role, role_permissions, scope_permissions
from almanac.bootstrap import make_worker
from almanac.http.auth import Guard, route_guard


def permission_of(way):
    guard = route_guard(way.route)
    return guard.permission if isinstance(guard, Guard) else None


@pytest.fixture
def with_scopes(api, visit, person):
    async def enter(*scopes, role=Role.ADMIN):
        user = await person(role, email=f"owner-{'-'.join(scopes).replace(':', '-')}@example.org")
        wish = {"name": "narrow", "scopes": list(scopes), "owner_id": user.id}
        made = await api.post("/api/v1/tokens", json=wish)
        assert made.status_code == 201, made.text
        return visit(headers={"Authorization": f"Bearer {made.json()['secret']}"})

    return enter


@pytest.mark.parametrize("scope", [*WHOLE_SCOPES, "news:read", "habits:write", "reminders:send"])
async def test_a_scope_leads_no_further_than_it_says(ways, with_scopes, scope):
    client = await with_scopes(scope)
    closed = [way for way in ways if permission_of(way) and permission_of(way) not in scope_permissions([scope])]
    assert len(closed) > 100
    for way in closed:
        answer = await client.request(way.method, way.to())
        assert answer.status_code == 403, f"{scope} {way}: {answer.status_code}"
        assert "lacks the scope" in answer.text, f"{scope} {way}"


async def test_a_token_reaches_no_further_than_its_owner(ways, with_scopes):
    client = await with_scopes("read", "write", role=Role.MEMBER)
    for way in ways:
        if permission_of(way) and permission_of(way) not in role_permissions(Role.MEMBER):
            assert (await client.request(way.method, way.to())).status_code == 403, str(way)


async def test_a_narrow_token_sees_nothing_of_other_desks_where_desks_meet(with_scopes, services, api):
    """Home, search, approvals and verifying ask for no permission of their own."""
    client = await with_scopes("news:read")
    files = {"file": ("shared.txt", b"Rain fell on the hills in March.", "text/plain")}
    shared = await api.post("/api/v1/knowledge", files=files, data={"visibility": "everyone"})
    assert shared.status_code == 201, shared.text
    await make_worker(services).drain()
    assert (await api.get("/api/v1/search", params={"q": "hills"})).json()["total"] == 1
    assert (await client.get("/api/v1/search", params={"q": "hills"})).json()["total"] == 0
    home = (await client.get("/api/v1/home")).json()
    assert [desk["name"] for desk in home["desks"]] == ["news"]
    assert (home["waiting"], home["events"]) == ([], [])
    asked = {"kind": "reminders.draft", "subject_id": "x"}
    assert (await client.get("/api/v1/approvals/history", params=asked)).status_code == 403
    assert (await client.get("/api/v1/approvals")).json()["items"] == []


async def test_a_token_makes_no_stronger_token_and_no_way_to_sign_in(with_scopes, api):
    client = await with_scopes("admin")
    for scopes in (["admin", "write"], ["send"], ["reminders:approve"]):
        answer = await client.post("/api/v1/tokens", json={"name": "more", "scopes": scopes})
        assert answer.status_code == 403, scopes
    assert (await client.post("/account/password", data={"new": "another good long one"})).status_code == 403


async def test_a_token_that_only_writes_gets_no_address_to_read_at(with_scopes):
    """Whoever has the address of a feed reads what its owner may see, long after the token is gone."""
    writer, path = await with_scopes("write"), "/api/v1/saved-queries"
    saved = (await writer.post(path, json={"name": "All", "query": ""})).json()
    refused = await writer.post(f"{path}/{saved['id']}/feed")
    assert (refused.status_code, "lacks the scope" in refused.text) == (403, True)
    by_form = await writer.post(f"/saved/{saved['id']}/feed")
    assert (by_form.status_code, "lacks the scope" in by_form.text) == (403, True)


async def test_a_feed_that_is_open_is_not_told_to_a_token_that_only_writes(with_scopes, api):
    both = await with_scopes("read", "write", role=Role.MEMBER)
    path = "/api/v1/saved-queries"
    saved = (await both.post(path, json={"name": "All", "query": ""})).json()
    assert (await both.post(f"{path}/{saved['id']}/feed")).json()["feeds"]
    owner = (await both.get("/api/v1/me")).json()["id"]
    wish = {"name": "writes", "scopes": ["write"], "owner_id": owner}
    made = (await api.post("/api/v1/tokens", json=wish)).json()
    alert = f"{path}/{saved['id']}/alert"
    text = await both.put(alert, json={"frequency": "daily"}, headers={"Authorization": f"Bearer {made['secret']}"})
    assert (text.status_code, text.json()["feeds"]) == (200, {})
    assert (await both.put(alert, json={"frequency": "daily"})).json()["feeds"]


async def test_a_token_for_somebody_else_is_made_only_by_who_manages_tokens(signed_in, person):
    other = await person(Role.ADMIN, email="other@example.org")
    visitor = await signed_in(Role.EDITOR)
    wish = {"name": "theirs", "scopes": ["read"], "owner_id": other.id}
    answer = await visitor.http.post("/api/v1/tokens", json=wish, headers={"X-CSRF-Token": await visitor.csrf()})
    assert answer.status_code == 403
    assert (await visitor.get("/api/v1/tokens", params={"user_id": other.id})).status_code == 403


def test_no_body_takes_a_member_that_it_does_not_name(bodies):
    """A role, an owner or a status beside the fields of a form is refused, not passed on."""
    open_ones = sorted(bodies.open_schemas())
    assert open_ones == []
