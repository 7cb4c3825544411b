"""Checks a draft with its stored verdicts, in a thread, and stores those that are new."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from almanac.desks.newsletter.model.checks import SentenceConfirmation, VerdictCache
from almanac.desks.newsletter.model.draft import ReferenceMove
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.reference_moves import move_references
from almanac.desks.newsletter.model.verification import CheckedSection, check_sections, open_cache
from almanac.desks.newsletter.pipeline.context import DESK
from almanac.desks.newsletter.store import checks as check_store
from almanac.reader import store as verdict_store
from almanac.services import Services
from almanac.verify import VerificationReport


async def check_draft(
    services: Services, full: FullNewsletter, cache: VerdictCache | None = None, *, asks_judge: bool = False
) -> tuple[CheckedSection, ...]:
    """Every section with the verdicts on its sentences. Only sentences that were never checked so are checked now.

    With `asks_judge` the second judge is asked, if it is switched on; otherwise its earlier judgements count.
    """
    cache = cache or open_cache(full)
    checked = await asyncio.to_thread(check_sections, full, cache)
    if (asks_judge or cache.misses) and services.judge.is_on(DESK):
        checked = await _judge(services, full, checked, cache, asks=asks_judge)
    if cache.misses:
        await check_store.save_verdicts(services.tables, full.code, cache.verdicts())
    confirmations = await list_confirmations(services, full)
    return tuple(replace(section, confirmations=confirmations) for section in checked)


async def list_confirmations(services: Services, full: FullNewsletter) -> dict[str, SentenceConfirmation]:
    """Who checked which sentence first; drafts of earlier releases keep theirs in the table."""
    async with services.database.reading() as reading:
        verdicts = await verdict_store.list_verdicts(reading, DESK, full.code)
    first = {
        key: SentenceConfirmation(by=all_of[0].name, user_id=all_of[0].user_id, at=all_of[0].at)
        for key, all_of in verdicts.items()
    }
    return {**full.checks.confirmations, **first}


async def _judge(
    services: Services, full: FullNewsletter, sections: Sequence[CheckedSection], cache: VerdictCache, *, asks: bool
) -> tuple[CheckedSection, ...]:
    """The sections with the second judge's verdicts, which are kept like those of the rules."""
    report = VerificationReport(tuple(claim for section in sections for claim in section.report.sentences))
    if asks:
        judged = await services.judge.review(report, full.sources, desk=DESK, subject=full.code)
    else:
        judged = await services.judge.recall(report, full.sources, desk=DESK)
    keys = [key for section in sections for key in section.keys]
    for key, before, after in zip(keys, report.sentences, judged.sentences, strict=True):
        if after != before:
            cache.replace(key, after)
    claims = iter(judged.sentences)
    return tuple(
        replace(section, report=VerificationReport(tuple(next(claims) for _ in section.keys))) for section in sections
    )


async def move_to_carrying_passages(
    full: FullNewsletter, text: str, cache: VerdictCache
) -> tuple[str, tuple[ReferenceMove, ...]]:
    """The text with references moved to the passage that says the sentence."""
    return await asyncio.to_thread(move_references, text, full.topics.chunks, cache)
