"""Waiting work of every kind, and people in each role to see it."""

import psycopg
import pytest

from almanac.accounts.model import AUTOMATION, Principal
from almanac.approvals import ApprovalSubject, content_hash
from almanac.bootstrap import make_worker
from almanac.desks.habits.model.habit import HabitInput
from almanac.desks.habits.service import habits
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.reminders import service as reminders
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.errors import AlmanacError
from almanac.jobs import JobType
from almanac.kit.money import Money


@pytest.fixture
def as_principal():
    def principal(user):
        return Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="session")

    return principal


@pytest.fixture
async def work(services, database_url):
    """A failed job, a question, a reminder to decide, a failed link: one of each that anybody could act on."""

    async def fail(job) -> None:
        raise AlmanacError("The feed answered badly.")

    task = JobType("demo.fail", fail, title="Read a feed")
    services.jobs.registry.add(task)
    await services.jobs.defer(task)
    await make_worker(services).drain()
    async with services.database.unit() as unit:
        subject = ApprovalSubject("newsletter.draft", "d1")
        await services.approvals.ask(unit, subject, content_hash("x"), AUTOMATION, title="March issue")
    await reminders.add_customer(services, AUTOMATION, "acme", CustomerEdit(name="Acme Ltd", email="a@example.org"))
    due = services.clock.now().date().replace(day=1)
    new = NewInvoice(customer_id="acme", number="INV-77", amount=Money("100.00", "EUR"), due=due)
    await reminders.add_invoice(services, AUTOMATION, new)
    await reminders.draft_reminder(services, AUTOMATION, "acme")
    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        await connection.execute(
            "INSERT INTO news_links (url, url_hash, title, status, error_message, processed_at)"
            " VALUES ('https://a.example/x', repeat('a', 64), 'Lost page', 'failed', 'The page is gone (404).', now())"
        )


@pytest.fixture
def own_work(services, as_principal):
    """A newsletter and a habit of somebody's own."""

    async def begin(user, name):
        principal = as_principal(user)
        await newsletter_service.create_newsletter(services, principal, ConfigurationEdit(title=f"{name} letter"))
        await habits.create_habit(services, principal, HabitInput(name=f"{name} walk"))

    return begin
