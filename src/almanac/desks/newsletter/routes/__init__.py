"""The desk's API under /api/v1/newsletters: one module for each step."""

from fastapi import APIRouter

from almanac.desks.newsletter.routes import drafts, exports, following, newsletters, outlines, provenance, runs, topics

api = APIRouter()
for module in (newsletters, topics, outlines, drafts, exports, following, runs, provenance):
    api.include_router(module.router)
