"""Screenshots of each page, light and dark, on desktop and phone."""

import os

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.reminders import service
from almanac.desks.reminders.store.drafts import list_customer_drafts

# Other states of a page that is looked at anyway, for when a person wants pictures.
SPARE = {"queue-snoozed", "queue-none", "customers-none", "customer-new", "customer-recovered", "plan-held"}
# The pages that are laid out anew on a phone; all of them when a person wants pictures.
NARROW = {"queue", "queue-draft", "plan", "customers", "customer", "sent-mail", "replies", "reports", "template"}
TABLE = (
    b"customer_id;customer_name;invoice;amount;currency;due\nC-1;Birch;I-1;1.500,00;EUR;2026-01-02\nC-2;;I-2;x;EUR;?\n"
)


async def paths(site, demo_customers):
    """The address of every page by a name."""
    services = site.services
    [draft] = await list_customer_drafts(services.tables, demo_customers["second_draft"].id)
    [doubt] = await list_customer_drafts(services.tables, demo_customers["unknown"].id)
    sent = (await service.list_sent_to_customer(services, CONSOLE, demo_customers["recovered"].id)).items[0]
    customer = f"/reminders/customers/{demo_customers['partly_paid'].id}"
    return {
        "queue": "/reminders",
        "queue-draft": f"/reminders?draft={draft.id}",
        "queue-snoozed": "/reminders?state=snoozed",
        "queue-none": "/reminders?state=cancelled",
        "queue-gone": "/reminders?draft=20200101_000000_nobody",
        "draft-doubt": f"/reminders/drafts/{doubt.id}",
        "draft-edit": f"/reminders/drafts/{draft.id}?edit=yes",
        "plan": "/reminders/plan",
        "plan-held": "/reminders/plan?rule=claim",
        "customers": "/reminders/customers",
        "customers-none": "/reminders/customers?q=zzz",
        "customer-new": "/reminders/customers/new",
        "customer": customer,
        "customer-edit": f"{customer}/edit",
        "customer-promised": f"/reminders/customers/{demo_customers['promised'].id}",
        "customer-recovered": f"/reminders/customers/{demo_customers['recovered'].id}",
        "invoices": "/reminders/invoices",
        "invoice-new": "/reminders/invoices/new",
        "sent": "/reminders/sent?since=2020-01-01",
        "sent-mail": f"/reminders/sent/{sent.id}",
        "replies": "/reminders/replies",
        "reports": "/reminders/reports",
        "templates": "/reminders/templates",
        "template": f"/reminders/templates/reminder_first?customer={demo_customers['draft'].id}",
        "template-version": "/reminders/templates/reminder_first/versions/1",
        "template-new": "/reminders/templates/new",
        "ladder": "/reminders/ladder",
        "import": "/reminders/import",
    }


async def test_currencies_of_a_report_are_side_by_side(demo_customers, enter):
    page = await enter(Role.ADMIN)
    await page.goto("/reminders/reports")
    charts = page.get_by_role("region", name="Ageing, today").locator(".chart")
    places = [await chart.bounding_box() for chart in await charts.all()]
    units = await charts.locator(".chart-unit").all_inner_texts()
    assert units == ["EUR", "USD"]
    assert places[0]["y"] == places[1]["y"]
    assert places[0]["x"] + places[0]["width"] < places[1]["x"]
    assert max(place["height"] for place in places) <= 220


async def test_the_pages_of_the_desk(site, demo_customers, enter, look, look_around):
    page = await enter(Role.ADMIN)
    for name, path in (await paths(site, demo_customers)).items():
        pictures = bool(os.environ.get("SCREENSHOTS"))
        if name in SPARE and not pictures:
            continue
        await page.goto(path)
        await (look_around if pictures or name in NARROW else look)(page, name)
    await page.goto("/reminders/import")
    file = {"name": "open.csv", "mimeType": "text/csv", "buffer": TABLE}
    await page.get_by_label("File").set_input_files(file)
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("heading", name="Refused rows").wait_for()
    await look_around(page, "import-trial")
