"""The desk's pages under /habits: today's list, one habit and its year, what it adds up to, and one's choices."""

from almanac.desks.habits.linked import links
from almanac.desks.habits.pages import choices, editing, entering, one, report, sums, today
from almanac.desks.habits.pages.layout import PREFIX
from almanac.http.sections import Section

pages = Section(PREFIX)
pages.include_router(links)
# Fixed paths come before those with an id in their place.
for module in (today, sums, report, choices, editing, one, entering):
    pages.include_router(module.router)
