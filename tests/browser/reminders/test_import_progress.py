"""An import from the file to its report: the page asks a question and follows the job live."""

from playwright.async_api import expect

from almanac.accounts.permissions import Role
from almanac.desks.reminders import store
from almanac.kit.ids import new_id


async def test_a_file_with_a_question_is_tried_answered_and_imported(site, enter, look):
    mark = new_id()[-8:]
    rows = f"Customer;Name;Invoice;Amount;Currency;Due\nK-{mark};Oak;J-{mark};20.00;EUR;03/04/2026\n;;;;;nothing\n"
    page = await enter(Role.EDITOR)
    await page.goto("/reminders/import")
    await page.get_by_label("File").set_input_files(
        {"name": "open.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_text("Does a date such as 03/04/2026").wait_for()
    await look(page, "import-question-light-desktop")
    await page.get_by_label("The day comes first").check()
    await page.get_by_role("button", name="Preview again").click()
    await page.get_by_role("button", name="Import 1 row").click()
    await expect(page.get_by_text("2 rows in all")).to_be_visible()
    await expect(page.get_by_role("progressbar")).to_have_count(0)
    await look(page, "imported-light-desktop")
    async with page.expect_response("**/live*") as stream:
        await page.goto(page.url.partition("?")[0])
    assert (await stream.value).status == 200
    invoice = await store.get_invoice(site.services.tables, f"K-{mark}", f"J-{mark}")
    assert str(invoice.due) == "2026-04-03"
