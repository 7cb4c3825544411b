"""The desk's pages under /recap: reading what parliament said, and running what brings it here."""

from almanac.desks.recap.pages import article, bills, home, listing, people, reporting, tasks, versions
from almanac.desks.recap.pages.layout import PREFIX
from almanac.http.sections import Section

pages = Section(PREFIX)
for module in (home, listing, article, versions, reporting, people, bills, tasks):
    pages.include_router(module.router)
