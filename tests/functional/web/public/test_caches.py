"""Any cache may keep what the public side answers: it shows everybody the same, asks again cheaply, and forgets."""

import gzip
from urllib.parse import quote

import pytest

from almanac.accounts.permissions import Role

PAGES = ("/public", "/public/en", "/public/ja", "/public/en/recap", "/public/en/status", "/public/sitemap.xml", "/")
LANGUAGES = ("en", "ja", "de,en;q=0.5", "ms", "zh-CN", "")


class SharedCache:
    """A cache between all readers and Almanac that keeps whatever it is allowed to, as RFC 9111 has it."""

    def __init__(self):
        self.kept = {}

    async def get(self, browser, path, **headers):
        for vary, stored, answer in self.kept.get(path, []):
            if all(headers.get(name) == stored.get(name) for name in vary):
                return answer, True
        answer = await browser.get(path, headers=headers)
        control = [part.strip() for part in answer.headers.get("cache-control", "").split(",")]
        if "public" in control and "set-cookie" not in answer.headers:
            vary = [name.strip() for name in answer.headers.get("vary", "").split(",") if name.strip()]
            assert "*" not in vary
            self.kept.setdefault(path, []).append((vary, headers, answer))
        return answer, False


async def test_a_shared_cache_never_shows_somebody_elses_page(stranger, signed_in):
    cache, people = SharedCache(), [await signed_in(role) for role in (Role.ADMIN, Role.MEMBER)]
    hits = 0
    for path in PAGES:
        for language in LANGUAGES:
            for person in (people[0], stranger, people[1], stranger):
                given = {"Accept-Language": language}
                shown, was_kept = await cache.get(person, path, **given)
                direct = await person.get(path, headers=given)
                hits += was_kept
                assert (shown.status_code, shown.headers.get("location")) == (
                    direct.status_code,
                    direct.headers.get("location"),
                )
                if path.startswith("/public"):
                    assert shown.content == direct.content
                    assert "Confidential Person" not in shown.text
                else:
                    assert not was_kept, "a private page was kept"
    assert hits > 100


@pytest.mark.parametrize("path", ["/en", "/en/recap", "/ja/recap/people", "/en/newsletters", "/en/feeds", "/en/status"])
async def test_a_page_that_didnt_change_is_not_sent_again(stranger, path):
    first = await stranger.get(f"/public{path}")
    assert first.headers["cache-control"] == "public, max-age=60, stale-while-revalidate=300"
    again = await stranger.get(f"/public{path}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    other = await stranger.get(f"/public{path}", headers={"If-None-Match": '"another"'})
    assert other.status_code == 200


async def test_a_304_renders_nothing(stranger, installation, application, monkeypatch, meetings):
    path = f"/public/en/recap/articles/{quote(meetings[0].issue_id)}"
    tag = (await stranger.get(path)).headers["etag"]
    read = []
    objects = installation.read_ports.objects
    opened = objects.open
    monkeypatch.setattr(objects, "open", lambda key: read.append(key) or opened(key))
    assert (await stranger.get(path, headers={"If-None-Match": tag})).status_code == 304
    assert read == []


async def test_head_has_the_headers_of_get(stranger):
    got, head = await stranger.get("/public/en/recap"), await stranger.head("/public/en/recap")
    assert head.content == b""
    assert head.headers["etag"] == got.headers["etag"]
    assert head.headers["cache-control"] == got.headers["cache-control"]


async def test_pages_and_style_sheets_are_compressed_once(stranger):
    page = await stranger.get("/public/en/recap", headers={"Accept-Encoding": "gzip"})
    plain = await stranger.get("/public/en/recap", headers={"Accept-Encoding": "identity"})
    assert page.headers["content-encoding"] == "gzip"
    assert page.text == plain.text
    assert page.headers["vary"] == "Accept-Encoding"
    style = page.text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    async with stranger.stream("GET", style, headers={"Accept-Encoding": "gzip"}) as answer:
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    assert b"--ground" in gzip.decompress(raw)
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(("path", "status"), [("/en/nothing", 404), ("/xx/recap", 404), ("/en/newsletters/NL-1", 404)])
async def test_what_isnt_there_is_kept_briefly_in_the_public_layout(stranger, path, status):
    answer = await stranger.get(f"/public{path}")
    assert answer.status_code == status
    assert answer.headers["cache-control"] == "public, max-age=30"
    assert 'class="masthead"' in answer.text


async def test_only_the_root_depends_on_the_language_of_the_browser(stranger):
    japanese = await stranger.get("/public", headers={"Accept-Language": "ja,en;q=0.5"})
    assert (japanese.status_code, japanese.headers["location"]) == (302, "/public/ja")
    assert japanese.headers["vary"] == "Accept-Language"
    german = await stranger.get("/public/en", headers={"Accept-Language": "de"})
    assert '<html lang="en">' in german.text
    assert "Accept-Language" not in german.headers["vary"]


async def test_a_trailing_slash_leads_to_the_one_address(stranger):
    answer = await stranger.get("/public/en/recap/")
    assert (answer.status_code, answer.headers["location"]) == (308, "/public/en/recap")


async def test_a_search_that_many_repeat_is_made_once(stranger, installation, monkeypatch, meetings):
    searched = []
    index = installation.read_ports.search
    find = index.find
    monkeypatch.setattr(index, "find", lambda *given, **named: searched.append(given) or find(*given, **named))
    for _ in range(5):
        assert (await stranger.get("/public/en/recap/articles?q=議長")).status_code == 200
    assert len(searched) == 1
    await stranger.get("/public/en/recap/articles?q=大臣")
    assert len(searched) == 2
