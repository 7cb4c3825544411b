"""The desk's pages under /newsletter: the list, the four steps, and their details."""

from almanac.desks.newsletter.pages import (
    archive,
    configuration,
    drafts,
    exports,
    newsletters,
    outlines,
    progress,
    reader,
    revisions,
    sentences,
    topics,
)
from almanac.desks.newsletter.urls import PREFIX
from almanac.http.routing import PrefixRouter

pages = PrefixRouter(PREFIX)
for module in (
    newsletters,
    configuration,
    topics,
    outlines,
    drafts,
    sentences,
    reader,
    revisions,
    exports,
    archive,
    progress,
):
    pages.include_router(module.router)
