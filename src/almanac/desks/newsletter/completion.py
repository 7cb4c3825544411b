"""Completion: a draft without obstacles makes the newsletter completed, and its cited chunks covered."""

import asyncio
from dataclasses import replace

from almanac.desks.newsletter import store
from almanac.desks.newsletter.checks import Obstacle, checked_sections, cited_chunks, obstacles
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.services import Services


async def try_to_complete(services: Services, full: FullNewsletter) -> tuple[FullNewsletter, list[Obstacle]]:
    """The newsletter as completed, or as it was with everything that stands in the way."""
    checked = await asyncio.to_thread(checked_sections, full)
    standing = obstacles(full, checked)
    if standing:
        return full, standing
    now = services.clock.now()
    version = full.draft.draft.version
    await store.complete_newsletter(services.tables, full.code, covered=cited_chunks(checked), version=version, now=now)
    newsletter = replace(full.newsletter, status="completed", completed_at=now, covered_chunks=cited_chunks(checked))
    return replace(full, newsletter=newsletter), []
