"""A request that fails after it started to write never does its work twice when it is repeated under its key."""

import asyncio
from dataclasses import replace

import psycopg
import pytest

KEY = {"Idempotency-Key": "one"}
NEWSLETTERS, USERS, CUSTOMERS = "/api/v1/newsletters", "/api/v1/users", "/api/v1/reminders/customers"
BREAK = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


@pytest.fixture
def settings(settings):
    return replace(settings, rate_limit_per_minute=60)


@pytest.fixture
def broken_at(database_url):
    """Lets a request come as far as a table of PostgreSQL's, and breaks its connection there."""

    async def send(table, request):
        async with await psycopg.AsyncConnection.connect(database_url) as connection:
            await connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            asked = asyncio.create_task(request)
            async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as other:
                await break_who_waits(other)
            return await asked

    return send


async def break_who_waits(connection):
    async with asyncio.timeout(60):
        while True:
            if (await connection.execute(BREAK)).rowcount:
                return
            await asyncio.sleep(0.01)


def begin(api):
    return api.post(NEWSLETTERS, json={"title": "Weekly"}, headers=KEY)


async def titles(api):
    return [item["title"] for item in (await api.get(NEWSLETTERS)).json()["items"]]


async def test_a_newsletter_that_was_begun_is_found_by_the_next_try(api, broken_at, clock):
    failed = await broken_at("audit_head", begin(api))
    assert failed.status_code == 503
    assert await titles(api) == ["Weekly"]
    clock.advance(hours=20)
    again = await begin(api)
    assert again.status_code == 201
    assert await titles(api) == ["Weekly"]
    assert (await api.get(again.headers["location"])).json()["title"] == "Weekly"
    assert (await begin(api)).json()["code"] == again.json()["code"]


async def test_a_second_try_that_comes_to_nothing_leaves_the_third_to_find_it(api, broken_at, clock):
    assert (await broken_at("audit_head", begin(api))).status_code == 503
    while (await api.get(f"{NEWSLETTERS}/options")).status_code == 200:
        continue
    assert (await begin(api)).status_code == 429
    clock.advance(minutes=1)
    assert (await begin(api)).status_code == 201
    assert await titles(api) == ["Weekly"]


async def test_a_copy_that_was_begun_is_found_with_its_topics(api, broken_at):
    code = (await api.post(NEWSLETTERS, json={"title": "Weekly"})).json()["code"]
    await api.put(f"{NEWSLETTERS}/{code}/topics", json={"selected_types": ["livestock"]}, headers={"If-Match": '"0"'})
    path = f"{NEWSLETTERS}/{code}/duplicate"
    assert (await broken_at("audit_head", api.post(path, json={}, headers=KEY))).status_code == 503
    again = await api.post(path, json={}, headers=KEY)
    assert sorted(await titles(api)) == ["Weekly", "Weekly (copy)"]
    topics = (await api.get(f"{NEWSLETTERS}/{again.json()['code']}/topics")).json()
    assert len(topics["selected_types"]) == 1


async def test_a_customer_that_was_added_is_found_by_the_next_try(api, broken_at):
    ada = {"customer_id": "ada", "name": "Ada Ltd", "email": "ada@example.org"}
    failed = await broken_at("audit_head", api.post(CUSTOMERS, json=ada, headers=KEY))
    assert failed.status_code == 503
    again = await api.post(CUSTOMERS, json=ada, headers=KEY)
    assert again.status_code == 201
    assert [item["name"] for item in (await api.get(CUSTOMERS)).json()["items"]] == ["Ada Ltd"]


async def test_a_request_of_which_nothing_stayed_leaves_its_key_free(api, broken_at):
    ada = {"email": "ada@example.org", "name": "Ada", "role": "editor"}
    assert (await broken_at("users", api.post(USERS, json=ada, headers=KEY))).status_code == 503
    assert (await api.post(USERS, json=ada, headers=KEY)).status_code == 201
