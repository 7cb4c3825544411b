"""A day of the Commons in a folder becomes an article in English: on pages, in the interface, in feeds and search."""

import asyncio
import html
import re
from datetime import UTC, date, datetime

import httpx
import pytest

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.desks.recap.pipeline.collect import collect_meetings, configured_sources
from almanac.desks.recap.pipeline.make import make_articles
from almanac.desks.recap.urls import WORKSPACE
from almanac.kit.clock import FixedClock
from almanac.web.app import create_app
from hansard_files import PUBLICWHIP

TOKEN = "a-fixed-token-for-automation"
ARTICLE = "uk-commons-2026-06-02"
TITLE = "Second Reading of the Coastal Homes Bill agreed to, 312 to 188"


async def silent(_done, _total, _doing):
    await asyncio.sleep(0)


@pytest.fixture(scope="module")
async def site(databases, tmp_path_factory):
    """An installation that has read the folder and written about it."""
    records, data = tmp_path_factory.mktemp("records"), tmp_path_factory.mktemp("data")
    (records / "debates2026-06-02a.xml").write_text(PUBLICWHIP, "iso-8859-1")
    async with databases.lend() as address:
        settings = Settings(
            data=data,
            database_url=address,
            mail_url="memory:",
            recap_source=records.as_uri(),
            base_url="http://testserver",
            admin_token=TOKEN,
            public="recap",
        )
        async with open_services(settings, FixedClock(datetime(2026, 6, 3, 9, tzinfo=UTC))) as services:
            source = configured_sources(services)
            collected = await collect_meetings(services, source, date(2026, 6, 1), date(2026, 6, 3), report=silent)
            made = await make_articles(services, "test", report=silent)
            assert (collected.sources[0].new, made.completed, made.failed) == (1, 1, 0)
            transport = httpx.ASGITransport(create_app(services, DESKS), raise_app_exceptions=False)
            headers = {"Authorization": f"Bearer {TOKEN}"}
            async with httpx.AsyncClient(transport=transport, base_url="http://testserver", headers=headers) as client:
                yield client


async def opened(site, path, **headers):
    answer = await site.get(path, headers=headers)
    assert answer.status_code == 200, answer.text[:400]
    return answer


def visible(page):
    body = re.sub(r"(?s)<(script|style|head)\b.*?</\1>", "", page)
    return html.unescape(re.sub(r"<[^>]*>", " ", body))


async def test_the_page_is_in_the_language_of_the_record(site):
    page = (await opened(site, f"/recap/articles/{ARTICLE}")).text
    shown = visible(page)
    assert TITLE in shown
    assert "House of Commons" in shown
    assert 'class="reading" lang="en"' in page
    words = set(re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]+", shown))
    assert words <= {"日本語", "简体中文"}, "only the menu of languages has other scripts"


async def test_the_words_around_it_are_the_readers(site):
    page = (await opened(site, f"/recap/articles/{ARTICLE}", **{"Accept-Language": "ja"})).text
    shown = visible(page)
    assert "英国下院" in shown
    assert "会議録は英語で" in shown
    assert "質問" in shown


async def test_the_interface_gives_facts_and_levels(site):
    article = (await opened(site, f"/api/v1/recap/articles/{ARTICLE}")).json()
    assert TITLE in str(article)
    assert "312 votes to 188" in str(article)
    assert "When will the sea wall be rebuilt?" in str(article)


async def test_it_is_listed_with_facets_of_its_house(site):
    listed = (await opened(site, "/api/v1/recap/articles?house=House%20of%20Commons&session=2024")).json()
    assert [item["id"] for item in listed["items"]] == [ARTICLE]


async def test_search_finds_what_was_said(site):
    listed = (await opened(site, "/api/v1/recap/articles?q=eroding%20cliffs")).json()
    assert [item["id"] for item in listed["items"]] == [ARTICLE]


async def test_the_feed_has_it(site):
    assert TITLE in (await opened(site, "/public/en/recap/feed.atom")).text


async def test_the_public_page_says_its_language(site):
    page = (await opened(site, f"/public/en/recap/articles/{ARTICLE}")).text
    assert TITLE in visible(page)


async def test_a_person_has_a_page(site):
    shown = visible((await opened(site, "/recap/people/Ada%20Marsh")).text)
    assert "Ada Marsh" in shown
    assert TITLE in shown
    assert "90001" not in shown


async def test_a_bill_has_a_page_with_its_outcome(site):
    article = (await opened(site, f"/api/v1/recap/articles/{ARTICLE}")).json()
    key = re.search(r"2024-[0-9a-f]{12}", str(article))[0]
    shown = visible((await opened(site, f"/recap/bills/{key}")).text)
    assert "Coastal Homes Bill" in shown
    assert "Agreed to" in shown


async def test_the_source_reader_is_in_the_language_of_the_record(site):
    read = (await opened(site, WORKSPACE.reader(ARTICLE))).text
    assert "312 votes to 188" in visible(read)
    assert 'lang="en"' in read.partition("<main")[2]
    assert "・" not in visible(read)


async def test_an_editor_must_name_the_stage_and_may_name_the_heading(site):
    here = f"/api/v1/recap/articles/{ARTICLE}"
    article = (await opened(site, here)).json()
    wish = {"kind": "replaced", "part": "title", "before": TITLE, "note": "Shorter."}
    refused = await site.post(f"{here}/corrections", json={**wish, "after": "Coastal Homes Bill agreed to, 312 to 188"})
    assert refused.status_code == 422
    assert "Only the Second Reading was decided" in refused.text
    title = {**wish, "after": "Coastal Homes Bill passes Second Reading, 312 to 188"}
    assert (await site.post(f"{here}/corrections", json=title)).status_code == 201
    point = next(each for each in article["asset"]["key_points"] if "Tom Reed" in each["text"])
    after = (
        "Tom Reed spoke against the Coastal Homes Bill because it leaves councils to pay for the demolition of homes."
    )
    sentence = {**wish, "part": "sentence", "before": point["text"], "after": after, "orders": [7]}
    made = await site.post(f"{here}/corrections", json=sentence)
    assert made.status_code == 201, made.text
