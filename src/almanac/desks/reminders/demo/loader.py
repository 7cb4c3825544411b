"""Loads the demo's customers one after another, and takes them away again with everything that belongs to them."""

from almanac.demo import DemoContent, DemoRun
from almanac.desks.reminders import service
from almanac.desks.reminders.demo.customers import DemoCustomer, list_demo_customers
from almanac.desks.reminders.demo.stories import play_story
from almanac.desks.reminders.indexing import index_customers, index_invoices, remove_from_index
from almanac.desks.reminders.store.drafts import list_customer_drafts
from almanac.desks.reminders.store.erasure import remove_customer
from almanac.desks.reminders.store.ledger_queries import list_customer_invoices

CUSTOMER, INVOICE = "customer", "invoice"
_LOADED = "told"


async def load_customers(run: DemoRun) -> None:
    """Tell every story that was not told to its end; one that was cut off begins anew."""
    roles = list(list_demo_customers(run.day))
    for done, role in enumerate(roles):
        await run.ledger.progress(done, len(roles), "Adding customers")
        if role.customer.id not in run.made(_LOADED):
            await _load(run, role)


async def _load(run: DemoRun, role: DemoCustomer) -> None:
    customer = role.customer.id
    if customer in run.made(CUSTOMER):
        await remove_customer(run.services.tables, customer)
    await run.note(CUSTOMER, customer, customer)
    await play_story(run, role)
    await index_customers(run.services, [role.customer])
    await index_invoices(run.services, role.invoices)
    await run.note_all(INVOICE, {invoice.number: customer for invoice in role.invoices})
    await run.note(_LOADED, customer, customer)


async def remove_customers(content: DemoContent) -> None:
    """Everything of theirs; what was in doubt is settled first, so that nothing waits for an answer any more."""
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
        for role in list_demo_customers(content.day):
            if role.customer.email and role.customer.id in content.made(CUSTOMER):
                await content.services.mailer.erase(role.customer.email, by=content.owner.user_id, unit=unit)
