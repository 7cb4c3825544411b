"""HEAD works wherever GET does: the same status and headers, no body, nothing used up and no stream left open."""

import asyncio

import httpx
import psycopg
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role

VARYING = {"date", "x-request-id", "set-cookie", "ratelimit-remaining", "x-ratelimit-remaining", "server-timing"}


def steady(answer):
    return {name: value for name, value in answer.headers.items() if name not in VARYING and "ratelimit" not in name}


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/jobs", "/news", "/recap", "/newsletter", "/reminders", "/habits", "/account", "/nothing-here"),
        *("/healthz", "/readyz", "/metrics", "/api/v1/users", "/api/v1/openapi.json", "/api/docs", "/sign-in"),
    ],
)
async def test_the_headers_are_those_of_get(admin, path):
    answer, head = await admin.http.get(path), await admin.http.head(path)
    assert head.status_code == answer.status_code != 405
    assert head.content == b""
    without_length = {"content-length", "etag", "content-security-policy"}
    assert {k: v for k, v in steady(head).items() if k not in without_length} == {
        k: v for k, v in steady(answer).items() if k not in without_length
    }
    assert "content-length" not in answer.headers or int(head.headers["content-length"]) > 0


async def test_a_file_has_its_length(admin):
    page = (await admin.get("/")).text
    asset = page.partition('href="/static/')[2].partition('"')[0]
    answer, head = await admin.http.get(f"/static/{asset}"), await admin.http.head(f"/static/{asset}")
    assert head.status_code == answer.status_code == 200
    assert (head.headers["content-length"], head.content) == (answer.headers["content-length"], b"")


async def test_every_route_with_get_takes_head(routes, admin):
    """Addresses with a made-up part are not found, like by GET; none is refused for its method."""
    refused = []
    for route in routes:
        if "GET" in route.methods and "{" not in route.path and not route.path.endswith("/return"):
            async with asyncio.timeout(20):
                if (await admin.http.head(route.path, follow_redirects=False)).status_code == 405:
                    refused.append(route.path)
    assert refused == []


async def test_a_sign_in_link_still_works_after_it(services, person, nobody):
    user = await person(Role.EDITOR)
    link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, user.id)
    assert (await nobody.http.head(link.path)).status_code == 200
    assert (await nobody.http.post(link.path)).status_code == 303


async def test_a_code_for_one_use_is_left_alone(nobody):
    assert (await nobody.http.head("/sign-in/single/return?code=1&state=2")).status_code == 405


async def test_a_stream_is_not_opened(app, serve_app, signed_in, database_url):
    visitor = await signed_in(Role.EDITOR)
    async with (
        serve_app(app) as address,
        httpx.AsyncClient(base_url=address, cookies=dict(visitor.http.cookies)) as http,
    ):
        head = await http.head("/live")
        assert (head.status_code, head.headers["content-type"].partition(";")[0]) == (200, "text/event-stream")
        async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
            listening = "SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
            async with asyncio.timeout(10):
                while True:
                    if (await connection.execute(listening)).rowcount == 0:
                        break
                    await asyncio.sleep(0.05)
