"""What belongs to one person is beyond everybody else: every route that names such a thing is tried by a stranger."""

import re

import pytest

from almanac.accounts.permissions import Role

REFUSALS, MUTATING = {403, 404}, {"POST", "PUT", "PATCH", "DELETE"}
# Each kind of thing that has an owner: the parameter that names it, and where routes that take it begin.
KINDS = {
    "newsletter": ("code", ("/api/v1/newsletters/", "/newsletter/")),
    "habit": ("habit_id", ("/api/v1/habits/{habit_id}", "/habits/{habit_id}")),
    "holiday": ("vacation_id", ("/api/v1/habits/vacations/",)),
    "saved query": ("saved_id", ("/api/v1/saved-queries/", "/saved/")),
    "token": ("token_id", ("/api/v1/tokens/", "/account/tokens/")),
    "session": ("session_id", ("/account/sessions/",)),
    "knowledge source": ("source_id", ("/api/v1/knowledge/", "/knowledge/")),
    "account": ("user_id", ("/api/v1/users/", "/people/")),
    "webhook": ("endpoint_id", ("/api/v1/webhooks/", "/webhooks/")),
}
# What is already over is the same for everybody: the route says so without a look at whose it was.
SAYS_NOTHING_OF_IT = {"POST /account/tokens/{token_id}/revoke", "POST /account/sessions/{session_id}/end"}


class Owner:
    """Somebody with one of everything, and a view of it all."""

    def __init__(self, visitor, csrf, admin):
        self.visitor, self.csrf, self.admin = visitor, csrf, admin
        self.ids = {}

    async def made(self, kind, path, body, *, by=None):
        answer = await (by or self.visitor.http).post(path, json=body, headers={"X-CSRF-Token": self.csrf})
        assert answer.status_code in (200, 201, 202), f"{kind}: {answer.text}"
        self.ids[kind] = self.identifier(answer.json())

    @staticmethod
    def identifier(body):
        return str(body.get("id") or body.get("code") or body.get("newsletter_code") or body["source"]["id"])

    async def views(self):
        """Everything that is theirs as they see it, and the webhook as its administrator does."""
        seen = {}
        for path in (
            f"/api/v1/newsletters/{self.ids['newsletter']}/full", "/api/v1/habits", "/api/v1/habits/vacations",
            "/api/v1/saved-queries", "/api/v1/tokens", "/api/v1/knowledge", "/api/v1/me", "/api/v1/habits/groups",
        ):  # fmt: skip
            answer = await self.visitor.get(path)
            assert answer.status_code == 200, path
            seen[path] = answer.text
        sessions = (await self.visitor.get("/account/sessions")).text
        seen["sessions"] = len(re.findall("/account/sessions/[^/]+/end", sessions))
        seen["webhook"] = (await self.admin.get(f"/api/v1/webhooks/{self.ids['webhook']}")).text
        return seen


@pytest.fixture
async def owner(signed_in, api):
    visitor = await signed_in(Role.EDITOR)
    owner = Owner(visitor, await visitor.csrf(), api)
    await owner.made("newsletter", "/api/v1/newsletters", {"title": "Mine"})
    await owner.made("habit", "/api/v1/habits", {"name": "Reading"})
    await owner.made("holiday", "/api/v1/habits/vacations", {"first_day": "2026-04-01", "last_day": "2026-04-05"})
    await owner.made("saved query", "/api/v1/saved-queries", {"name": "Mine", "query": "drought"})
    await owner.made("token", "/api/v1/tokens", {"name": "mine", "scopes": ["read"]})
    await owner.made(
        "webhook", "/api/v1/webhooks", {"url": "https://example.org/h", "events": ["approval.asked"]}, by=api
    )
    uploaded = await visitor.http.post(
        "/api/v1/knowledge", files={"file": ("mine.txt", b"Rain fell on the hills in March.", "text/plain")},
        headers={"X-CSRF-Token": owner.csrf},
    )  # fmt: skip
    assert uploaded.status_code in (201, 202), uploaded.text
    owner.ids["knowledge source"] = owner.identifier(uploaded.json())
    owner.ids["account"] = visitor.user.id
    await signed_in(user=visitor.user)
    page = (await visitor.get("/account/sessions")).text
    owner.ids["session"] = re.search("/account/sessions/([^/]+)/end", page)[1]
    return owner


def ways_to(kind, ways):
    parameter, beginnings = KINDS[kind]
    return [way for way in ways if parameter in way.parameters and way.path.startswith(beginnings)]


def test_every_kind_is_named_by_some_route(ways):
    assert all(ways_to(kind, ways) for kind in KINDS)


async def walked_by(stranger, owner, ways, bodies):
    """Every answer that a stranger gets from the routes that name what is the owner's."""
    stranger.http.follow_redirects = False
    headers = {"X-CSRF-Token": await stranger.csrf(), "If-Match": '"1"'}
    for kind, (parameter, _) in KINDS.items():
        for way in ways_to(kind, ways):
            path = way.to(**{parameter: owner.ids[kind]})
            form = {field.name: "1" for field in way.route.dependant.body_params} | {
                "version": "1",
                "day": "2026-03-02",
            }
            sent = {"json": bodies.body_of(way)} if way.is_api or way.method == "GET" else {"data": form}
            yield way, await stranger.http.request(way.method, path, headers=headers, **sent)


async def test_a_stranger_of_any_role_gets_nowhere_and_changes_nothing(owner, signed_in, ways, bodies, person):
    before = await owner.views()
    wrong, told = [], set()
    for role in (Role.MEMBER, Role.EDITOR, Role.APPROVER):
        stranger = await signed_in(user=await person(role, email=f"stranger-{role}@example.org"))
        async for way, answer in walked_by(stranger, owner, ways, bodies):
            if answer.status_code == 422 and way.method in MUTATING:
                told.add(str(way))
            elif answer.status_code not in REFUSALS and str(way) not in SAYS_NOTHING_OF_IT:
                wrong.append(f"{role} {way}: {answer.status_code}")
    assert not wrong, "\n".join(wrong)
    assert await owner.views() == before
    # A body or a form that is wrong may be told so before anything is looked up; that stays the exception.
    api_told = [way for way in told if "/api/" in way]
    assert len(api_told) <= 3, "\n".join(api_told)


async def test_lists_and_search_show_nothing_of_anothers(owner, signed_in, person):
    stranger = await signed_in(user=await person(Role.EDITOR, email="stranger@example.org"))
    for resource in ("newsletters", "habits", "saved-queries", "tokens", "knowledge"):
        answer = (await stranger.get(f"/api/v1/{resource}")).json()
        assert answer["items"] == [], resource
    assert (await stranger.get("/api/v1/search", params={"q": "hills"})).json()["items"] == []
