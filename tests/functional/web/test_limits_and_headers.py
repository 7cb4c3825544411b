"""Rate limits, security headers and cache headers."""

from dataclasses import replace

import httpx
import pytest


class TestRateLimit:
    @pytest.fixture
    def settings(self, settings):
        return replace(settings, rate_limit_per_minute=30)

    async def test_a_flood_is_slowed_down_and_told_when_to_come_back(self, api, clock):
        answers = [await api.get("/api/v1/me") for _ in range(31)]
        assert [answer.status_code for answer in answers[:30]] == [200] * 30
        assert answers[0].headers["ratelimit-limit"] == "30"
        assert answers[29].headers["ratelimit-remaining"] == "0"
        assert answers[30].status_code == 429
        assert answers[30].headers["retry-after"] == "2"
        assert answers[30].headers["ratelimit-remaining"] == "0"
        clock.advance(seconds=2)
        assert (await api.get("/api/v1/me")).status_code == 200

    async def test_one_callers_flood_is_not_anothers(self, api, nobody):
        for _ in range(31):
            await api.get("/api/v1/me")
        assert (await nobody.get("/sign-in")).status_code == 200

    async def test_guessing_tokens_is_slowed_down_too(self, visit):
        guesser = visit(headers={"Authorization": "Bearer almt_guess"})
        answers = [(await guesser.get("/api/v1/me")).status_code for _ in range(31)]
        assert answers == [401] * 30 + [429]

    async def test_whoever_has_a_whole_network_of_addresses_counts_once(self, app):
        """Every customer of a provider gets 2^64 addresses of IPv6, and could take another for each request."""
        answers = []
        for number in range(31):
            transport = httpx.ASGITransport(app, client=(f"2001:db8::{number:x}", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
                answers.append((await client.get("/sign-in")).status_code)
        assert answers == [200] * 30 + [429]

    async def test_a_browser_gets_a_page(self, nobody):
        for _ in range(31):
            answer = await nobody.get("/sign-in")
        assert answer.status_code == 429
        assert "Too many requests" in answer.text


async def test_pages_allow_no_foreign_or_inline_script(nobody):
    answer = await nobody.get("/sign-in")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe-inline" not in policy
    sources = {source for rule in policy.split("; ") for source in rule.split()[1:]}
    assert sources == {"'self'", "'none'", "data:"}, "everything comes from here, so that it works offline"
    assert "frame-ancestors 'none'" in policy
    assert "<script>" not in answer.text
    assert " style=" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "strict-transport-security" not in answer.headers


class TestHttps:
    @pytest.fixture
    def settings(self, settings):
        return replace(settings, base_url="https://almanac.example.org")

    async def test_browsers_are_told_to_stay_on_https(self, nobody):
        answer = await nobody.get("/sign-in")
        assert answer.headers["strict-transport-security"].startswith("max-age=")

    async def test_cookies_stay_off_plain_http(self, nobody, person, services):
        await person(email="ada@example.org", password="violet tramway under snow")
        answer = await nobody.http.post(
            "/sign-in", data={"email": "ada@example.org", "password": "violet tramway under snow"}
        )
        assert "Secure" in answer.headers["set-cookie"]


async def test_static_files_have_hashed_names_and_are_kept_for_ever(nobody):
    page = (await nobody.get("/sign-in")).text
    path = page.split('rel="stylesheet" href="')[1].split('"')[0]
    answer = await nobody.get(path)
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert (await nobody.get("/static/almanac.css")).status_code == 404


async def test_nothing_of_a_person_is_kept_by_caches(admin, api):
    """Neither pages nor what is taken away as a file, nor answers of the API, secrets in repeated ones included."""
    for path in ("/", "/account", "/habits/files/json", "/habits/report.pdf", "/news/feeds/opml", "/nothing"):
        assert (await admin.get(path)).headers["cache-control"] == "no-store", path
    for path in ("/api/v1/me", "/api/v1/habits/export", "/api/v1/users", "/api/v1/nothing"):
        assert (await admin.get(path)).headers["cache-control"] == "no-store", path
    key = {"Idempotency-Key": "one", "X-CSRF-Token": await admin.csrf()}
    for _ in range(2):
        made = await admin.http.post("/api/v1/tokens", json={"name": "t", "scopes": ["read"]}, headers=key)
        assert "secret" in made.json()
        assert made.headers["cache-control"] == "no-store"


async def test_nothing_on_a_page_comes_from_another_site(admin):
    for path in ("/", "/jobs", "/api/docs", "/styleguide"):
        page = (await admin.get(path)).text
        assert 'src="http' not in page
        assert 'rel="stylesheet" href="http' not in page
