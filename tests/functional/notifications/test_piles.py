"""What a message says about a pile: the number of the person's queue, and nothing that they were told before."""

from datetime import timedelta
from decimal import Decimal

import pytest

from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service as reminders
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.errors import InputError
from almanac.jobs import JobType
from almanac.kit.logs import request_id
from almanac.kit.money import Money
from almanac.knowledge import KnowledgeViewer, Visibility
from almanac.notifications import NotificationChannel

NTFY = NotificationChannel.NTFY


@pytest.fixture
async def drafts(services):
    """Three reminders that wait for an approval."""
    due = services.clock.now().date() - timedelta(days=20)
    made = []
    for name in ("acme", "birch", "cedar"):
        await reminders.add_customer(services, AUTOMATION, name, CustomerEdit(name=name, email=f"{name}@example.org"))
        invoice = NewInvoice(customer_id=name, number=f"{name}-1", amount=Money(Decimal("100.00"), "EUR"), due=due)
        await reminders.add_invoice(services, AUTOMATION, invoice)
        made.append(await reminders.draft_reminder(services, AUTOMATION, name))
    return made


async def approve(services, draft):
    await reminders.approve_draft(
        services, AUTOMATION, draft.id, seen=draft.content_hash, send_after=timedelta(seconds=30)
    )


async def test_a_message_tells_the_number_of_the_queue_at_the_moment_of_sending(
    services, person, drafts, site, deliver, clock
):
    approver = await person(Role.APPROVER)
    await services.notifications.set_address(approver, NTFY, f"{site.address}/topic")
    await reminders.snooze_draft(services, AUTOMATION, drafts[0].id, until=clock.now() + timedelta(days=1))
    await deliver()
    assert [message["json"]["title"] for message in site.taken] == ["2 approvals are waiting"]


async def test_an_approval_that_is_undone_is_not_told_again_and_is_counted(services, person, drafts, site, deliver):
    approver = await person(Role.APPROVER)
    await services.notifications.set_address(approver, NTFY, f"{site.address}/topic")
    await deliver()
    await approve(services, drafts[0])
    await reminders.reopen_draft(services, AUTOMATION, drafts[0].id)
    await deliver(minutes=20)
    assert [message["json"]["title"] for message in site.taken] == ["3 approvals are waiting"]
    await reminders.add_customer(services, AUTOMATION, "dawn", CustomerEdit(name="Dawn", email="dawn@example.org"))
    due = services.clock.now().date() - timedelta(days=20)
    amount = Money(Decimal("100.00"), "EUR")
    await reminders.add_invoice(
        services, AUTOMATION, NewInvoice(customer_id="dawn", number="d-1", amount=amount, due=due)
    )
    await reminders.draft_reminder(services, AUTOMATION, "dawn")
    await deliver(minutes=20)
    assert site.taken[-1]["json"]["title"] == "4 approvals are waiting"


async def test_an_approval_that_is_undone_before_the_message_leaves_is_told(services, person, drafts, site, deliver):
    approver = await person(Role.APPROVER)
    await services.notifications.set_address(approver, NTFY, f"{site.address}/topic")
    await services.notifications.sort_events()
    for draft in drafts:
        await approve(services, draft)
        await reminders.reopen_draft(services, AUTOMATION, draft.id)
    await deliver()
    assert [message["json"]["title"] for message in site.taken] == ["3 approvals are waiting"]


async def test_a_reminder_that_was_taken_back_is_not_called_sent(services, drafts, clock):
    await approve(services, drafts[0])
    await reminders.reopen_draft(services, AUTOMATION, drafts[0].id)
    clock.advance(minutes=1)
    await make_worker(services).drain()
    [job] = (await services.jobs.jobs()).items
    assert (job.task, job.doing) == ("reminders.send", "Not sent: the approval was taken back.")


async def refuse(_job):
    raise InputError("This address is wrong.")


@pytest.mark.parametrize(("asked", "topics"), [("a-command", ["admin"]), (None, [])])
async def test_what_fails_by_what_the_command_line_gave_is_told_to_who_repairs_it(
    services, person, site, deliver, asked, topics
):
    """What a schedule started anew was given by nobody now; its owner sees it on the page."""
    for role in (Role.ADMIN, Role.EDITOR):
        await services.notifications.set_address(await person(role), NTFY, f"{site.address}/{role}")
    task = JobType("demo.read", refuse, title="Read a file")
    services.jobs.registry.add(task)
    request_id.set(asked)
    await services.jobs.defer(task)
    await make_worker(services).drain()
    await deliver()
    assert [message["json"]["topic"] for message in site.taken] == topics


async def test_a_source_from_the_command_line_is_told_to_its_owner(services, person, site, deliver):
    owner, admin = await person(Role.EDITOR), await person(Role.ADMIN)
    for who, topic in ((owner, "owner"), (admin, "admin")):
        await services.notifications.set_address(who, NTFY, f"{site.address}/{topic}")
    request_id.set("a-command")
    viewer = KnowledgeViewer(owner.user_id)
    await services.knowledge.add_file(viewer, "broken.pdf", b"%PDF-1.4\nno PDF\n%%EOF", visibility=Visibility.MINE)
    await make_worker(services).drain()
    await deliver()
    assert [message["json"]["topic"] for message in site.taken] == ["owner"]
    assert CONSOLE.user_id != owner.user_id
