"""The desk's pages under /reminders: the approval queue, customers and their ledger, plan, sent mails, settings."""

from fastapi import APIRouter

from almanac.desks.reminders.pages import batches, deciding, editing, queue

pages = APIRouter()
for module in (queue, deciding, editing, batches):
    pages.include_router(module.router)
