"""Erasing a customer everywhere on request, and deleting what is past its retention."""

from contextlib import suppress
from datetime import timedelta

import msgspec

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject
from almanac.desks.reminders import store
from almanac.desks.reminders.formats.report import LedgerImportReport
from almanac.desks.reminders.indexing import index_customers
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.transitions import DRAFT_RETENTION
from almanac.desks.reminders.pipeline.context import (
    BATCHES_FOLDER,
    IMPORTS_FOLDER,
    PLANS_FOLDER,
    WRITINGS_FOLDER,
    load_rules,
)
from almanac.desks.reminders.pipeline.dispatch import MAIL_TOPIC
from almanac.desks.reminders.store.table import SENT_RETENTION_DAYS
from almanac.desks.reminders.writer.letters import LETTER
from almanac.errors import NotFound
from almanac.kit.json_text import encode_json
from almanac.llm.answer_cache import forget_step_answers
from almanac.mail.model import MailRetention
from almanac.services import Services

_FILES_WITH_ROWS = ("/upload.csv", "/refused.csv")
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
RETENTION = timedelta(days=30)
_RETENTION_BY_FOLDER = {
    IMPORTS_FOLDER: RETENTION,
    BATCHES_FOLDER: RETENTION,
    WRITINGS_FOLDER: RETENTION,
    PLANS_FOLDER: timedelta(days=1),
}


async def erase_customer_data(services: Services, by: Principal, customer_id: str) -> Customer:
    """Erase everything personal; what prevents a second mail stays. It can be repeated after a crash.

    The table is cleared last, because its addresses are needed to find the mails.
    """
    await store.require_settled(services.tables, customer_id)
    addresses = await _list_addresses(services, customer_id)
    async with services.database.unit() as unit:
        for address in sorted(addresses):
            await services.mailer.erase(address, by=by.user_id, unit=unit)
        await audit.record(
            unit,
            services.clock,
            AuditAction(by.actor, "customer.erased", AuditSubject("reminders.customer", customer_id)),
        )
    for folder in (PLANS_FOLDER, f"{WRITINGS_FOLDER}/{customer_id}"):
        for key in [item.key async for item in services.objects.iterate(folder)]:
            await services.objects.delete(key)
    await _erase_imports(services, customer_id)
    rules = await load_rules(services)
    erased = await store.erase_customer(services.tables, customer_id, rules=rules, now=services.clock.now())
    async with services.database.unit() as unit:
        # A cached answer doesn't say which customer it is about, and letters can be requested again.
        await forget_step_answers(unit, LETTER.name)
    await index_customers(services, [erased])
    return erased


async def _erase_imports(services: Services, customer_id: str) -> None:
    """Delete uploads and refused rows that name the customer, and remove the customer from reports."""
    for key in [item.key async for item in services.objects.iterate(IMPORTS_FOLDER)]:
        # Another job may delete the same object meanwhile: it expired, or was imported.
        with suppress(NotFound):
            if key.endswith(_FILES_WITH_ROWS):
                await _erase_rows(services, key, customer_id)
            elif key.endswith("/report.json"):
                report = msgspec.json.decode(await services.objects.get(key), type=LedgerImportReport)
                await services.objects.put(key, encode_json(report.without(customer_id)))


async def _erase_rows(services: Services, key: str, customer_id: str) -> None:
    content = await services.objects.get(key)
    if any(customer_id.encode(encoding) in content for encoding in _ENCODINGS):
        await services.objects.delete(key)


async def _list_addresses(services: Services, customer_id: str) -> set[str]:
    """Every address that was ever written to, even if the mail never left."""
    addresses = set((await store.get_customer(services.tables, customer_id)).recipients)
    addresses.update(
        email
        for draft in await store.list_customer_drafts(services.tables, customer_id)
        for email in draft.wording.recipients
    )
    cursor: str | None = None
    while True:
        page = await store.list_sent_to_customer(services.tables, customer_id, cursor=cursor)
        addresses.update(address for sent in page.items for address in sent.delivery)
        if (cursor := page.next_cursor) is None:
            return addresses


async def delete_expired(services: Services) -> None:
    """Delete imports, batches, plans, model texts and mails that are past their retention."""
    objects, now = services.objects, services.clock.now()
    for folder, retention in _RETENTION_BY_FOLDER.items():
        expired = [item.key async for item in objects.iterate(folder) if item.modified_at < now - retention]
        for key in expired:
            await objects.delete(key)
    await _erase_old_mails(services)


async def _erase_old_mails(services: Services) -> None:
    """Mails are kept as long as their reminders: a year if sent, a month if not."""
    now = services.clock.now()
    old = MailRetention(MAIL_TOPIC, now - timedelta(days=SENT_RETENTION_DAYS), now - DRAFT_RETENTION)
    await services.mailer.erase_old(old)
