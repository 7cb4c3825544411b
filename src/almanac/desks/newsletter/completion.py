"""Completion: a draft without obstacles makes the newsletter completed, and its cited chunks covered."""

import asyncio
from dataclasses import replace

from almanac.audit.model import Actor
from almanac.citations.store import note_uses
from almanac.desks.newsletter import store
from almanac.desks.newsletter.checks import Obstacle, checked_sections, cited_chunks, obstacles
from almanac.desks.newsletter.events import COMPLETED, announce
from almanac.desks.newsletter.indexing import index_newsletter
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.tracing import traced_sentences, uses_in
from almanac.services import Services


async def try_to_complete(services: Services, full: FullNewsletter, by: Actor) -> tuple[FullNewsletter, list[Obstacle]]:
    """The newsletter as completed, or as it was with everything that stands in the way."""
    checked = await asyncio.to_thread(checked_sections, full)
    standing = obstacles(full, checked)
    if standing or full.newsletter.status != "draft":
        return full, standing
    now = services.clock.now()
    draft, covered = full.draft.draft, cited_chunks(checked)
    traced = await asyncio.to_thread(traced_sentences, checked, full.topics.chunks)
    async with services.database.unit() as unit:
        await announce(unit, services, by, COMPLETED, full.newsletter, revision=draft.revision, words=draft.word_count)
        await note_uses(unit, full.code, uses_in(full.newsletter, traced, now))
        await store.complete_newsletter(services.tables, full.code, covered=covered, version=draft.version, now=now)
    newsletter = replace(full.newsletter, status="completed", completed_at=now, covered_chunks=covered)
    completed = replace(full, newsletter=newsletter)
    await index_newsletter(services, completed)
    return completed, []
