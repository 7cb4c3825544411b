"""The desk's pages under /habits: today's list, a habit and its year, progress, and settings."""

from almanac.desks.habits.pages import (
    entries,
    habit_detail,
    habit_form,
    leaderboard,
    settings,
    today,
    transfer,
    weekly_report,
)
from almanac.desks.habits.pages.layout import PREFIX
from almanac.desks.habits.pages.reminder_links import links
from almanac.http.routing import PrefixRouter

pages = PrefixRouter(PREFIX)
pages.include_router(links)
# Fixed paths come before those with an id in their place.
for module in (today, leaderboard, weekly_report, settings, transfer, habit_form, habit_detail, entries):
    pages.include_router(module.router)
