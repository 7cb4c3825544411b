"""The desk's API under /api/v1/reminders: one module per resource."""

from almanac.desks.reminders.api import (
    customers,
    decisions,
    drafts,
    events,
    holds,
    imports,
    invoices,
    plans,
    reports,
    templates,
)
from almanac.desks.reminders.api.dependencies import PREFIX
from almanac.http.routing import PrefixRouter

api = PrefixRouter(PREFIX)
for module in (customers, imports, invoices, templates, plans, decisions, drafts, reports, holds, events):
    api.include_router(module.router)
