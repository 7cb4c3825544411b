"""The desk's API under /api/v1/newsletters: one module for each step."""

from almanac.desks.newsletter.api import (
    archive,
    drafts,
    newsletters,
    outlines,
    progress,
    provenance,
    reader,
    sentences,
    topics,
)
from almanac.desks.newsletter.api.dependencies import PREFIX
from almanac.http.routing import PrefixRouter

api = PrefixRouter(PREFIX)
for module in (newsletters, topics, outlines, drafts, archive, sentences, progress, provenance, reader):
    api.include_router(module.router)
