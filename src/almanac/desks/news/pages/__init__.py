"""The desk's pages under /news: reading stories, and running what brings them here."""

from almanac.desks.news.pages import (
    fates,
    lists,
    previews,
    queue,
    rules,
    sites,
    statistics,
    stories,
    story,
    task_form,
    tasks,
)
from almanac.desks.news.pages.layout import PREFIX
from almanac.http.routing import PrefixRouter

pages = PrefixRouter(PREFIX)
# Fixed paths come before those with a number in their place.
for module in (stories, story, lists, task_form, previews, tasks, queue, fates, sites, rules, statistics):
    pages.include_router(module.router)
