"""Links whose end is known before anybody asked their site: bringing them, and taking them away with all they have."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.desks.news.model.links import LinkStatus
from almanac.desks.news.store.links import NewLink
from almanac.desks.news.store.rows import QUERIES
from almanac.relational import Unit


@dataclass(frozen=True, slots=True)
class KnownEnd:
    """How a link ended."""

    status: LinkStatus
    cause: str | None = None
    reason: str | None = None


async def add_known_link(unit: Unit, link: NewLink, end: KnownEnd, *, task: str | None, now: datetime) -> int:
    """Keep a link with its end, unless it is known already; returns its id."""
    found = await unit.value(
        QUERIES["add_known_link"],
        {
            "url": link.url,
            "url_hash": link.url_hash,
            "title": link.title,
            "task": task,
            "status": end.status,
            "cause": end.cause,
            "reason": end.reason,
            "canonical_url": link.canonical_url,
            "domain": link.domain,
            "published": link.published,
            "attempts": 0 if end.status == LinkStatus.COMPLETED else 1,
            "now": now,
        },
    )
    return int(found)


async def credit(unit: Unit, hashes: Sequence[str], *, task_id: int, run_id: int, now: datetime) -> None:
    """Count links for the task that found them."""
    given = {"hashes": list(hashes), "task_id": task_id, "run_id": run_id, "now": now}
    await unit.execute(QUERIES["credit_links"], given)


async def forget_links(unit: Unit, ids: Sequence[int], domains: Sequence[str]) -> None:
    """Remove links with their articles, and domains that have no other."""
    await unit.execute(QUERIES["forget_links"], {"ids": list(ids)})
    await unit.execute(QUERIES["forget_idle_domains"], {"domains": list(domains)})
