"""The desk's pages under /newsletter: the list, the four steps, and what is shown beside them."""

from fastapi import APIRouter

from almanac.desks.newsletter.pages import (
    configuration,
    drafts,
    exporting,
    listing,
    live,
    outline_edits,
    outlines,
    previews,
    revising,
    sources,
    topics,
)

pages = APIRouter()
for module in (
    listing, configuration, topics, outlines, outline_edits, drafts, sources, revising, previews, exporting, live,
):  # fmt: skip
    pages.include_router(module.router)
