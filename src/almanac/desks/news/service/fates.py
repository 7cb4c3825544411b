""" "Why is this not here?": what became of an address, in one sentence, with everything that is known of it."""

from dataclasses import dataclass, field
from datetime import datetime

from almanac.desks.news.model.links import Link, LinkStatus
from almanac.desks.news.model.urls import canonical_url, domain_of, url_hash
from almanac.desks.news.store import articles, links, sites
from almanac.relational import Unit
from almanac.services import Services

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of an address. `status` is that of the link, or `unknown`; `next_attempt_at` where it goes on."""

    url: str
    canonical_url: str
    status: str
    sentence: str
    link: Link | None = None
    found_by: list[str] = field(default_factory=list)
    also_known_as: list[str] = field(default_factory=list)
    story: int | None = None
    blocked_until: datetime | None = None

    @property
    def next_attempt_at(self) -> datetime | None:
        return self.link.next_attempt_at if self.link else None


async def fate(services: Services, url: str) -> Fate:
    """Look up an address by its identity, so that any spelling of it will do."""
    canonical = canonical_url(url)
    async with services.database.unit() as unit:
        found = await links.find_by_hash(unit, [url_hash(canonical), url_hash(url.strip())])
        blocked = await sites.blocked_until(unit, domain_of(url), services.clock.now())
        until = blocked[0] if blocked else None
        if found is None:
            sentence = "No task has found this address, and nobody has added it."
            if blocked is not None:
                sentence += f" Its site would not be asked before {blocked[0]:%Y-%m-%d}: {blocked[1]}"
            return Fate(url=url, canonical_url=canonical, status=UNKNOWN, sentence=sentence, blocked_until=until)
        return Fate(
            url=url,
            canonical_url=canonical,
            status=found.status,
            sentence=_sentence(found),
            link=found,
            found_by=await links.tasks_of(unit, found.id),
            also_known_as=await links.aliases_of(unit, found.id),
            story=await _story(unit, found),
            blocked_until=until,
        )


async def _story(unit: Unit, link: Link) -> int | None:
    article = await articles.find_article(unit, link.duplicate_of or link.id)
    return article.cluster if article else None


def _sentence(link: Link) -> str:
    reason = link.error_message or ""
    match link.status:
        case LinkStatus.COMPLETED:
            return f"It was read and is here.{' ' + reason if reason else ''}"
        case LinkStatus.PENDING:
            wait = (
                f" It is tried again after {link.next_attempt_at:%Y-%m-%d %H:%M} UTC." if link.next_attempt_at else ""
            )
            return f"It waits to be read.{wait}{' ' + reason if reason else ''}"
        case LinkStatus.PROCESSING:
            return "It is being read right now."
        case LinkStatus.DUPLICATE:
            return f"{reason or 'It is another address of a link that is known.'}"
        case LinkStatus.BLOCKED:
            again = f" It is tried again after {link.next_attempt_at:%Y-%m-%d}." if link.next_attempt_at else ""
            return f"It may not be read: {reason}{again}"
    return f"It could not be read: {reason or 'no reason was kept.'}"
