"""The audit log reads as sentences with names and amounts, and is filtered by person, action and day."""

import html
import re

import pytest

from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.accounts.permissions import Role
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject
from almanac.desks import DESKS
from almanac.desks.reminders import service as reminders
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.kit.money import Money
from almanac.web.audit_log import AuditReader


@pytest.fixture
async def draft(services):
    """A reminder to a customer who owes."""
    await reminders.add_customer(
        services, AUTOMATION, "lotus", CustomerEdit(name="Lotus <Print>", email="a@lotus.example")
    )
    due = services.clock.now().date().replace(day=1)
    invoice = NewInvoice(customer_id="lotus", number="L-1", amount=Money("4461.89", "EUR"), due=due)
    await reminders.add_invoice(services, AUTOMATION, invoice)
    return await reminders.draft_reminder(services, AUTOMATION, "lotus")


async def approve(services, client, draft):
    by = client.user.as_principal("session", desks=services.accounts.desks)
    await reminders.approve_draft(services, by, draft.id, seen=draft.content_hash)


async def sentences(client, **params):
    """The lines of the page, as they are read."""
    page = (await client.get("/audit", params=params)).text
    lines = re.findall(r'<span class="audit-sentence">(.*?)</span>\s*<span class="audit-time">', page, re.DOTALL)
    return [" ".join(html.unescape(re.sub(r"<[^>]+>", "", line)).split()) for line in lines]


async def test_an_approval_is_a_sentence_with_customer_and_amount(admin, services, draft):
    await approve(services, admin, draft)
    line = f"{admin.user.name} approved the first reminder to Lotus <Print> · 4,461.89 EUR"
    assert line in await sentences(admin, action="reminder.approved")
    assert "Almanac drafted the first reminder to Lotus <Print> · 4,461.89 EUR" in await sentences(admin)


async def test_it_speaks_the_readers_language(admin, services, draft):
    await approve(services, admin, draft)
    await admin.post("/account", {"name": admin.user.name, "language": "de", "version": str(admin.user.version)})
    (line,) = await sentences(admin, action="reminder.approved")
    assert re.fullmatch(rf"{admin.user.name} hat die erste \w+ an Lotus <Print> freigegeben · 4\.461,89 EUR", line)


async def test_an_erased_customer_leaves_a_sentence_without_a_name(admin, services, draft):
    await reminders.erase_customer(services, CONSOLE, "lotus")
    assert "Almanac drafted the first reminder to a customer · 4,461.89 EUR" in await sentences(admin)
    assert not [line for line in await sentences(admin) if "Lotus" in line]


async def test_a_customer_is_named_only_to_readers_of_the_desk(services, person, draft):
    user = await person(Role.EDITOR, email="auditor@example.org")
    principal = user.as_principal("token", desks=())
    page = await audit.list_entries(services.database, audit.AuditFilter(action="reminder.drafted"), key=b"k" * 32)
    (line,) = await AuditReader(services, DESKS, principal).describe(page.items)
    assert line.sentence == "Almanac drafted the first reminder to a customer"


async def test_a_team_is_named_and_after_it_is_gone_the_sentence_still_reads_well(admin, services):
    await admin.post("/teams", {"name": "Collections"})
    (line,) = await sentences(admin, action="team.created")
    assert line == f"{admin.user.name} made the team Collections"
    async with services.database.unit() as unit:
        await unit.execute("DELETE FROM teams")
    assert await sentences(admin, action="team.created") == [f"{admin.user.name} made the team"]


async def test_a_code_that_no_sentence_has_is_shown_as_it_is(admin, services):
    async with services.database.unit() as unit:
        deed = AuditAction(CONSOLE.actor, "attic.tidied", AuditSubject("attic", "north"))
        await audit.record(unit, services.clock, deed)
    assert "attic.tidied" in await sentences(admin)
    page = (await admin.get("/audit")).text
    assert '<optgroup label="Earlier versions">' in page
    assert '<option value="attic.tidied">attic.tidied</option>' in page


async def test_people_and_actions_are_picked_by_their_names(admin, person):
    await person(Role.EDITOR, email="grace@example.org")
    page = (await admin.get("/audit")).text
    assert f'<option value="{admin.user.id}">{admin.user.name}</option>' in page
    assert "grace@example.org" not in page
    assert '<optgroup label="Sign-in">' in page
    assert '<option value="session.started">Somebody signed in</option>' in page
    only = await sentences(admin, actor=admin.user.id)
    assert only
    assert all(line.startswith(admin.user.name) for line in only)


async def test_today_and_this_week_are_in_the_address(admin, services):
    assert await sentences(admin, period="today")
    services.clock.advance(days=8)
    assert await sentences(admin, period="today") == []
    assert await sentences(admin, period="week") == []
    assert await sentences(admin)
