"""What answers mean for a site: patience when it asks for it, rest when it fails, the blacklist when it refuses us.

Only refusals lead to the blacklist, and only where nothing went well in between; an entry ends by itself.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from almanac.desks.news.events import SITE_BLOCKED
from almanac.desks.news.model.backoff import REFUSALS_UNTIL_BLOCKED, term_of_block, wait_for_host
from almanac.desks.news.model.links import LeasedLink
from almanac.desks.news.pipeline.outcomes import Ended
from almanac.desks.news.store import sites
from almanac.desks.news.store.sites import Answered, Block
from almanac.relational import Unit
from almanac.services import Services

OK = 200
_GOES_WELL = timedelta(days=1)


async def note_answers(unit: Unit, ended: Sequence[tuple[LeasedLink, Ended]], now: datetime) -> None:
    """Keep for each site how often it answered well."""
    answered: dict[str, Answered] = {}
    for link, outcome in ended:
        if outcome.site == "answered":
            before = answered.get(link.domain)
            times = before.answers + 1 if before else 1
            answered[link.domain] = Answered(link.domain, times, outcome.answer or OK)
    if answered:
        await sites.note_answers(unit, list(answered.values()), now)


async def note_trouble(unit: Unit, services: Services, link: LeasedLink, outcome: Ended) -> None:
    """Keep what an outcome says against the site, if anything."""
    now, reason = services.clock.now(), outcome.settlement.reason or ""
    match outcome.site:
        case "failed":
            in_a_row = await sites.note_failure(unit, link.domain, outcome.answer, reason)
            await sites.rest_domain(unit, link.domain, now + wait_for_host(in_a_row))
        case "asks for patience":
            await sites.note_failure(unit, link.domain, outcome.answer, reason)
            await sites.rest_domain(unit, link.domain, now + timedelta(seconds=outcome.patience))
        case "refused":
            await _refused(unit, services, link, outcome)


async def _refused(unit: Unit, services: Services, link: LeasedLink, outcome: Ended) -> None:
    now, reason = services.clock.now(), outcome.settlement.reason or ""
    in_a_row, went_well = await sites.note_refusal(unit, link.domain, outcome.answer, reason)
    known = await sites.find_block(unit, link.domain)
    if known is not None and known.is_allowed:
        return
    enough = known is not None or (in_a_row >= REFUSALS_UNTIL_BLOCKED and not _recent(went_well, now))
    if not enough:
        return
    strikes = known.strikes + 1 if known else 1
    until = now + term_of_block(strikes)
    evidence = {"status": outcome.answer, "url": link.url, "refusals": in_a_row, "at": now.isoformat()}
    block = Block(
        domain=link.domain,
        url=link.url,
        title=link.title,
        reason=reason,
        cause="refused",
        evidence=evidence,
        expires_at=until,
        strikes=strikes,
        is_allowed=False,
    )
    await sites.put_block(unit, block, now)
    waiting = f"{link.domain} is not asked until {until:%Y-%m-%d}: {reason}"
    await sites.block_waiting(unit, link.domain, reason=waiting, until=until, now=now)
    await services.webhooks.publish(
        unit, SITE_BLOCKED, {"domain": link.domain, "reason": reason, "until": until.isoformat(), "strikes": strikes}
    )


def _recent(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and now - moment < _GOES_WELL
