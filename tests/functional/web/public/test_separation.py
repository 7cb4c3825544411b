"""The private side can't be reached from the public one, and the public one knows nobody."""

import re
from pathlib import Path
from urllib.parse import quote, unquote

import httpx
import psycopg
import pytest
from fastapi.routing import APIRoute

from almanac.accounts.permissions import Role
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.desks.recap.store.table import Article
from almanac.errors import AlmanacError, NotAllowed, NotFound
from almanac.public.site_routes import list_routes
from almanac.web.app import create_app
from almanac.web.public_side import list_public_parts

ROUTES = Path(__file__).parents[4] / "docs/reference/routes.md"
PUBLIC_ROW = re.compile(r"^\| `GET (/public\S*)` \| anyone, if ([^|]+) \|", re.MULTILINE)
PAGES = ("", "/en", "/ja", "/en/recap", "/en/recap/people", "/en/recap/bills", "/en/nothing", "/sitemap.xml")


def private_paths(router):
    for route in router.routes:
        if (included := getattr(route, "original_router", None)) is not None:
            yield from private_paths(included)
        elif isinstance(route, APIRoute):
            yield re.sub(r"\{[^}]*\}", "x", route.path)


async def ask_as_a_server_does(application, path, headers):
    """A path as it was sent, unescaped once; clients would tidy it up first."""
    sent = []
    scope = {
        "type": "http",
        "method": "GET",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"testserver"), (b"accept", b"text/html"), *headers],
        "client": ("203.0.113.7", 4711),
        "server": ("testserver", 80),
        "scheme": "http",
        "http_version": "1.1",
    }

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    await application(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def same(answer):
    """What of an answer a reader could tell apart; the id of a request is new each time."""
    return answer.status_code, answer.content, {k: v for k, v in answer.headers.items() if k != "x-request-id"}


def test_the_documented_routes_are_those_that_exist(installation):
    documented = dict(PUBLIC_ROW.findall(ROUTES.read_text("utf-8")))
    parts = list_public_parts(installation.settings, DESKS)
    assert set(documented) == {f"/public{route.path}" for route in list_routes(parts)}


async def test_no_private_route_answers_below_the_public_side(application, signed_in):
    administrator = await signed_in(Role.ADMIN)
    paths = sorted({path for path in private_paths(application) if path != "/"})
    assert len(paths) > 150
    for path in paths:
        for method in ("GET", "POST", "DELETE"):
            answer = await administrator.request(method, f"/public{path}")
            assert answer.status_code == (404 if method == "GET" else 405), f"{method} /public{path}"


@pytest.mark.parametrize(
    "path",
    [
        "/public/../people",
        "/public/en/../../people",
        "/public/%2e%2e/people",
        "/public/..%2fpeople",
        "/public/%2e%2e%2fpeople",
        "/public//people",
        "/public/en//recap",
        "/public/en/%2e%2e/%2e%2e/api/v1/users",
        "/public/static/../almanac.js",
        "/public/static/almanac.css",
        "/public/en/recap/articles/..%2f..%2ftasks",
        "/public\\people",
        "/public/en/../",
        "/public/en/feeds/%00",
        "/public/en/newsletters/%0d%0aSet-Cookie:x=1",
        "/public;/people",
        "/public/en/recap;/../../people",
    ],
)
async def test_tricks_with_paths_lead_nowhere(application, signed_in, path):
    administrator = await signed_in(Role.ADMIN)
    cookies = "; ".join(f"{name}={value}" for name, value in administrator.cookies.items())
    status, body = await ask_as_a_server_does(application, path, [(b"cookie", cookies.encode())])
    assert status == 404
    assert b"/sign-out" not in body or not path.startswith("/public/")


@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Prefix"])
async def test_headers_choose_neither_method_nor_path(stranger, header):
    plain = await stranger.get("/public/en/recap")
    tricked = await stranger.get("/public/en/recap", headers={header: "/people" if "URL" in header else "DELETE"})
    assert same(tricked) == same(plain)


@pytest.mark.parametrize("header", ["Host", "X-Forwarded-Host", "Forwarded"])
async def test_no_page_takes_its_host_from_the_request(stranger, header):
    value = "host=evil.example" if header == "Forwarded" else "evil.example"
    for path in PAGES:
        answer = await stranger.get(f"/public{path}", headers={header: value})
        assert "evil.example" not in answer.text + str(answer.headers), path


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
async def test_the_public_side_can_only_be_read(stranger, method):
    answer = await stranger.request(method, "/public/en/recap")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"


async def test_answers_are_the_same_with_and_without_a_session(stranger, signed_in, meetings):
    article = f"/en/recap/articles/{quote(meetings[0].issue_id)}"
    administrator = await signed_in(Role.ADMIN)
    assert administrator.cookies
    for path in (*PAGES, article, f"{article}?level=plain", "/en/recap?q=予算"):
        alone, as_somebody = await stranger.get(f"/public{path}"), await administrator.get(f"/public{path}")
        assert same(alone) == same(as_somebody), path
        bearer = await stranger.get(f"/public{path}", headers={"Authorization": "Bearer almt_forged"})
        assert same(bearer) == same(alone), path


async def test_no_answer_sets_a_cookie_or_names_a_private_address(stranger, meetings):
    article = f"/en/recap/articles/{quote(meetings[0].issue_id)}"
    for path in (*PAGES, article, f"{article}/speeches/1", "/en/recap?q=x", "/en/recap/feed.atom"):
        answer = await stranger.get(f"/public{path}", headers={"Cookie": "almanac_session=stolen; lang=ja"})
        assert "set-cookie" not in answer.headers, path
        for name, value in re.findall(r'\b([\w-]+)="(/[^"/][^"]*)"', answer.text):
            assert value.startswith("/public/"), f"{path}: {name}={value}"
        assert "<script>" not in answer.text
        assert " hx-" not in answer.text


async def test_a_page_has_a_strict_policy(stranger):
    headers = (await stranger.get("/public/en")).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; style-src 'self'; img-src 'self'")
    assert "script-src" not in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"


async def test_postgresql_refuses_writes_of_the_public_side(installation):
    database = installation.read_ports.database
    with pytest.raises((AlmanacError, psycopg.Error), match=r"read-only|couldn't"):
        async with database.unit() as unit:
            await unit.execute("DELETE FROM recap_articles")
    with pytest.raises((AlmanacError, psycopg.Error)):
        async with database.reading() as reading:
            await reading.all("INSERT INTO rate_limit_buckets VALUES ('x', 1, now()) RETURNING caller")


async def test_tables_and_objects_refuse_writes_and_whatever_isnt_published(installation, meetings):
    ports = installation.read_ports
    article = await installation.tables.get(Article.key(id=meetings[0].issue_id))
    assert article is not None
    with pytest.raises(NotAllowed):
        await ports.tables.put(article)
    with pytest.raises(NotAllowed):
        await ports.tables.delete(Article.key(id=meetings[0].issue_id))
    with pytest.raises(NotAllowed):
        await ports.objects.put("recap/articles/x", b"")
    with pytest.raises(NotAllowed):
        await ports.objects.delete("recap/articles/x")
    await installation.objects.put("newsletters/private.txt", b"private")
    with pytest.raises(NotFound):
        await ports.objects.get("newsletters/private.txt")


@pytest.mark.parametrize("listed", ["", "newsletter", "status"])
async def test_what_isnt_listed_doesnt_exist(databases, tmp_path, listed):
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path / "d", database_url=address, mail_url="memory:", base_url="http://t", public=listed
        )
        async with open_services(settings) as services:
            transport = httpx.ASGITransport(create_app(services, DESKS))
            async with httpx.AsyncClient(transport=transport, base_url="http://t") as client:
                assert (await client.get("/public/en/recap")).status_code == 404
                robots = (await client.get("/robots.txt")).text
                assert ("Allow: /public" in robots) is bool(listed)
                assert "Disallow: /\n" in robots


async def test_a_desk_that_is_switched_off_isnt_public(databases, tmp_path):
    settings = Settings(data=tmp_path, public="recap,status", desks="news")
    assert settings.public_parts == ("status",)
