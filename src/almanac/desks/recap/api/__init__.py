"""The desk's API under /api/v1/recap."""

from almanac.desks.recap.api import articles, editorial, people, reader, reports, speeches, tasks
from almanac.desks.recap.api.dependencies import PREFIX
from almanac.http.routing import PrefixRouter

api = PrefixRouter(PREFIX)
for module in (tasks, editorial, articles, speeches, reader, people, reports):
    api.include_router(module.router)
