"""The desk's API under /api/v1/news."""

from almanac.desks.news.api import articles, links, rules, tasks
from almanac.desks.news.api.dependencies import PREFIX
from almanac.http.routing import PrefixRouter

api = PrefixRouter(PREFIX)
for module in (tasks, links, articles, rules):
    api.include_router(module.router)
