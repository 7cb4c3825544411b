"""The desk's API under /api/v1/news."""

from almanac.desks.news.api import articles, links, reader, rules, tasks
from almanac.desks.news.api.dependencies import PREFIX
from almanac.http.routing import PrefixRouter

api = PrefixRouter(PREFIX)
for module in (tasks, links, articles, reader, rules):
    api.include_router(module.router)
