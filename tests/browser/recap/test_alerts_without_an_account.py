"""A citizen follows a person by mail in a real browser without scripts: asks, confirms, changes, stops."""

import re

import pytest
from playwright.async_api import expect

from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store.objects import save_record
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.kit.ids import new_id


@pytest.fixture(scope="module")
async def speaker(site):
    """Somebody who spoke in a published sitting."""
    services, sample = site.services, next(iter(sample_meetings()))
    meeting = parse_meeting(sample.raw)
    recap = await write_recap(meeting, writer=services.writer, clock=services.clock, pack_store=NoPackStore())
    url = await save_record(services, task_pk(meeting), sample.raw)
    await publish_recap(services, meeting, recap, record_url=url)
    return max(recap.participants, key=lambda person: len(person.orders)).name


async def find_link(services, address):
    """The link that the last mail to an address asks to confirm by."""
    async with services.database.reading() as reading:
        text = await reading.value(
            "SELECT content ->> 'text' FROM mail_messages WHERE %(address)s = ANY(recipients) ORDER BY id DESC LIMIT 1",
            {"address": address},
        )
    return re.search(r"/public\S+/alerts/confirm/\S+", text).group()


@pytest.mark.parametrize(("language", "phone"), [("en", False), ("ja", True)])
async def test_a_citizen_follows_a_person_without_scripts(browse, site, speaker, look_around, language, phone):
    viewport = {"width": 360, "height": 740} if phone else {"width": 1280, "height": 900}
    page = await browse(java_script_enabled=False, viewport=viewport)
    seen = await browse(viewport=viewport)
    address = f"citizen-{new_id()}@example.org"
    await page.goto(f"/public/{language}/recap/people/{speaker}")
    await page.locator('a[href*="/alerts/new"]').click()
    await seen.goto(page.url)
    await look_around(seen, f"alert-form-{language}")
    await page.locator("[name=email]").fill("nobody@nowhere@")
    await page.locator("form.narrow").evaluate("form => form.noValidate = true")
    await page.locator("form.narrow button").click()
    await expect(page.locator(".error-summary")).to_be_visible()
    assert await page.locator("[name=email]").input_value() == "nobody@nowhere@"
    await page.locator("[name=email]").fill(address)
    await page.locator("form.narrow button").click()
    await expect(page).to_have_url(re.compile("/alerts/asked$"))
    await seen.goto(page.url)
    await look_around(seen, f"alert-asked-{language}")
    link = await find_link(site.services, address)
    await seen.goto(link)
    await look_around(seen, f"alert-confirm-{language}")
    await page.goto(link)
    await page.locator("form.narrow button").click()
    await expect(page.locator(".alert-rows")).to_contain_text(speaker)
    await seen.goto(page.url)
    await look_around(seen, f"alert-list-{language}")
    await page.locator("[name=frequency]").select_option("at_once")
    await page.locator("form.form button").click()
    assert await page.locator("[name=frequency]").input_value() == "at_once"
    await page.locator('a[href*="/alerts/stop/"]').click()
    await seen.goto(page.url)
    await look_around(seen, f"alert-stop-{language}")
    await page.locator("form.narrow button").click()
    await expect(page).to_have_url(re.compile("/alerts/stopped$"))
    assert await page.context.cookies() == []
    assert await site.services.subscribers.find(address) is None
