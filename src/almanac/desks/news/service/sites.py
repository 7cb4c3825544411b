"""Sites: how each fares, and the blacklist, which people may overrule."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from almanac.accounts.model import Principal
from almanac.desks.news.events import record_event
from almanac.desks.news.jobs import start_reading_links
from almanac.desks.news.model.canonical_urls import url_domain
from almanac.desks.news.service.paging import cursor_position
from almanac.desks.news.store import links, sites
from almanac.desks.news.store.sites import Domain, SiteBlock
from almanac.errors import InputError, NotFound
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page
from almanac.relational import Unit
from almanac.services import Services

# Until somebody lifts it; the database has no room for "never" that every program could read.
FOR_GOOD = datetime(9999, 1, 1, tzinfo=UTC)
MOST_DAYS = 3650
# The cause of a block that a person decided on.
BY_HAND = "by hand"


async def list_domains(services: Services, *, cursor: str | None = None, limit: int = 50) -> Page[Domain]:
    """Every domain with how it answers, by name."""
    after = cursor_position(services, cursor, "news domains", str)
    async with services.database.unit() as unit:
        domains = await sites.list_domains(unit, after=after, limit=limit + 1, now=services.clock.now())
    return build_page(domains, limit, lambda site: (site.domain,), of="news domains", key=services.key("cursors"))


async def list_blocked_sites(services: Services, *, cursor: str | None = None, limit: int = 50) -> Page[SiteBlock]:
    """The blacklist, by domain."""
    after = cursor_position(services, cursor, "news blacklist", str)
    async with services.database.unit() as unit:
        blocks = await sites.list_blocks(unit, after=after, limit=limit + 1)
    return build_page(blocks, limit, lambda block: (block.domain,), of="news blacklist", key=services.key("cursors"))


@dataclass(frozen=True, slots=True)
class SiteRecord:
    """What is on record about a site: how it answers, and its entry of the blacklist, even an expired one."""

    name: str
    domain: Domain | None
    block: SiteBlock | None


async def get_site(services: Services, domain: str) -> SiteRecord:
    """A site by its domain or any address on it; without records if it was never asked."""
    name = url_domain(domain)
    async with services.database.unit() as unit:
        return SiteRecord(name, await sites.find_domain(unit, name), await sites.find_block(unit, name))


async def block_site(
    services: Services, principal: Principal, domain: str, *, reason: str, days: int | None = None
) -> SiteBlock:
    """Don't ask a site for some days, or until somebody lifts it."""
    if days is not None and not 0 < days <= MOST_DAYS:
        raise InputError(
            gettext("Block a site for 1 to %(limit)s days, or leave the days out.", limit=f"{MOST_DAYS:,}")
        )
    name, now = url_domain(domain), services.clock.now()
    until = now + timedelta(days=days) if days is not None else FOR_GOOD
    block = SiteBlock(
        domain=name,
        url=f"https://{name}/",
        title=None,
        reason=reason or "Blocked by hand.",
        cause=BY_HAND,
        evidence={"by": principal.name},
        expires_at=until,
        strikes=1,
        is_allowed=False,
    )
    async with services.database.unit() as unit:
        await sites.upsert_block(unit, block, now)
        await links.ensure_domains(unit, [name], now)
        await sites.block_waiting_links(unit, name, reason=block.reason or "", until=until, now=now)
        await record_event(unit, services, principal.actor, "news.site.blocked", name, reason=block.reason)
    return block


async def unblock_site(services: Services, principal: Principal, domain: str) -> int:
    """Lift a block; the links that waited for it are read. Returns how many."""
    name = url_domain(domain)
    async with services.database.unit() as unit:
        if not await sites.delete_block(unit, name):
            raise NotFound(gettext("%(name)s is not on the blacklist.", name=name))
        return await _freed(unit, services, principal, name, "news.site.unblocked")


async def allow_site(services: Services, principal: Principal, domain: str) -> int:
    """Never put a site on the blacklist again, whatever it answers, until the entry is removed."""
    name, now = url_domain(domain), services.clock.now()
    allowed = SiteBlock(
        domain=name,
        url=f"https://{name}/",
        title=None,
        reason="Allowed by hand.",
        cause="allowed",
        evidence={"by": principal.name},
        expires_at=None,
        strikes=1,
        is_allowed=True,
    )
    async with services.database.unit() as unit:
        await sites.upsert_block(unit, allowed, now)
        return await _freed(unit, services, principal, name, "news.site.allowed")


async def _freed(unit: Unit, services: Services, principal: Principal, domain: str, action: str) -> int:
    freed = await sites.release_blocked_links(unit, domain)
    await sites.resume_domain(unit, domain, services.clock.now())
    await record_event(unit, services, principal.actor, action, domain, links=freed)
    if freed:
        await start_reading_links(services, unit)
    return freed
