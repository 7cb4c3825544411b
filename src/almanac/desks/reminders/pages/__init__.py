"""The desk's pages under /reminders: the approval queue, customers and their ledger, plan, sent mails, settings."""

from almanac.desks.reminders.pages import (
    account,
    batches,
    customers,
    deciding,
    editing,
    imports,
    invoices,
    ladder,
    opting_out,
    plan,
    preview,
    queue,
    replies,
    reports,
    rewriting,
    sent,
    templates,
)
from almanac.desks.reminders.pages.layout import PREFIX
from almanac.http.sections import Section

pages = Section(PREFIX)
for module in (
    queue,
    preview,
    deciding,
    editing,
    rewriting,
    batches,
    customers,
    account,
    invoices,
    imports,
    templates,
    plan,
    sent,
    replies,
    reports,
    ladder,
    opting_out,
):
    pages.include_router(module.router)
pages.include_router(imports.imported)
