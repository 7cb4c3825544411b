"""Without mail set up nothing claims that a mail was sent: every page, API answer and command says it is kept here."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.config import Settings
from almanac.desks.reminders import service as reminders
from almanac.desks.reminders import store
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.kit.money import Money
from almanac.notifications import NotificationChannel, NotificationKind, NotificationSettings

from .conftest import ADMIN_TOKEN, BASE

GRACE = {"email": "grace@example.org", "name": "Grace Hopper", "role": "editor"}
CLAIM = re.compile(r'class="badge[^>]*>(?:\s*<(?!/span)[^>]*>)*\s*(?:Sent|Delivered)\b')


@pytest.fixture
def settings(tmp_path, database_url) -> Settings:
    """The default: no mail setting, so mail stays in the outbox folder."""
    return Settings(
        data=tmp_path / "data",
        database_url=database_url,
        base_url=BASE,
        admin_token=ADMIN_TOKEN,
        rate_limit_per_minute=100_000,
    )


@pytest.fixture
async def kept_reminder(services):
    """An approved reminder whose mail went to the outbox folder."""
    await reminders.add_customer(services, AUTOMATION, "acme", CustomerEdit(name="Acme", email="acme@example.org"))
    due = services.clock.now().date() - timedelta(days=20)
    amount = Money(Decimal("100.00"), "EUR")
    await reminders.add_invoice(
        services, AUTOMATION, NewInvoice(customer_id="acme", number="A-1", amount=amount, due=due)
    )
    draft = await reminders.draft_reminder(services, AUTOMATION, "acme")
    await reminders.approve_draft(services, AUTOMATION, draft.id, seen=draft.content_hash, send_after=None)
    status = await reminders.send_draft(services, AUTOMATION, draft.id)
    assert (status.state, status.reason) == ("kept", "Mail isn't set up, so it reached nobody.")
    now = services.clock.now()
    [sent] = (await reminders.list_sent(services, AUTOMATION, now - timedelta(days=1), now + timedelta(days=1))).items
    return sent


def link_in(text: str) -> str:
    match = re.search(r"/link/alml_[\w-]+", text)
    assert match, "no link to copy"
    return match[0]


async def test_an_invitation_shows_the_link_to_copy_and_it_works(admin, nobody):
    form = (await admin.get("/people/invite")).text
    assert "Mail isn't set up, so you get a link to give them." in form
    answer = await admin.post("/people/invite", GRACE)
    assert "invited by e-mail" not in answer.text
    assert "Nothing was sent to grace@example.org." in answer.text
    assert 'href="/setup/mail"' in answer.text
    assert "Welcome, Grace Hopper" in (await nobody.get(link_in(answer.text))).text


async def test_a_new_link_replaces_the_one_that_was_shown(admin, nobody):
    first = link_in((await admin.post("/people/invite", GRACE)).text)
    person = re.search(r'href="/people/([^"]+)">Grace Hopper', (await admin.get("/people")).text)[1]
    second = link_in((await admin.post(f"/people/{person}/link")).text)
    assert first != second
    assert (await nobody.get(first)).status_code == 410
    assert "Welcome, Grace Hopper" in (await nobody.get(second)).text


async def test_the_api_gives_the_invitation_link(api, nobody):
    answer = (await api.post("/api/v1/users", json=GRACE)).json()
    assert "Welcome, Grace Hopper" in (await nobody.get(link_in(answer["invitation_link"]))).text


async def test_nobody_is_told_to_check_their_mail_for_a_reset(nobody, signed_in):
    await signed_in(Role.EDITOR)
    page = (await nobody.get("/sign-in/forgotten")).text
    assert "Mail isn't set up here" in page
    answer = await nobody.http.post("/sign-in/forgotten", data={"email": "editor@example.org"})
    assert "on its way" not in answer.text
    assert "Ask an administrator for a link" in answer.text


async def test_mail_pages_and_api_say_kept(admin, api, services):
    await admin.post("/people/invite", GRACE)
    await services.mailer.deliver_due()
    [line] = (await services.mailbox.list()).items
    assert (line.status, line.outcome) == ("sent", "kept"), "what is stored stays; what is told is the truth"
    listing = (await admin.get("/mail")).text
    assert "Kept here" in listing
    assert not CLAIM.search(listing)
    assert "No messages match" in (await admin.get("/mail?status=sent")).text
    assert line.subject in (await admin.get("/mail?status=kept")).text
    page = (await admin.get(f"/mail/{line.id}")).text
    assert "Kept here; it reached nobody" in page
    assert not CLAIM.search(page)
    assert [item["status"] for item in (await api.get("/api/v1/mail")).json()["items"]] == ["kept"]
    assert (await api.get(f"/api/v1/mail/{line.id}")).json()["status"] == "kept"
    assert (await api.get("/api/v1/mail?status=sent")).json()["items"] == []


async def test_a_kept_reminder_is_never_called_sent(admin, api, kept_reminder):
    for path in (
        "/reminders",
        "/reminders/sent",
        f"/reminders/sent/{kept_reminder.id}",
        "/reminders/customers/acme",
    ):
        page = (await admin.get(path)).text
        assert not CLAIM.search(page), path
        assert "went out" not in page, path
    assert "Kept here" in (await admin.get("/reminders/sent")).text
    assert "is kept here, because mail isn&#39;t set up" in (await admin.get("/reminders/customers/acme")).text
    assert kept_reminder.delivery == {"acme@example.org": "kept"}
    [body] = (await api.get("/api/v1/reminders/customers/acme/history")).json()["items"]
    assert (body["status"], body["delivery_status"]) == ("sent", "kept")


async def test_the_log_and_the_trace_of_a_kept_reminder_say_that_it_reached_nobody(admin, api, kept_reminder):
    log = (await admin.get("/audit")).text
    assert "kept the first reminder to Acme here; it reached nobody" in log
    assert "sent the first reminder" not in log
    [trace] = (await api.get("/api/v1/why?about=customer:acme")).json()["items"]
    assert trace["state"] == "Not reminded: the last one was kept here today; it reached nobody."
    assert trace["steps"][0]["sentence"] == "The last reminder was kept here; it reached nobody."


async def test_the_table_keeps_the_documented_status(services, kept_reminder):
    stored = await store.get_sent(services.tables, kept_reminder.id)
    assert (stored.status, stored.delivery_status) == ("sent", "sent")


async def test_home_says_kept(admin, kept_reminder):
    home = (await admin.get("/")).text
    assert "1 reminder was kept here" in home
    assert "1 reminder was sent" not in home


@pytest.mark.parametrize(
    "path", ["/mail", "/reminders", "/reminders/sent", "/habits/settings", "/account/notifications"]
)
async def test_pages_about_mail_lead_to_its_set_up(admin, signed_in, path):
    assert 'href="/setup/mail"' in (await admin.get(path)).text
    approver = await signed_in(Role.APPROVER)
    if (page := await approver.get(path)).status_code == 200:
        assert "Ask an administrator to set it up." in page.text


async def test_a_notification_by_mail_is_called_kept(admin, services, clock):
    settings = NotificationSettings(choices={NotificationKind.APPROVALS: frozenset({NotificationChannel.MAIL})})
    (user,) = (await accounts.list_users(services.accounts, CONSOLE)).items
    await services.notifications.save_settings(user.as_principal("session"), settings, expected=0)
    async with services.database.unit() as unit:
        subject = ApprovalSubject("recap", "1")
        await services.approvals.ask(unit, subject, content_hash("x"), CONSOLE, title="One", link="/recap/1")
    await services.notifications.sort_events()
    clock.advance(minutes=1)
    await services.notifications.deliver_due()
    page = (await admin.get("/account/notifications")).text
    assert "Kept here" in page
    assert not CLAIM.search(page)


async def test_a_test_by_mail_is_called_kept(admin):
    answer = await admin.post("/account/notifications/test/mail")
    assert "Kept here; mail isn&#39;t set up." in answer.text
    assert "on its way" not in answer.text


async def test_an_alert_says_that_it_reaches_nobody(admin):
    saved = await admin.post("/saved", {"name": "Tea", "query": "tea"})
    assert "Alerts are kept here and reach nobody." in saved.text
