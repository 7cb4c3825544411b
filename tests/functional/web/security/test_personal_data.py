"""Customers and what they owe are shown to nobody without the right to see the reminders desk, anywhere.

Each visitor opens every address that can be read, with the ids of real objects, and the customer's name, address and
invoice are looked for in the answers. Somebody with the right does the same, to show that they would be found.
"""

import html
from urllib.parse import quote

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.accounts.permissions import DESKS, Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service as reminders
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.jobs import JobFilter
from almanac.kit.money import Money

NAME, ADDRESS, NUMBER = "Zanzibar Holdings", "ledger@zanzibar.example", "ZAN-4711"
PERSONAL = (NAME, "zanzibar.example", NUMBER)
ENDLESS = ("/live", "/recap/tasks/live")
# The audit log of administrators names what was acted on by its id, and an invoice's id is its number.
BY_ID = ("/audit", "/api/v1/audit", "/audit/export", "/api/v1/audit/export")


@pytest.fixture
async def debt(services, api):
    """A customer who owes, a letter to them that was sent, one that waits, and the jobs and mails of all that."""
    edit = CustomerEdit(name=NAME, email=ADDRESS)
    await reminders.add_customer(services, AUTOMATION, "zan", edit)
    due = services.clock.now().date().replace(day=1)
    invoice = NewInvoice(customer_id="zan", number=NUMBER, amount=Money("100.00", "EUR"), due=due)
    await reminders.add_invoice(services, AUTOMATION, invoice)
    draft = await reminders.draft_reminder(services, AUTOMATION, "zan")
    approved = await api.post(f"/api/v1/reminders/drafts/{draft.id}/approve", json={})
    assert approved.status_code == 200, approved.text
    async with services.database.unit() as unit:
        subject = ApprovalSubject("reminders.template", "t1")
        asked = await services.approvals.ask(unit, subject, content_hash("x"), AUTOMATION, title=f"Letter to {NAME}")
    services.clock.advance(hours=1)
    await services.jobs.run_schedule("reminders.keep-up")
    await make_worker(services).drain()
    jobs = (await services.jobs.jobs(JobFilter(), limit=200)).items
    mails = (await services.mailbox.list(limit=200)).items
    assert any(NAME in " ".join((mail.subject, *mail.recipients)) or ADDRESS in mail.recipients for mail in mails)
    return {
        "customer_id": ["zan"],
        "number": [NUMBER],
        "draft_id": [draft.id],
        "approval_id": [asked.id],
        "job_id": [str(job.id) for job in jobs if job.task.startswith("reminders.")],
        "mail_id": [mail.id for mail in mails if mail.topic == "reminders"],
        "desk": ["reminders"],
    }


def addresses(ways, debt):
    """Every address that can be read: with each id of the debt where a path takes one, and searches for the name."""
    for way in ways:
        if way.method != "GET" or way.path in ENDLESS:
            continue
        names = way.parameters & debt.keys() - (set() if "/reminders/" in way.path else {"number"})
        for number in range(max((len(debt[name]) for name in names), default=1)):
            yield way.to(**{name: debt[name][number % len(debt[name])] for name in names})
    for words in (NAME, "zanzibar", NUMBER, ADDRESS):
        for place in ("/search", "/api/v1/search", "/mail", "/api/v1/mail", "/people", "/api/v1/users"):
            yield f"{place}?q={words}"


async def find_personal(client, urls):
    """The addresses whose answers show something personal. What one has typed oneself is no find."""
    shown = []
    for url in urls:
        answer = await client.get(url)
        assert answer.status_code < 500, url
        typed = url.partition("?q=")[2] or url
        text = answer.text.partition('id="results"')[2] or answer.text
        text = text.replace(html.escape(typed), "").replace(quote(typed), "")
        if any(word in text for word in PERSONAL if not (word == NUMBER and url in BY_ID)):
            shown.append(url)
    return shown


async def without_the_desk(services, user):
    await accounts.set_own_rights(services.accounts, CONSOLE, user.id, "reminders", [])


async def test_whoever_may_see_the_desk_finds_the_customer_in_many_places(ways, debt, admin):
    shown = await find_personal(admin.http, addresses(ways, debt))
    assert {"/reminders/customers", "/api/v1/reminders/customers", "/mail", "/approvals"} <= set(shown)
    assert len(shown) > 20


@pytest.mark.parametrize("role", list(Role))
async def test_nobody_else_finds_the_customer_anywhere(ways, debt, signed_in, services, role):
    visitor = await signed_in(role)
    if role is not Role.MEMBER:
        await without_the_desk(services, visitor.user)
    assert await find_personal(visitor.http, addresses(ways, debt)) == []


async def test_a_token_for_other_desks_finds_nothing(ways, debt, person, services, visit):
    user = await person(Role.ADMIN)
    scopes = [f"{desk}:read" for desk in DESKS if desk != "reminders"]
    made = await accounts.create_token(services.accounts, CONSOLE, name="t", scopes=scopes, owner_id=user.id)
    client = visit(headers={"Authorization": f"Bearer {made.secret}"})
    assert await find_personal(client, [url for url in addresses(ways, debt) if url.startswith("/api/")]) == []


async def test_a_saved_query_its_feed_and_its_alerts_follow_the_rights_of_the_moment(
    ways, debt, signed_in, services, visit, clock
):
    visitor = await signed_in(Role.EDITOR)
    headers = {"X-CSRF-Token": await visitor.csrf()}
    made = await visitor.http.post(
        "/api/v1/saved-queries", json={"name": "Debts", "query": "zanzibar"}, headers=headers
    )
    saved = made.json()["id"]
    feed = (await visitor.http.post(f"/api/v1/saved-queries/{saved}/feed", headers=headers)).json()["feeds"]["json"]
    wish = {"frequency": "hourly"}
    kept = await visitor.http.put(f"/api/v1/saved-queries/{saved}/alert", json=wish, headers=headers)
    assert kept.status_code == 200, kept.text
    assert NAME in (await visit().get(feed)).text
    await without_the_desk(services, visitor.user)
    assert NAME not in (await visit().get(feed)).text
    for path in (f"/saved/{saved}", f"/api/v1/saved-queries/{saved}/results", "/saved"):
        assert NAME not in (await visitor.get(path)).text
    edit = CustomerEdit(name=f"{NAME} Two", email="two@zanzibar.example")
    await reminders.add_customer(services, AUTOMATION, "zan2", edit)
    clock.advance(hours=3)
    await services.jobs.run_schedule("saved.alerts")
    await make_worker(services).drain()
    mails = (await services.mailbox.list(limit=200)).items
    assert not [mail.subject for mail in mails if visitor.user.email in mail.recipients]
