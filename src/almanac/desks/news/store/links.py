"""Links: adding many at once, leasing, settling, and finding what became of one."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import NamedTuple

import msgspec

from almanac.desks.news.model.links import LeasedLink, LinkStats, LinkStatus, NewsLink
from almanac.desks.news.store.rows import QUERIES, columns, in_utc
from almanac.kit.json_text import encode_json
from almanac.relational import ReadTransaction, Unit


class NewLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link that may be new, with its identity worked out. `raw_hash` is that of the address as it was found: what
    programs write that don't look further. A million of these must cost little, so they travel as one JSON text."""

    url: str
    canonical_url: str
    url_hash: str
    raw_hash: str
    domain: str
    title: str = ""
    published: date | None = None


@dataclass(frozen=True, slots=True)
class AddedLinks:
    """How many of a batch are new, how many of these may not be read, and how many the task had not found before."""

    new: int
    blocked: int
    credited: int


class AdoptedLink(NamedTuple):
    """A link of another program with its identity worked out."""

    link_id: int
    canonical_url: str
    url_hash: str
    domain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUpdate:
    """How a leased link ends, or when it is tried again; `uses_attempt` is False for a mere wait."""

    status: LinkStatus
    cause: str | None = None
    reason: str | None = None
    next_attempt_at: datetime | None = None
    duplicate_of: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    uses_attempt: bool = True


async def add_links(
    unit: Unit, links: Sequence[NewLink], *, task: str | None, task_id: int | None, run_id: int | None, now: datetime
) -> AddedLinks:
    """Keep what is new of a batch whose hashes differ, and credit all of it to the task that found it."""
    ordered = sorted(links, key=lambda link: link.url_hash)
    await ensure_domains(unit, [link.domain for link in ordered], now)
    given = {"links": encode_json(ordered).decode(), "task": task, "now": now}
    rows = await unit.all(QUERIES["add_links"], given)
    credited = 0
    if task_id is not None:
        hashes = {hashed for link in ordered for hashed in (link.url_hash, link.raw_hash)}
        params = {"hashes": list(hashes), "task_id": task_id, "run_id": run_id, "now": now}
        credited = await unit.execute(QUERIES["credit_links"], params)
    blocked = sum(row["status"] == LinkStatus.BLOCKED for row in rows)
    return AddedLinks(len(rows), blocked, credited)


async def ensure_domains(unit: Unit, domains: Sequence[str], now: datetime) -> None:
    """Let domains be known, so that their links can be leased; sorted, so that two batches never wait on each other."""
    await unit.execute(QUERIES["ensure_domains"], {"domains": sorted(set(domains)), "now": now})


async def list_foreign_links(unit: Unit, limit: int) -> list[tuple[int, str]]:
    """Links that another program put here, whose identity is not worked out yet; locked."""
    rows = await unit.all(QUERIES["list_foreign_links"], {"limit": limit})
    return [(row["id"], row["url"]) for row in rows]


async def adopt_links(unit: Unit, links: Sequence[AdoptedLink]) -> None:
    """Keep the canonical address and the domain of links; each is known by that address unless another one is."""
    ids, canonicals, hashes, domains = (list(column) for column in zip(*links, strict=True))
    given = {"ids": ids, "canonicals": canonicals, "hashes": hashes, "domains": domains}
    await unit.execute(QUERIES["adopt_links"], given)


async def reject_foreign_link(unit: Unit, link_id: int, reason: str, now: datetime) -> None:
    """End a link whose address is none."""
    await unit.execute(QUERIES["reject_foreign_link"], {"id": link_id, "reason": reason, "now": now})


async def claim_links(
    unit: Unit, *, lease: str, until: datetime, now: datetime, limit: int, per_domain: int, delay_ms: int
) -> list[LeasedLink]:
    """Lease links that are due at domains that may be asked now; no two callers get the same."""
    await unit.execute(QUERIES["release_expired_leases"], {"now": now})
    given = {"lease": lease, "until": until, "now": now, "limit": limit, "per_domain": per_domain, "delay_ms": delay_ms}
    return await unit.all(QUERIES["claim_links"], given, into=in_utc(LeasedLink))


async def release_lease(unit: Unit, lease: str) -> int:
    """Give back what a run has taken and not settled."""
    return await unit.execute(QUERIES["release_lease"], {"lease": lease})


async def release_leases_of(unit: Unit, holder: str) -> int:
    """Give back what dead runs of the same job had taken."""
    return await unit.execute(QUERIES["release_leases_of"], {"holder": holder})


async def next_ready_at(unit: Unit, now: datetime, until: datetime) -> datetime | None:
    """When the next domain that has work may be asked."""
    row = await unit.one(QUERIES["next_ready_at"], {"now": now, "until": until}, into=in_utc(columns))
    return row["min"] if row else None


async def lock_leased_links(unit: Unit, ids: Sequence[int], lease: str) -> set[int]:
    """Which of these are still leased to the caller; nobody else takes those until the unit ends."""
    return {row["id"] for row in await unit.all(QUERIES["lock_leased_links"], {"ids": list(ids), "lease": lease})}


async def update_links(unit: Unit, ends: Mapping[int, LinkUpdate], now: datetime) -> None:
    """End links that the caller holds, or let them wait."""
    given = [{"id": link_id, **asdict(end), "unused": 0 if end.uses_attempt else 1} for link_id, end in ends.items()]
    await unit.execute(QUERIES["update_links"], {"ends": encode_json(given).decode(), "now": now})


async def retry_links(unit: Unit, ids: Sequence[int], statuses: Sequence[str]) -> list[int]:
    """Let links be read again from the beginning."""
    rows = await unit.all(QUERIES["retry_links"], {"ids": list(ids), "from": list(statuses)})
    return [row["id"] for row in rows]


async def retry_links_by_status(unit: Unit, *, status: str, cause: str | None, domain: str | None) -> int:
    """Let every link of a status be read again, or those of a cause or domain."""
    return await unit.execute(QUERIES["retry_links_by_status"], {"status": status, "cause": cause, "domain": domain})


async def find_link(unit: Unit, link_id: int) -> NewsLink | None:
    return await unit.one(QUERIES["find_link"], {"id": link_id}, into=in_utc(NewsLink))


async def find_link_by_hash(unit: Unit, hashes: Sequence[str]) -> NewsLink | None:
    """The link that is known by one of these hashes, its own or another address of it."""
    return await unit.one(QUERIES["find_link_by_hash"], {"hashes": list(hashes)}, into=in_utc(NewsLink))


async def list_links(
    reading: ReadTransaction,
    *,
    status: str | None,
    task: str | None,
    domain: str | None,
    before: int | None,
    limit: int,
) -> list[NewsLink]:
    """Links, the newest first."""
    given = {"status": status, "task": task, "domain": domain, "before": before, "limit": limit}
    return await reading.all(QUERIES["list_links"], given, into=in_utc(NewsLink))


async def list_link_tasks(unit: Unit, link_id: int) -> list[str]:
    """The tasks that found a link."""
    return [row["task_name"] for row in await unit.all(QUERIES["list_link_tasks"], {"id": link_id})]


async def list_link_aliases(unit: Unit, link_id: int) -> list[str]:
    """The other addresses that a link is known by."""
    return [row["url"] for row in await unit.all(QUERIES["list_link_aliases"], {"id": link_id})]


async def add_alias(unit: Unit, link_id: int, url: str, url_hash: str) -> None:
    await unit.execute(QUERIES["add_alias"], {"link_id": link_id, "url": url, "hash": url_hash})


async def lock_deduplication(unit: Unit) -> None:
    """Until the unit ends, nobody else decides whether two pages or two stories are the same."""
    await unit.execute(QUERIES["lock_deduplication"])


async def count_links_by_status(unit: Unit) -> LinkStats:
    """How many links stand where."""
    stats = await unit.one(QUERIES["count_links_by_status"], into=LinkStats)
    assert stats is not None
    return stats


@dataclass(frozen=True, slots=True)
class FinalStatus:
    """How a link ended."""

    status: LinkStatus
    cause: str | None = None
    reason: str | None = None


async def add_finished_link(unit: Unit, link: NewLink, end: FinalStatus, *, task: str | None, now: datetime) -> int:
    """Keep a link with its end, unless it is known already; returns its id."""
    attempts = 0 if end.status == LinkStatus.COMPLETED else 1
    values = {**msgspec.structs.asdict(link), **asdict(end), "task": task, "attempts": attempts, "now": now}
    return int(await unit.value(QUERIES["add_finished_link"], values))


async def credit_links(unit: Unit, hashes: Sequence[str], *, task_id: int, run_id: int, now: datetime) -> None:
    """Count links for the task that found them."""
    given = {"hashes": list(hashes), "task_id": task_id, "run_id": run_id, "now": now}
    await unit.execute(QUERIES["credit_links"], given)


async def delete_links(unit: Unit, ids: Sequence[int], domains: Sequence[str]) -> None:
    """Remove links with their articles, and domains that have no other."""
    await unit.execute(QUERIES["delete_links"], {"ids": list(ids)})
    await unit.execute(QUERIES["delete_unused_domains"], {"domains": list(domains)})
