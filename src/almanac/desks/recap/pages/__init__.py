"""The desk's pages under /recap: reading what parliament said, and what editors do."""

from almanac.desks.recap.pages import (
    article,
    articles,
    bills,
    corrections,
    follows,
    home,
    people,
    reader,
    reports,
    speeches,
    tasks,
)
from almanac.desks.recap.urls import PREFIX
from almanac.http.routing import PrefixRouter

pages = PrefixRouter(PREFIX)
for module in (home, articles, speeches, corrections, article, reader, reports, people, bills, follows, tasks):
    pages.include_router(module.router)
