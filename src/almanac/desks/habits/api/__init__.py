"""The desk's API under /api/v1/habits."""

from almanac.desks.habits.api import days_off, entries, habits, leaderboard, progress, transfer
from almanac.desks.habits.api.dependencies import PREFIX
from almanac.http.routing import PrefixRouter

api = PrefixRouter(PREFIX)
# Fixed paths come before those with an id in their place.
for module in (progress, leaderboard, days_off, transfer, habits, entries):
    api.include_router(module.router)
