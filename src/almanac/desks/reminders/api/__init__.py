"""The desk's API under /api/v1/reminders: one module for each thing that people and programs work with."""

from almanac.desks.reminders.api import (
    customers,
    deciding,
    drafts,
    events,
    holds,
    importing,
    invoices,
    planning,
    sent,
    templates,
)
from almanac.desks.reminders.api.dependencies import PREFIX
from almanac.http.sections import Section

api = Section(PREFIX)
for module in (customers, importing, invoices, templates, planning, deciding, drafts, sent, holds, events):
    api.include_router(module.router)
