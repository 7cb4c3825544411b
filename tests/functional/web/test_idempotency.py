"""Idempotency-Key: a repeated request gets the same response and is executed once."""

import asyncio
from dataclasses import replace

import psycopg
import pytest

from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.http.idempotency.route import AtomicRoute, IdempotentRoute

NEW = {"email": "ada@example.org", "name": "Ada", "role": "editor"}
KEY = {"Idempotency-Key": "one"}


async def people(api):
    return [user["email"] for user in (await api.get("/api/v1/users")).json()["items"]]


async def test_the_same_request_gets_the_first_answer(api):
    first = await api.post("/api/v1/users", json=NEW, headers=KEY)
    again = await api.post("/api/v1/users", json=NEW, headers=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    assert again.headers["location"] == first.headers["location"]
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["idempotency-replayed"] == "true"
    assert await people(api) == ["ada@example.org"]


async def test_another_request_with_the_same_key_is_refused(api):
    await api.post("/api/v1/users", json=NEW, headers=KEY)
    other = await api.post("/api/v1/users", json={**NEW, "email": "grace@example.org"}, headers=KEY)
    assert other.status_code == 422
    assert "Idempotency-Key" in other.json()["fields"]
    assert await people(api) == ["ada@example.org"]


async def test_a_race_of_equal_requests_is_done_once(api):
    answers = await asyncio.gather(*(api.post("/api/v1/users", json=NEW, headers=KEY) for _ in range(12)))
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.content for answer in answers if answer.status_code == 201}) == 1
    assert await people(api) == ["ada@example.org"]


async def test_a_refused_request_leaves_its_key_free(api):
    assert (await api.post("/api/v1/users", json={**NEW, "email": "nonsense"}, headers=KEY)).status_code == 422
    assert (await api.post("/api/v1/users", json=NEW, headers=KEY)).status_code == 201


async def test_keys_of_different_callers_don_t_meet(api, visit, services):
    made = (await api.post("/api/v1/users", json={**NEW, "role": "admin"})).json()
    wish = {"name": "other", "scopes": ["admin", "read"], "owner_id": made["id"]}
    secret = (await api.post("/api/v1/tokens", json=wish, headers=KEY)).json()["secret"]
    other = visit(headers={"Authorization": f"Bearer {secret}"})
    answer = await other.post("/api/v1/tokens", json={"name": "mine", "scopes": ["read"]}, headers=KEY)
    assert answer.status_code == 201


async def test_a_key_is_forgotten_after_a_day(api, clock):
    await api.post("/api/v1/users", json=NEW, headers=KEY)
    clock.advance(hours=25)
    later = await api.post("/api/v1/users", json={**NEW, "email": "grace@example.org"}, headers=KEY)
    assert later.status_code == 201


async def test_answers_go_after_a_day_also_where_the_caller_never_comes_back(api, services, clock):
    await api.post("/api/v1/users", json=NEW, headers=KEY)
    clock.advance(hours=20)
    await api.post("/api/v1/users", json={**NEW, "email": "grace@example.org"}, headers={"Idempotency-Key": "two"})
    clock.advance(hours=5)
    await services.jobs.run_schedule("requests.forget")
    await make_worker(services).drain()
    async with services.database.reading() as reading:
        assert await reading.value("SELECT count(*) FROM idempotency_keys") == 1


UNANSWERED = "UPDATE idempotency_keys SET status = NULL, sealed_body = NULL, answered_at = NULL"


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("", "is still running"),
        (", holder = 0, wrote_here = true", "was carried out, but the server stopped before it answered"),
        (", holder = 0, wrote_elsewhere = true", "ended without an answer"),
        (", holder = NULL, claimed_at = claimed_at - interval '1 hour'", "ended without an answer"),
    ],
)
async def test_an_unanswered_request_says_what_is_known_of_it(api, database_url, state, sentence):
    await api.post("/api/v1/users", json=NEW, headers=KEY)
    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        await connection.execute(UNANSWERED + state)
    again = await api.post("/api/v1/users", json=NEW, headers=KEY)
    assert again.status_code == 409
    assert sentence in again.json()["detail"]


async def test_a_process_that_was_taken_for_dead_commits_nothing(api, services, database_url):
    """The late one finds that its key was taken over, and its work is rolled back."""

    async def take_over():
        async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
            await connection.execute("UPDATE idempotency_keys SET tries = tries + 1")

    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        await connection.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
        late = asyncio.create_task(api.post("/api/v1/users", json=NEW, headers=KEY))
        async with asyncio.timeout(30):
            while True:
                if (await connection.execute("SELECT FROM idempotency_keys")).rowcount:
                    break
                await asyncio.sleep(0.01)
        await take_over()
    answer = await late
    assert (answer.status_code, "taken over" in answer.json()["detail"]) == (409, True)
    emails = [user["email"] for user in (await api.get("/api/v1/users")).json()["items"]]
    assert NEW["email"] not in emails


async def test_every_route_with_a_key_is_atomic_or_repeatable(routes):
    """Whoever adds one decides what becomes of a request whose process is killed."""
    undecided = [
        route.path
        for route in routes
        if isinstance(route, IdempotentRoute)
        and "POST" in route.methods
        and not isinstance(route, AtomicRoute)
        and not (route.openapi_extra or {}).get("x-repeatable")
    ]
    assert undecided == []


async def test_a_secret_in_an_answer_can_t_be_read_in_the_database(api, visit, database_url):
    made = (await api.post("/api/v1/users", json=NEW)).json()
    wish = {"name": "export", "scopes": ["read"], "owner_id": made["id"]}
    first = await api.post("/api/v1/tokens", json=wish, headers=KEY)
    again = await api.post("/api/v1/tokens", json=wish, headers=KEY)
    assert again.json()["secret"] == first.json()["secret"]
    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        (row,) = await (await connection.execute("SELECT k::text FROM idempotency_keys k")).fetchall()
    assert first.json()["secret"] not in row[0]
    assert first.json()["secret"].encode().hex() not in row[0]
    assert "'one'" not in row[0]


async def test_a_key_that_is_no_key_is_refused(api):
    answer = await api.post("/api/v1/users", json=NEW, headers={"Idempotency-Key": "x" * 300})
    assert answer.status_code == 400


class TestTheGuardComesFirst:
    """A repeated request is let in like any other, before it gets the answer of the first."""

    @pytest.fixture
    def settings(self, settings):
        return replace(settings, rate_limit_per_minute=30)

    @pytest.fixture
    async def tokens(self, api, visit):
        """Two programs of one person: one that manages tokens, and one that only reads."""
        made = (await api.post("/api/v1/users", json={**NEW, "role": "admin"})).json()
        clients = []
        for scopes in (["admin", "read"], ["read"]):
            wish = {"name": "t", "scopes": scopes, "owner_id": made["id"]}
            secret = (await api.post("/api/v1/tokens", json=wish)).json()["secret"]
            clients.append(visit(headers={"Authorization": f"Bearer {secret}"}))
        return clients

    async def test_an_answer_is_not_given_again_to_who_may_not_ask_for_it(self, tokens):
        manager, reader = tokens
        wish = {"name": "mine", "scopes": ["read"]}
        first = await manager.post("/api/v1/tokens", json=wish, headers=KEY)
        assert first.status_code == 201
        refused = await reader.post("/api/v1/tokens", json=wish, headers=KEY)
        assert refused.status_code == 403
        assert first.json()["secret"] not in refused.text

    async def test_repeating_is_counted_like_any_request(self, api):
        answers = [await api.post("/api/v1/users", json=NEW, headers=KEY) for _ in range(31)]
        assert [answer.status_code for answer in answers] == [201] * 30 + [429]
        assert answers[1].headers["ratelimit-remaining"] == "28"

    async def test_a_form_with_its_token_inside_is_read_twice(self, signed_in):
        """The guard reads the token, and the route the file."""
        visitor = await signed_in(Role.EDITOR)
        form = {"csrf_token": await visitor.csrf()}
        file = {"file": ("a.txt", b"Rain fell on the hills.", "text/plain")}
        answers = [await visitor.http.post("/api/v1/knowledge", data=form, files=file, headers=KEY) for _ in range(2)]
        # Each try has a boundary of its own, so to us it is another request; neither may fail on our side.
        assert [answer.status_code for answer in answers] == [201, 422]
