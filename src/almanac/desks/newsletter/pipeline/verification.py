"""Checks a draft with its stored verdicts, in a thread, and stores those that are new."""

import asyncio

from almanac.desks.newsletter.model.checks import VerdictCache
from almanac.desks.newsletter.model.draft import ReferenceMove
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.reference_moves import move_references
from almanac.desks.newsletter.model.verification import CheckedSection, check_sections, open_cache
from almanac.desks.newsletter.store import checks as check_store
from almanac.services import Services


async def check_draft(
    services: Services, full: FullNewsletter, cache: VerdictCache | None = None
) -> tuple[CheckedSection, ...]:
    """Every section with the verdicts on its sentences. Only sentences that were never checked so are checked now."""
    cache = cache or open_cache(full)
    checked = await asyncio.to_thread(check_sections, full, cache)
    if cache.misses:
        await check_store.save_verdicts(services.tables, full.code, cache.verdicts())
    return checked


async def move_to_carrying_passages(
    full: FullNewsletter, text: str, cache: VerdictCache
) -> tuple[str, tuple[ReferenceMove, ...]]:
    """The text with references moved to the passage that says the sentence."""
    return await asyncio.to_thread(move_references, text, full.topics.chunks, cache)
