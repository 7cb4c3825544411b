"""The desk's pages under /recap: reading what parliament said, and the editors' pages for tasks and error reports."""

from almanac.desks.recap.pages import article, articles, bills, home, people, reader, reports, speeches, tasks
from almanac.desks.recap.urls import PREFIX
from almanac.http.routing import PrefixRouter

pages = PrefixRouter(PREFIX)
for module in (home, articles, speeches, article, reader, reports, people, bills, tasks):
    pages.include_router(module.router)
