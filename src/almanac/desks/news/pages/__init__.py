"""The desk's pages under /news."""

from almanac.desks.news.pages import queue, reader, rules, sites, stories, task_form, tasks
from almanac.desks.news.pages.layout import PREFIX
from almanac.http.routing import PrefixRouter

pages = PrefixRouter(PREFIX)
# Fixed paths are registered before paths with a number in the same place.
for module in (stories, reader, task_form, tasks, queue, sites, rules):
    pages.include_router(module.router)
