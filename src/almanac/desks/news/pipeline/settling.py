"""Storing what visits brought, many in one transaction: articles, stories, places in the search, the fates of links.

Deciding whether pages or stories are the same happens one at a time, so that two workers can't both be the first.
"""

import logging
from collections.abc import Sequence

from almanac.desks.news.fetching.blocking import note_answers, note_trouble
from almanac.desks.news.indexing import KIND
from almanac.desks.news.model.links import LeasedLink, LinkStatus
from almanac.desks.news.model.urls import url_hash
from almanac.desks.news.pipeline.newsroom import Newsroom
from almanac.desks.news.pipeline.outcomes import Ended, Outcome, Told, keeping_what_was_read, unforeseen
from almanac.desks.news.pipeline.sameness import known_elsewhere
from almanac.desks.news.pipeline.storing import store_articles
from almanac.desks.news.pipeline.visiting import is_alone, same_page
from almanac.desks.news.store import links
from almanac.desks.news.store.links import Settlement
from almanac.errors import Retryable
from almanac.jobs import LeaseLost
from almanac.relational import Unit

Visited = tuple[LeasedLink, Outcome]
logger = logging.getLogger(__name__)


async def settle(room: Newsroom, visits: Sequence[Visited]) -> list[LinkStatus]:
    """Store the outcomes and return how the links stand; those whose lease is gone are another worker's."""
    try:
        return await _settle(room, visits)
    except (LeaseLost, Retryable):
        raise
    except Exception:
        # What one page holds and no database takes must not keep the others from being stored; the log has the rest.
        logger.exception("Links could not be stored.", extra={"links": [link.id for link, _ in visits]})
    if len(visits) == 1:
        return await _settle(room, [(visits[0][0], unforeseen())])
    return [status for visit in visits for status in await settle(room, [visit])]


async def _settle(room: Newsroom, visits: Sequence[Visited]) -> list[LinkStatus]:
    services, now = room.services, room.services.clock.now()
    async with room.open_unit() as unit:
        await links.one_at_a_time(unit)
        held = await links.hold_links(unit, [link.id for link, _ in visits], room.lease)
        ours = [(link, await _settled_as(unit, link, outcome)) for link, outcome in visits if link.id in held]
        told = [(link, outcome) for link, outcome in ours if isinstance(outcome, Told)]
        ended = [(link, _end_of(outcome)) for link, outcome in ours]
        stories = await store_articles(room, unit, told)
        if ended:
            await links.settle_links(unit, {link.id: one.settlement for link, one in ended}, now)
        await note_answers(unit, ended, now)
        for link, one in ended:
            await note_trouble(unit, services, link, one)
        await stories.announce(unit, services)
        joined = [str(link.id) for link, one in ended if link.text_hash and one.settlement.duplicate_of is not None]
        await services.search.remove(unit, KIND.name, joined)
    return [one.settlement.status for _, one in ended]


def _end_of(outcome: Outcome) -> Ended:
    if isinstance(outcome, Ended):
        return outcome
    settlement = Settlement(
        status=LinkStatus.COMPLETED, etag=outcome.conditions.etag, last_modified=outcome.conditions.last_modified
    )
    return Ended(settlement=settlement, site="answered", answer=outcome.answer)


async def _settled_as(unit: Unit, link: LeasedLink, outcome: Outcome) -> Outcome:
    """A page that is known already ends as another address of it; otherwise all its addresses are this link's."""
    if isinstance(outcome, Ended):
        return keeping_what_was_read(link, outcome)
    if is_alone(link, outcome.identities):
        return outcome
    hashes = {url_hash(one): one for one in outcome.identities}
    other = await known_elsewhere(unit, link.id, list(hashes))
    if other is not None:
        return same_page(other)
    for hashed, address in hashes.items():
        if await links.find_by_hash(unit, [hashed]) is None:
            await links.add_alias(unit, link.id, address, hashed)
    return outcome
