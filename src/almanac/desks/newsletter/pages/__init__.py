"""The desk's pages under /newsletter: the list, the four steps, and what is shown beside them."""

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
from almanac.desks.newsletter.pages.wizard import PREFIX
from almanac.http.routing import PrefixRouter

pages = PrefixRouter(PREFIX)
for module in (
    listing,
    configuration,
    topics,
    outlines,
    outline_edits,
    drafts,
    sources,
    revising,
    previews,
    exporting,
    live,
):
    pages.include_router(module.router)
