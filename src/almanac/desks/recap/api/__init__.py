"""The desk's API under /api/v1/recap: one module for each kind of thing."""

from almanac.desks.recap.api import articles, feeds, histories, people, reports, tasks
from almanac.desks.recap.api.dependencies import PREFIX
from almanac.http.sections import Section

api = Section(PREFIX)
for module in (tasks, articles, histories, people, reports, feeds):
    api.include_router(module.router)
