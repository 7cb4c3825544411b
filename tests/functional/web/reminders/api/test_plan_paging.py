"""All pages of a plan are of the same moment, even if the ledger changes meanwhile."""

import pytest

from almanac.accounts.model import AUTOMATION
from almanac.desks.reminders import service, store
from almanac.kit.money import Money

PLAN = "/api/v1/reminders/plan"
NAMES = ("acme", "birch", "cedar", "dogwood", "elm")


@pytest.fixture
async def owers(owing):
    for name in NAMES:
        await owing(name, name=name.title())


async def test_the_pages_agree_while_the_ledger_changes(api, services, owers):
    first = (await api.get(PLAN, params={"limit": 2})).json()
    assert first["going_out"] == len(NAMES)
    paid = service.NewPayment(reference="b-1", amount=Money("100.00", "EUR"), customer_id="elm")
    await service.record_payment(services, AUTOMATION, paid)
    with services.tables.measure() as spent:
        pages = [first]
        while pages[-1]["next_cursor"]:
            following = await api.get(PLAN, params={"limit": 2, "cursor": pages[-1]["next_cursor"]})
            pages.append(following.json())
    assert "Invoice.with_state" not in spent.by_name
    lines = [line for page in pages for line in page["items"]]
    assert [(line["customer_id"], line["customer_name"]) for line in lines] == [(name, name.title()) for name in NAMES]
    assert sum(line["goes_out"] for line in lines) == first["going_out"]
    assert {(page["at"], page["going_out"]) for page in pages} == {(first["at"], len(NAMES))}
    assert (await api.get(PLAN)).json()["going_out"] == len(NAMES) - 1


async def test_a_plan_that_names_an_erased_customer_is_not_kept(api, services, owers):
    await api.get(PLAN, params={"limit": 2})
    assert [item.key async for item in services.objects.iterate("reminders/plans")]
    await api.post("/api/v1/reminders/customers/birch/erase")
    assert [item.key async for item in services.objects.iterate("reminders/plans")] == []


async def test_a_cursor_of_a_plan_that_is_gone_says_what_to_do(api, services, owers):
    page = (await api.get(PLAN, params={"limit": 2})).json()
    for kept in [item.key async for item in services.objects.iterate("reminders/plans")]:
        await services.objects.delete(kept)
    answer = await api.get(PLAN, params={"limit": 2, "cursor": page["next_cursor"]})
    assert (answer.status_code, "load its first page again" in answer.json()["detail"]) == (400, True)


async def test_turning_the_pages_of_the_plan_reads_the_ledger_once(admin, services, owers):
    await admin.get("/reminders/plan")
    with services.tables.measure() as spent:
        assert "Acme" in (await admin.get("/reminders/plan")).text
    assert "Invoice.with_state" not in spent.by_name
    customer = await store.get_customer(services.tables, "acme")
    edit = service.CustomerEdit(name="Zenith", email="z@example.org")
    await service.edit_customer(services, AUTOMATION, "acme", edit, expected=customer.version)
    assert "Zenith" in (await admin.get("/reminders/plan")).text
