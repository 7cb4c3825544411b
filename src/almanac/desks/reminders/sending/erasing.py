"""Forgetting a customer on request, in the table and in the mail that was sent to them."""

from contextlib import suppress

import msgspec

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import Deed, Subject
from almanac.desks.reminders import store
from almanac.desks.reminders.importing.report import ImportReport
from almanac.desks.reminders.indexing import index_customers
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.sending.deciding import WRITE, rules_of
from almanac.desks.reminders.store.erasing import require_settled
from almanac.desks.reminders.store.reading import drafts_of
from almanac.desks.reminders.writer.letter import LETTER
from almanac.errors import NotFound
from almanac.llm.answer_cache import forget_step_answers
from almanac.services import Services

# Plans that programs read page by page, what a model wrote, and what imports left: all of it names customers.
PLANS, WRITINGS, IMPORTS = "reminders/plans", "reminders/writings", "reminders/imports"
_WITH_ROWS = ("/upload.csv", "/refused.csv")
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")


async def erase(services: Services, by: Principal, customer_id: str) -> Customer:
    """Remove everything personal. The addresses are needed to find the mails, so the table is cleared last.

    Cut off at any point, it can be repeated. The guard against a second mail stays.
    """
    by.require(WRITE)
    await require_settled(services.tables, customer_id)
    addresses = await _addresses(services, customer_id)
    async with services.database.unit() as unit:
        for address in sorted(addresses):
            await services.mailer.erase(address, by=by.user_id, unit=unit)
        await audit.record(
            unit, services.clock, Deed(by.actor, "customer.erased", Subject("reminders.customer", customer_id))
        )
    for folder in (PLANS, f"{WRITINGS}/{customer_id}"):
        for key in [kept.key async for kept in services.objects.iterate(folder)]:
            await services.objects.delete(key)
    await _forget_imports(services, customer_id)
    rules = await rules_of(services)
    erased = await store.erase_customer(services.tables, customer_id, rules=rules, now=services.clock.now())
    async with services.database.unit() as unit:
        # An answer doesn't say whom it is about, and letters can be asked for again.
        await forget_step_answers(unit, LETTER.name)
    await index_customers(services, [erased])
    return erased


async def _forget_imports(services: Services, customer_id: str) -> None:
    """Files that wait to be imported and refused rows go where they name the customer; so does what reports quote."""
    for key in [kept.key async for kept in services.objects.iterate(IMPORTS)]:
        # One of another's may go at the same moment: its month is over, or it is imported.
        with suppress(NotFound):
            if key.endswith(_WITH_ROWS):
                await _forget_rows(services, key, customer_id)
            elif key.endswith("/report.json"):
                report = msgspec.json.decode(await services.objects.get(key), type=ImportReport)
                await services.objects.put(key, msgspec.json.encode(report.without(customer_id)))


async def _forget_rows(services: Services, key: str, customer_id: str) -> None:
    content = await services.objects.get(key)
    if any(customer_id.encode(encoding) in content for encoding in _ENCODINGS):
        await services.objects.delete(key)


async def _addresses(services: Services, customer_id: str) -> set[str]:
    """Every address that was ever written to, also where the mail never left."""
    found = set((await store.get_customer(services.tables, customer_id)).recipients)
    found.update(email for draft in await drafts_of(services.tables, customer_id) for email in draft.wording.recipients)
    cursor: str | None = None
    while True:
        page = await store.list_history(services.tables, customer_id, cursor=cursor)
        found.update(address for sent in page.items for address in sent.delivery)
        if (cursor := page.next_cursor) is None:
            return found
