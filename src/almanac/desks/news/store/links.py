"""Links: adding many at once, leasing, settling, and finding what became of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

import msgspec

from almanac.desks.news.model.links import LeasedLink, Link, LinkStatus, Stats
from almanac.desks.news.store.rows import QUERIES, columns, in_utc
from almanac.relational import Reading, Unit


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
class Added:
    """How many of a batch are new, how many of these may not be read, and how many the task had not found before."""

    new: int
    blocked: int
    credited: int


class Adopted(NamedTuple):
    """A link of another program with its identity worked out."""

    link_id: int
    canonical_url: str
    url_hash: str
    domain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
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
) -> Added:
    """Keep what is new of a batch whose hashes differ, and credit all of it to the task that found it."""
    ordered = sorted(links, key=lambda link: link.url_hash)
    await ensure_domains(unit, [link.domain for link in ordered], now)
    given = {"links": msgspec.json.encode(ordered).decode(), "task": task, "now": now}
    rows = await unit.all(QUERIES["add_links"], given)
    credited = 0
    if task_id is not None:
        hashes = {hashed for link in ordered for hashed in (link.url_hash, link.raw_hash)}
        known = {"hashes": list(hashes), "task_id": task_id, "run_id": run_id, "now": now}
        credited = await unit.execute(QUERIES["credit_links"], known)
    blocked = sum(row["status"] == LinkStatus.BLOCKED for row in rows)
    return Added(len(rows), blocked, credited)


async def known_hashes(unit: Unit, hashes: Sequence[str]) -> set[str]:
    """Which of these are known already."""
    return {row["url_hash"] for row in await unit.all(QUERIES["known_hashes"], {"hashes": list(hashes)})}


async def ensure_domains(unit: Unit, domains: Sequence[str], now: datetime) -> None:
    """Let domains be known, so that their links can be leased; sorted, so that two batches never wait on each other."""
    await unit.execute(QUERIES["ensure_domains"], {"domains": sorted(set(domains)), "now": now})


async def list_foreign(unit: Unit, limit: int) -> list[tuple[int, str]]:
    """Links that another program put here, whose identity is not worked out yet; locked."""
    rows = await unit.all(QUERIES["unread_foreign_links"], {"limit": limit})
    return [(row["id"], row["url"]) for row in rows]


async def adopt_links(unit: Unit, links: Sequence[Adopted]) -> None:
    """Keep the canonical address and the domain of links; each is known by that address unless another one is."""
    ids, canonicals, hashes, domains = (list(column) for column in zip(*links, strict=True))
    given = {"ids": ids, "canonicals": canonicals, "hashes": hashes, "domains": domains}
    await unit.execute(QUERIES["adopt_links"], given)


async def refuse_foreign(unit: Unit, link_id: int, reason: str, now: datetime) -> None:
    """End a link whose address is none."""
    await unit.execute(QUERIES["refuse_foreign_link"], {"id": link_id, "reason": reason, "now": now})


async def claim_links(
    unit: Unit, *, lease: str, until: datetime, now: datetime, limit: int, per_domain: int, delay_ms: int
) -> list[LeasedLink]:
    """Lease links that are due at domains that may be asked now; no two callers get the same."""
    await unit.execute(QUERIES["free_expired"], {"now": now})
    given = {"lease": lease, "until": until, "now": now, "limit": limit, "per_domain": per_domain, "delay_ms": delay_ms}
    return await unit.all(QUERIES["claim_links"], given, into=in_utc(LeasedLink))


async def free_lease(unit: Unit, lease: str) -> int:
    """Give back what a run has taken and not settled."""
    return await unit.execute(QUERIES["free_lease"], {"lease": lease})


async def free_leases_of(unit: Unit, holder: str) -> int:
    """Give back what dead runs of the same job had taken."""
    return await unit.execute(QUERIES["free_leases_of"], {"holder": holder})


async def next_ready(unit: Unit, now: datetime, until: datetime) -> datetime | None:
    """When the next domain that has work may be asked."""
    row = await unit.one(QUERIES["next_ready"], {"now": now, "until": until}, into=in_utc(columns))
    return row["min"] if row else None


async def hold_links(unit: Unit, ids: Sequence[int], lease: str) -> set[int]:
    """Which of these are still leased to the caller; nobody else takes those until the unit ends."""
    return {row["id"] for row in await unit.all(QUERIES["hold_links"], {"ids": list(ids), "lease": lease})}


async def settle_links(unit: Unit, ends: Mapping[int, Settlement], now: datetime) -> None:
    """End links that the caller holds, or let them wait."""
    given = [
        {
            "id": link_id,
            "status": end.status,
            "cause": end.cause,
            "reason": end.reason,
            "next_attempt_at": end.next_attempt_at,
            "duplicate_of": end.duplicate_of,
            "etag": end.etag,
            "last_modified": end.last_modified,
            "unused": 0 if end.uses_attempt else 1,
        }
        for link_id, end in ends.items()
    ]
    await unit.execute(QUERIES["settle_links"], {"ends": msgspec.json.encode(given).decode(), "now": now})


async def retry_links(unit: Unit, ids: Sequence[int], statuses: Sequence[str]) -> list[int]:
    """Let links be read again from the beginning."""
    rows = await unit.all(QUERIES["retry_links"], {"ids": list(ids), "from": list(statuses)})
    return [row["id"] for row in rows]


async def retry_all(unit: Unit, *, status: str, cause: str | None, domain: str | None) -> int:
    """Let every link of a status be read again, or those of a cause or domain."""
    return await unit.execute(QUERIES["retry_all"], {"status": status, "cause": cause, "domain": domain})


async def find_link(unit: Unit, link_id: int) -> Link | None:
    return await unit.one(QUERIES["find_link"], {"id": link_id}, into=in_utc(Link))


async def find_by_hash(unit: Unit, hashes: Sequence[str]) -> Link | None:
    """The link that is known by one of these hashes, its own or another address of it."""
    return await unit.one(QUERIES["find_by_hash"], {"hashes": list(hashes)}, into=in_utc(Link))


async def list_links(
    reading: Reading, *, status: str | None, task: str | None, domain: str | None, before: int | None, limit: int
) -> list[Link]:
    """Links, the newest first."""
    given = {"status": status, "task": task, "domain": domain, "before": before, "limit": limit}
    return await reading.all(QUERIES["list_links"], given, into=in_utc(Link))


async def tasks_of(unit: Unit, link_id: int) -> list[str]:
    """The tasks that found a link."""
    return [row["task_name"] for row in await unit.all(QUERIES["tasks_of_link"], {"id": link_id})]


async def aliases_of(unit: Unit, link_id: int) -> list[str]:
    """The other addresses that a link is known by."""
    return [row["url"] for row in await unit.all(QUERIES["aliases_of_link"], {"id": link_id})]


async def add_alias(unit: Unit, link_id: int, url: str, url_hash: str) -> None:
    await unit.execute(QUERIES["add_alias"], {"link_id": link_id, "url": url, "hash": url_hash})


async def one_at_a_time(unit: Unit) -> None:
    """Until the unit ends, nobody else decides whether two pages or two stories are the same."""
    await unit.execute(QUERIES["one_at_a_time"])


async def statistics(unit: Unit) -> Stats:
    """How many links stand where."""
    found = await unit.one(QUERIES["statistics"], into=Stats)
    assert found is not None
    return found
