"""The desk's API under /api/v1/news: tasks, links, articles, sites, rules and lists."""

from almanac.desks.news.api import articles, feeds, links, rules, sites, tasks
from almanac.desks.news.api.dependencies import PREFIX
from almanac.http.routing import PrefixRouter

api = PrefixRouter(PREFIX)
for part in (tasks, links, articles, sites, rules, feeds):
    api.include_router(part.router)
