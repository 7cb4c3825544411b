"""The desk's API under /api/v1/news: tasks, links, articles, sites, rules and lists."""

from fastapi import APIRouter

from almanac.desks.news.routes import articles, links, lists, rules, sites, tasks

api = APIRouter()
for part in (tasks, links, articles, sites, rules, lists):
    api.include_router(part.router)
