"""Loads the demo's customers one by one, and removes them with everything that belongs to them."""

from almanac.demo import DemoContent, DemoRun
from almanac.desks.reminders import service
from almanac.desks.reminders.demo.customers import DemoCustomer, list_demo_customers
from almanac.desks.reminders.demo.scenarios import create_records
from almanac.desks.reminders.indexing import index_customers, index_invoices, remove_from_index
from almanac.desks.reminders.store.drafts import list_customer_drafts
from almanac.desks.reminders.store.erasure import remove_customer
from almanac.desks.reminders.store.ledger_queries import list_customer_invoices
from almanac.kit.messages import gettext

CUSTOMER, INVOICE = "customer", "invoice"
_LOADED = "told"


async def load_customers(run: DemoRun) -> None:
    """Create every customer that isn't complete; one that was interrupted is created again."""
    demo_customers = list(list_demo_customers(run.day))
    for done, demo_customer in enumerate(demo_customers):
        await run.ledger.progress(done, len(demo_customers), gettext("Adding customers"))
        if demo_customer.customer.id not in run.made(_LOADED):
            await _load(run, demo_customer)


async def _load(run: DemoRun, demo_customer: DemoCustomer) -> None:
    customer = demo_customer.customer.id
    if customer in run.made(CUSTOMER):
        await remove_customer(run.services.tables, customer)
    await run.note(CUSTOMER, customer, customer)
    await create_records(run, demo_customer)
    await index_customers(run.services, [demo_customer.customer])
    await index_invoices(run.services, demo_customer.invoices)
    await run.note_all(INVOICE, {invoice.number: customer for invoice in demo_customer.invoices})
    await run.note(_LOADED, customer, customer)


async def remove_customers(content: DemoContent) -> None:
    """Remove all demo customers; reminders in doubt are settled first."""
    for customer in content.made(CUSTOMER).values():
        await _settle(content, customer)
        await remove_from_index(
            content.services, customer, await list_customer_invoices(content.services.tables, customer)
        )
        await remove_customer(content.services.tables, customer)
    await _forget_mails(content)


async def _settle(content: DemoContent, customer: str) -> None:
    for draft in await list_customer_drafts(content.services.tables, customer):
        if draft.state == "unknown":
            why = "The demo content is removed; its mails never left."
            await service.settle_draft(content.services, content.owner, draft.id, "not_sent", why=why)


async def _forget_mails(content: DemoContent) -> None:
    async with content.services.database.unit() as unit:
        for demo_customer in list_demo_customers(content.day):
            if demo_customer.customer.email and demo_customer.customer.id in content.made(CUSTOMER):
                await content.services.mailer.erase(demo_customer.customer.email, by=content.owner.user_id, unit=unit)
