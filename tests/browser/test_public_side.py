"""The public side in a real browser: for everybody, in every look; nothing runs, nothing is loaded from elsewhere."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.service.reports import list_reports
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store.objects import save_record
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.saved import SavedQueryInput


@pytest.fixture(scope="module")
async def meeting(site):
    """A published sitting, and a public feed that finds it."""
    services, sample = site.services, next(iter(sample_meetings()))
    meeting = parse_meeting(sample.raw)
    recap = await write_recap(meeting, writer=services.writer, clock=services.clock, pack_store=NoPackStore())
    url = await save_record(services, task_pk(meeting), sample.raw)
    await publish_recap(services, meeting, recap, record_url=url)
    saved = await services.saved.save(CONSOLE, SavedQueryInput(name="Every meeting", kinds=["recap"]))
    await services.saved.publish(CONSOLE, saved.id)
    return meeting


async def test_every_page_is_accessible_and_fits(browse, look_around, meeting):
    page = await browse()
    article = f"/public/en/recap/articles/{meeting.issue_id}"
    paths = {
        "front": "/public/en",
        "list": "/public/ja/recap",
        "article": article,
        "detailed": f"{article}?level=detailed&full=yes",
        "people": "/public/de/recap/people",
        "bills": "/public/zh/recap/bills",
        "archive": "/public/en/newsletters",
        "feeds": "/public/ms/feeds",
        "feed": "/public/en/feeds/every-meeting",
        "status": "/public/en/status",
        "method": "/public/ja/recap/method",
        "data": "/public/de/recap/data",
        "report": f"{article}/report?order=1",
        "embed": f"{article}/embed",
        "embedded-speech": f"{article}/speeches/1/embed",
    }
    for name, path in paths.items():
        assert (await page.goto(path)).status == 200, path
        await look_around(page, f"public-{name}")


async def test_an_error_page_is_accessible(chromium, site, look_around):
    context = await chromium.new_context(base_url=site.address)
    page = await context.new_page()
    assert (await page.goto("/public/de/nothing")).status == 404
    await look_around(page, "public-not-found")
    await context.close()


async def test_a_citizen_searches_and_reads_without_scripts(browse, site, meeting):
    page = await browse(java_script_enabled=False)
    loaded = []
    page.on("request", lambda request: loaded.append(request.url))
    await page.goto("/public/en")
    word = re.findall(r"[一-龥]{4}", meeting.speeches[1].text.partition("\u3000")[2])[0]
    await page.get_by_role("searchbox").first.fill(word)
    await page.get_by_role("button", name="Search").first.click()
    await page.locator(".story-title a").first.click()
    await expect(page.locator("h1")).to_be_visible()
    await page.get_by_role("link", name="Plain words").click()
    await expect(page.locator('#reading .tabs [aria-current="page"]')).to_have_text("Plain words")
    assert all(url.startswith(f"{site.address}/public/") for url in loaded)
    assert await page.context.cookies() == []


async def test_an_error_is_reported_without_scripts_and_without_an_account(chromium, site, meeting):
    context = await chromium.new_context(base_url=site.address, java_script_enabled=False)
    page = await context.new_page()
    await page.goto(f"/public/en/recap/articles/{meeting.issue_id}")
    await page.get_by_role("link", name="Report an error in speech 1", exact=True).click()
    await page.get_by_role("button", name="Send report").click()
    await page.get_by_label("What is wrong").fill("The name of the speaker is misspelt")
    await page.get_by_role("button", name="Send report").click()
    await expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    (report,) = [each for each in (await list_reports(site.services, "open")).items if each.from_public]
    assert (report.text, report.order) == ("The name of the speaker is misspelt", 1)
    await context.close()


async def test_another_site_shows_an_article_in_a_frame_and_no_other_page(chromium, site, meeting):
    context = await chromium.new_context()
    page = await context.new_page()
    article, base = f"/ja/recap/articles/{meeting.issue_id}", site.services.settings.public_side_url
    answer = await context.request.get(f"{site.address}/public/oembed", params={"url": base + article, "maxwidth": 480})
    address = f"{site.address}/public{article}"
    snippet = (await answer.json())["html"].replace(base + article, address)
    body = f"<!doctype html><title>Elsewhere</title>{snippet}<iframe src='{address}'></iframe>".encode()

    async def answer_request(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()

    elsewhere = await asyncio.start_server(answer_request, "127.0.0.1", 0)
    await page.goto(f"http://localhost:{elsewhere.sockets[0].getsockname()[1]}/")
    frame = page.frame_locator(f'iframe[src="{address}/embed"]')
    title = frame.locator("h1 a")
    await expect(title).to_be_visible()
    assert await title.evaluate("node => getComputedStyle(node.closest('main')).paddingLeft") == "20px"
    await expect(page.frame_locator(f'iframe[src="{address}"]').locator("h1")).to_have_count(0)
    await context.close()
    elsewhere.close()
