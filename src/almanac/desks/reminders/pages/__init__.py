"""The desk's pages under /reminders: the approval queue, customers and their ledger, plan, sent mails, settings."""

from almanac.desks.reminders.pages import (
    batches,
    customer_detail,
    customer_picker,
    customers,
    decisions,
    edits,
    imports,
    invoices,
    ladder,
    plan,
    preview,
    queue,
    replies,
    reports,
    sent,
    templates,
)
from almanac.desks.reminders.pages.layout import PREFIX
from almanac.http.routing import PrefixRouter

pages = PrefixRouter(PREFIX)
for module in (
    queue,
    preview,
    decisions,
    edits,
    batches,
    customer_picker,
    customers,
    customer_detail,
    invoices,
    imports,
    templates,
    plan,
    sent,
    replies,
    reports,
    ladder,
):
    pages.include_router(module.router)
pages.include_router(replies.opt_out_router)
pages.include_router(imports.imported_router)
