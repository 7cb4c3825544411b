"""The desk's API under /api/v1/habits: one module for each kind of thing."""

from almanac.desks.habits.api import days_off, entries, groups, habits, progress, report, transfer
from almanac.desks.habits.api.dependencies import PREFIX
from almanac.http.routing import PrefixRouter

api = PrefixRouter(PREFIX)
# Fixed paths come before those with an id in their place.
for module in (progress, report, days_off, groups, transfer, habits, entries):
    api.include_router(module.router)
