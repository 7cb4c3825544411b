"""What responses mean for a site: pause it when it fails or rate-limits us, block it when it refuses us repeatedly.

Only refusals lead to the blacklist, and only if nothing succeeded in between; a block expires by itself.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from almanac.desks.news.events import SITE_BLOCKED
from almanac.desks.news.model.backoff import REFUSALS_UNTIL_BLOCKED, block_duration, host_retry_delay
from almanac.desks.news.model.links import LeasedLink
from almanac.desks.news.pipeline.outcome import LinkEnded
from almanac.desks.news.store import sites
from almanac.desks.news.store.sites import DomainAnswers, SiteBlock
from almanac.relational import Unit
from almanac.services import Services

OK = 200
_RECENTLY = timedelta(days=1)


async def record_successes(unit: Unit, ended: Sequence[tuple[LeasedLink, LinkEnded]], now: datetime) -> None:
    """Count the good responses of each site."""
    answers: dict[str, DomainAnswers] = {}
    for link, end in ended:
        if end.site == "answered":
            previous = answers.get(link.domain)
            count = previous.answers + 1 if previous else 1
            answers[link.domain] = DomainAnswers(link.domain, count, end.status_code or OK)
    if answers:
        await sites.record_answers(unit, list(answers.values()), now)


async def record_trouble(unit: Unit, services: Services, link: LeasedLink, end: LinkEnded) -> None:
    """Record a failure, rate limit or refusal of the site, if the visit ended with one."""
    now, reason = services.clock.now(), end.update.reason or ""
    match end.site:
        case "failed":
            failures = await sites.record_failure(unit, link.domain, end.status_code, reason)
            await sites.pause_domain(unit, link.domain, now + host_retry_delay(failures))
        case "rate limited":
            await sites.record_failure(unit, link.domain, end.status_code, reason)
            await sites.pause_domain(unit, link.domain, now + timedelta(seconds=end.retry_after))
        case "refused":
            await _record_refusal(unit, services, link, end)


async def _record_refusal(unit: Unit, services: Services, link: LeasedLink, end: LinkEnded) -> None:
    now, reason = services.clock.now(), end.update.reason or ""
    refusals, last_success = await sites.record_refusal(unit, link.domain, end.status_code, reason)
    existing = await sites.find_block(unit, link.domain)
    if existing is not None and existing.is_allowed:
        return
    is_new_case = refusals >= REFUSALS_UNTIL_BLOCKED and not _is_recent(last_success, now)
    if existing is None and not is_new_case:
        return
    strikes = existing.strikes + 1 if existing else 1
    until = now + block_duration(strikes)
    block = SiteBlock(
        domain=link.domain,
        url=link.url,
        title=link.title,
        reason=reason,
        cause="refused",
        evidence={"status": end.status_code, "url": link.url, "refusals": refusals, "at": now.isoformat()},
        expires_at=until,
        strikes=strikes,
        is_allowed=False,
    )
    await sites.upsert_block(unit, block, now)
    sentence = f"{link.domain} is blocked until {until:%Y-%m-%d}: {reason}"
    await sites.block_waiting_links(unit, link.domain, reason=sentence, until=until, now=now)
    await services.webhooks.publish(
        unit, SITE_BLOCKED, {"domain": link.domain, "reason": reason, "until": until.isoformat(), "strikes": strikes}
    )


def _is_recent(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and now - moment < _RECENTLY
