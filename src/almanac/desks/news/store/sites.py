"""Domains and how they fare, and the blacklist."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import msgspec

from almanac.desks.news.store.rows import QUERIES, columns, in_utc
from almanac.kit.json_text import encode_json
from almanac.relational import Jsonb, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What we know of a domain: its rules for programs, when it may be asked next, and how it answered."""

    domain: str
    next_request_at: datetime
    delay_ms: int | None
    robots: str | None
    robots_until: datetime | None
    requests: int
    succeeded: int
    failed: int
    refused: int
    failures_in_a_row: int
    refusals_in_a_row: int
    last_status: int | None
    last_problem: str | None
    last_success_at: datetime | None
    last_request_at: datetime | None
    waiting: int = 0
    blocked_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteBlock:
    """A row of `blacklisted_sites`: why, on what evidence, until when; or that it must never be blocked."""

    domain: str
    url: str
    title: str | None
    reason: str | None
    cause: str | None
    evidence: Mapping[str, Any] | None
    expires_at: datetime | None
    strikes: int
    is_allowed: bool
    created_at: datetime | None = None
    updated_at: datetime | None = None


async def find_domain(unit: Unit, domain: str) -> Domain | None:
    return await unit.one(QUERIES["find_domain"], {"domain": domain}, into=in_utc(Domain))


async def list_domains(unit: Unit, *, after: str | None, limit: int, now: datetime) -> list[Domain]:
    """Domains by name, with how many links wait and whether they are blocked."""
    given = {"after": after, "limit": limit, "now": now}
    return await unit.all(QUERIES["list_domains"], given, into=in_utc(Domain))


async def save_robots(
    unit: Unit, domain: str, robots: str, *, until: datetime, delay_ms: int | None, now: datetime
) -> None:
    """Remember a site's rules for programs."""
    given = {"domain": domain, "robots": robots, "until": until, "delay_ms": delay_ms, "now": now}
    await unit.execute(QUERIES["save_robots"], given)


class DomainAnswers(msgspec.Struct, frozen=True):
    """How often a domain answered well, and its last answer."""

    domain: str
    answers: int
    status: int


async def record_answers(unit: Unit, answered: Sequence[DomainAnswers], now: datetime) -> None:
    """Count answers; blocks that stood against their domains are over with them."""
    await unit.execute(QUERIES["record_answers"], {"answers": encode_json(answered).decode(), "now": now})


async def record_failure(unit: Unit, domain: str, status: int | None, reason: str) -> int:
    """Count a failure; returns how many there were in a row."""
    return int(await unit.value(QUERIES["record_failure"], {"domain": domain, "status": status, "reason": reason}) or 0)


async def record_refusal(unit: Unit, domain: str, status: int | None, reason: str) -> tuple[int, datetime | None]:
    """Count a refusal; returns how many there were in a row, and when something went well last."""
    given = {"domain": domain, "status": status, "reason": reason}
    row = await unit.one(QUERIES["record_refusal"], given, into=in_utc(columns))
    return (row["refusals_in_a_row"], row["last_success_at"]) if row else (0, None)


async def pause_domain(unit: Unit, domain: str, until: datetime) -> None:
    """Leave a domain alone until a moment."""
    await unit.execute(QUERIES["pause_domain"], {"domain": domain, "until": until})


async def resume_domain(unit: Unit, domain: str, now: datetime) -> None:
    """Let a domain be asked again."""
    await unit.execute(QUERIES["resume_domain"], {"domain": domain, "now": now})


async def reserve_request_slot(unit: Unit, domain: str, *, delay_ms: int, now: datetime) -> datetime:
    """Reserve the next moment at which the domain may be asked."""
    given = {"domain": domain, "delay_ms": delay_ms, "now": now}
    row = await unit.one(QUERIES["reserve_request_slot"], given, into=in_utc(columns))
    return row["turn"] if row else now


async def find_block(unit: Unit, domain: str) -> SiteBlock | None:
    return await unit.one(QUERIES["find_block"], {"domain": domain}, into=in_utc(SiteBlock))


async def upsert_block(unit: Unit, block: SiteBlock, now: datetime) -> None:
    """Block a domain, or change how it is blocked."""
    values = {**asdict(block), "evidence": Jsonb(dict(block.evidence or {})), "now": now}
    await unit.execute(QUERIES["upsert_block"], values)


async def delete_block(unit: Unit, domain: str) -> bool:
    return await unit.execute(QUERIES["delete_block"], {"domain": domain}) == 1


async def list_blocks(unit: Unit, *, after: str | None, limit: int) -> list[SiteBlock]:
    """The blacklist by domain."""
    return await unit.all(QUERIES["list_blocks"], {"after": after, "limit": limit}, into=in_utc(SiteBlock))


async def find_active_block(unit: Unit, domain: str, now: datetime) -> tuple[datetime, str] | None:
    """Until when a domain is not asked, and why."""
    row = await unit.one(QUERIES["find_active_block"], {"domain": domain, "now": now}, into=in_utc(columns))
    return (row["until"], row["reason"] or "it refused us.") if row else None


async def block_waiting_links(unit: Unit, domain: str, *, reason: str, until: datetime, now: datetime) -> int:
    """Block the links of a domain that wait."""
    return await unit.execute(
        QUERIES["block_waiting_links"], {"domain": domain, "reason": reason, "until": until, "now": now}
    )


async def release_blocked_links(unit: Unit, domain: str) -> int:
    """Let the links of a domain wait again that were blocked with it."""
    return await unit.execute(QUERIES["release_blocked_links"], {"domain": domain})
