"""A running job is followed without reloading, and can be stopped."""

from playwright.async_api import expect


async def test_progress_arrives_by_itself_and_the_job_ends_on_the_page(site, enter):
    page = await enter()
    job = await site.services.jobs.defer(site.long_task)
    await page.goto(f"/jobs/{job}")
    await expect(page.get_by_text("feed 1")).to_be_visible()
    await expect(page.locator("#jobs-indicator")).to_contain_text("1 job running")
    site.gate.let_on()
    await expect(page.get_by_text("feed 2")).to_be_visible()
    await expect(page.get_by_role("progressbar")).to_have_js_property("value", 1)
    site.gate.let_on(3)
    await expect(page.locator("#job-state").get_by_text("Succeeded", exact=True)).to_be_visible()
    await expect(page.get_by_text("Attempt 1 succeeded")).to_be_visible()


async def test_a_running_job_is_cancelled_at_its_next_step(site, enter):
    page = await enter()
    job = await site.services.jobs.defer(site.long_task)
    await page.goto(f"/jobs/{job}")
    await expect(page.get_by_text("feed 1")).to_be_visible()
    await page.get_by_role("button", name="Cancel").click()
    await expect(page.get_by_text("Stopping at the next step")).to_be_visible()
    site.gate.let_on()
    await expect(page.locator("#job-state").get_by_text("Cancelled", exact=True)).to_be_visible()


async def test_a_failed_job_tells_why_and_is_retried_from_the_home_page(site, enter):
    job = await site.services.jobs.defer(site.failing_task)
    assert [view.status async for view in site.services.jobs.watch(job)][-1] == "failed"
    page = await enter()
    await page.goto("/")
    waiting = page.get_by_role("region", name="Decide")
    row = waiting.get_by_role("listitem").filter(has=page.locator(f'[action="/jobs/{job}/retry"]'))
    await expect(row).to_contain_text("The feed at example.org answered with an error page.")
    await row.get_by_role("button", name="Retry").click()
    await expect(page.get_by_text("The job is queued again.")).to_be_visible()
