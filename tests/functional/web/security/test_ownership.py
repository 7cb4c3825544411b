"""Ownership: a stranger is rejected on every route that names somebody's private object."""

import asyncio
import html
import re

import httpx
import pytest

from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker

# Each kind of thing that has an owner: the parameter that names it, where routes that take it begin, and the words for
# who has no such thing. A route that looked for something else first would refuse in other words and show nothing.
KINDS = {
    "newsletter": ("code", ("/api/v1/newsletters/", "/newsletter/"), "There is no newsletter"),
    "habit": ("habit_id", ("/api/v1/habits/{habit_id}", "/habits/{habit_id}"), "Habit not found"),
    "holiday": ("vacation_id", ("/api/v1/habits/vacations/", "/habits/vacations/"), "Vacation not found"),
    "saved query": ("saved_id", ("/api/v1/saved-queries/", "/saved/"), "Saved query not found"),
    "token": ("token_id", ("/api/v1/tokens/", "/account/tokens/"), "There is no token with this id"),
    "session": ("session_id", ("/account/sessions/",), "There is no session with this id"),
    "knowledge source": ("source_id", ("/api/v1/knowledge/", "/knowledge/"), "This source doesn't exist"),
    "passage": ("chunk_id", ("/api/v1/knowledge/chunks/",), "This passage doesn't exist"),
    "account": ("user_id", ("/api/v1/users/", "/people/"), "No matching person was found"),
    "webhook": ("endpoint_id", ("/api/v1/webhooks/", "/webhooks/"), ""),
}
STREAMS_SECONDS = 10
NOT_THE_RIGHT = "; ask an administrator"
# What is no outline at all is told so before anything is looked up.
TOLD_FIRST = {"PUT /api/v1/newsletters/{code}/outline"}


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
            f"/api/v1/newsletters/{self.ids['newsletter']}/full",
            "/api/v1/habits",
            "/api/v1/habits/vacations",
            "/api/v1/saved-queries",
            "/api/v1/tokens",
            "/api/v1/knowledge",
            "/api/v1/me",
            "/api/v1/habits/groups",
        ):
            answer = await self.visitor.get(path)
            assert answer.status_code == 200, path
            seen[path] = answer.text
        sessions = (await self.visitor.get("/account/sessions")).text
        seen["sessions"] = len(re.findall("/account/sessions/[^/]+/end", sessions))
        seen["webhook"] = (await self.admin.get(f"/api/v1/webhooks/{self.ids['webhook']}")).text
        return seen


@pytest.fixture
async def owner(signed_in, api, services):
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
        "/api/v1/knowledge",
        files={"file": ("mine.txt", b"Rain fell on the hills in March.", "text/plain")},
        headers={"X-CSRF-Token": owner.csrf},
    )
    assert uploaded.status_code in (201, 202), uploaded.text
    owner.ids["knowledge source"] = owner.identifier(uploaded.json())
    owner.ids["account"] = visitor.user.id
    await make_worker(services).drain()
    passages = await visitor.get(f"/api/v1/knowledge/{owner.ids['knowledge source']}/chunks")
    owner.ids["passage"] = passages.json()["items"][0]["id"]
    await signed_in(user=visitor.user)
    page = (await visitor.get("/account/sessions")).text
    owner.ids["session"] = re.search("/account/sessions/([^/]+)/end", page)[1]
    return owner


def ways_to(kind, ways):
    parameter, beginnings, _ = KINDS[kind]
    return [way for way in ways if parameter in way.parameters and way.path.startswith(beginnings)]


def test_every_kind_is_named_by_some_route(ways):
    assert all(ways_to(kind, ways) for kind in KINDS)


async def walked_by(stranger, owner, ways, bodies):
    """Every answer that a stranger gets from the routes that name what is the owner's."""
    stranger.http.follow_redirects = False
    headers = {"X-CSRF-Token": await stranger.csrf(), "If-Match": '"1"'}
    for kind, (parameter, _, refusal) in KINDS.items():
        for way in ways_to(kind, ways):
            path = way.to(**{parameter: owner.ids[kind]})
            form = {field.name: "1" for field in way.route.dependant.body_params} | {
                "version": "1",
                "day": "2026-03-02",
            }
            sent = {"json": bodies.body_of(way)} if way.is_api or way.method == "GET" else {"data": form}
            yield way, refusal, await answered(stranger.http.request(way.method, path, headers=headers, **sent))


async def answered(request):
    """The answer; a stream that one gets into has no end of its own."""
    try:
        async with asyncio.timeout(STREAMS_SECONDS):
            return await request
    except TimeoutError:
        return httpx.Response(200, text="a stream")


def is_refusal(answer, words):
    """Whether it says that there is no such thing, in the words for that, or that the role doesn't allow it."""
    if answer.status_code == 404:
        return bool(words) and words in html.unescape(answer.text)
    return answer.status_code == 403 and NOT_THE_RIGHT in answer.text


async def test_a_stranger_of_any_role_gets_nowhere_and_changes_nothing(owner, signed_in, ways, bodies, person):
    before = await owner.views()
    wrong = []
    for role in (Role.MEMBER, Role.EDITOR, Role.APPROVER):
        stranger = await signed_in(user=await person(role, email=f"stranger-{role}@example.org"))
        async for way, words, answer in walked_by(stranger, owner, ways, bodies):
            told_first = answer.status_code == 422 and str(way) in TOLD_FIRST
            if not told_first and not is_refusal(answer, words):
                wrong.append(f"{role} {way}: {answer.status_code} {answer.text[:200]}")
    assert not wrong, "\n".join(wrong)
    assert await owner.views() == before


@pytest.fixture
async def stranger(signed_in, person):
    return await signed_in(user=await person(Role.EDITOR, email="stranger@example.org"))


async def test_lists_and_search_show_nothing_of_anothers(owner, stranger):
    for resource in ("newsletters", "habits", "saved-queries", "tokens", "knowledge", "habits/vacations"):
        listed = (await stranger.get(f"/api/v1/{resource}")).json()
        assert (listed["items"] if isinstance(listed, dict) else listed) == [], resource
    for words in ("hills", "Mine", "Reading", ""):
        answer = (await stranger.get("/api/v1/search", params={"q": words, "facet": "source"})).json()
        assert (answer["items"], answer["total"], answer["facets"].get("source", [])) == ([], 0, []), words
    assert (await owner.visitor.get("/api/v1/search", params={"q": "hills"})).json()["total"] == 1


async def test_a_page_that_one_may_see_tells_no_passage_of_anothers(owner, stranger, services):
    headers = {"X-CSRF-Token": await stranger.csrf()}
    own = {"file": ("own.txt", b"Frost came early to the valley.", "text/plain")}
    mine = (await stranger.http.post("/api/v1/knowledge", files=own, headers=headers)).json()["id"]
    await make_worker(services).drain()
    page = (await stranger.get(f"/knowledge/{mine}", params={"chunk": owner.ids["passage"]})).text
    assert "Frost came early" in page
    assert "Rain fell" not in page


async def test_a_feed_sees_no_more_than_its_owner(owner, stranger, visit):
    """A feed's address is public, so what it holds must be what the person who made it may see."""
    results = []
    for person in (owner.visitor, stranger):
        headers = {"X-CSRF-Token": await person.csrf()}
        wish = {"name": "Hills", "query": "hills"}
        saved = (await person.http.post("/api/v1/saved-queries", json=wish, headers=headers)).json()
        made = await person.http.post(f"/api/v1/saved-queries/{saved['id']}/feed", headers=headers)
        address = made.json()["feeds"]["json"]
        results.append(len((await visit().get(address)).json()["items"]))
        assert (await visit().get(address.replace("/feeds/", "/feeds/A"))).status_code == 404
    assert results == [1, 0]


async def test_the_home_page_tells_nobody_of_anothers_work(owner, stranger):
    for path in ("/", "/api/v1/home", "/habits/leaderboard", "/jobs", "/api/v1/jobs"):
        answer = (await stranger.get(path)).text
        assert "mine.txt" not in answer, path
        assert owner.ids["newsletter"] not in answer, path
        assert "Reading" not in answer, path


async def test_words_for_a_model_are_not_told_to_whoever_sees_jobs(owner, stranger, services):
    args = {"code": owner.ids["newsletter"], "section": "s", "instruction": "Sound less worried.", "seen": 1}
    job = await services.jobs.defer(services.jobs.registry.job_types["newsletter.section"], args)
    for path in (f"/api/v1/jobs/{job}", f"/jobs/{job}"):
        answer = (await stranger.get(path)).text
        assert owner.ids["newsletter"] in answer
        assert "worried" not in answer
