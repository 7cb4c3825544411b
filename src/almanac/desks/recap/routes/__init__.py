"""The desk's API under /api/v1/recap: one module for each kind of thing."""

from fastapi import APIRouter

from almanac.desks.recap.routes import articles, feeds, histories, people, reports, tasks

api = APIRouter()
for module in (tasks, articles, histories, people, reports, feeds):
    api.include_router(module.router)
