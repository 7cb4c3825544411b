"""The desk's pages under /recap: reading what parliament said, and running what brings it here."""

from fastapi import APIRouter

from almanac.desks.recap.pages import article, bills, home, listing, people, reporting, tasks, versions

pages = APIRouter()
for module in (home, listing, article, versions, reporting, people, bills, tasks):
    pages.include_router(module.router)
