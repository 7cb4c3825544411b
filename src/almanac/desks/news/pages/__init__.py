"""The desk's pages under /news: reading stories, and running what brings them here."""

from almanac.desks.news.pages import editing, fates, figures, lists, previews, queue, reader, rules, sites, story, tasks
from almanac.desks.news.pages.layout import PREFIX
from almanac.http.routing import PrefixRouter

pages = PrefixRouter(PREFIX)
# Fixed paths come before those with a number in their place.
for module in (reader, story, lists, editing, previews, tasks, queue, fates, sites, rules, figures):
    pages.include_router(module.router)
