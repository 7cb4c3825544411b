"""Every read and write of idempotency keys, by name."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal

from almanac.relational import Unit, load_queries

RETENTION = timedelta(hours=24)
QUERIES = load_queries(__package__)
ClaimEnd = Literal["free", "in doubt"]


@dataclass(frozen=True, slots=True)
class CallerKey:
    """A key of one caller; only its hash is stored."""

    caller: str
    key_hash: str


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A stored response; the body is encrypted with the caller's own key."""

    status: int | None
    content_type: str | None
    location: str | None
    etag: str | None
    sealed_body: bytes | None


@dataclass(frozen=True, slots=True)
class KeyClaim(StoredAnswer):
    """The stored state of a key; without a status the first request has no response yet."""

    fingerprint: str
    claimed_at: datetime
    ended: ClaimEnd | None


@dataclass(frozen=True, slots=True)
class RequestAttempt:
    """The right to run a request: when it was first sent, and the number of attempts, this one included."""

    begun_at: datetime
    tries: int


async def claim_key(
    unit: Unit, key: CallerKey, fingerprint: str, now: datetime, *, given_up_before: datetime | None
) -> RequestAttempt | None:
    """Claim a key if its request may run now, else None. A claim older than `given_up_before` counts as abandoned."""
    params = {**asdict(key), "fingerprint": fingerprint, "now": now, "given_up_before": given_up_before}
    return await unit.one(QUERIES["claim_key"], params, into=RequestAttempt)


async def find_claim(unit: Unit, key: CallerKey) -> KeyClaim | None:
    """The stored state of a key; None if it was never used."""
    return await unit.one(QUERIES["find_claim"], asdict(key), into=KeyClaim)


async def save_answer(unit: Unit, key: CallerKey, answer: StoredAnswer, now: datetime) -> None:
    """Store a response for replays."""
    await unit.execute(QUERIES["save_answer"], {**asdict(key), **asdict(answer), "now": now})


async def end_claim(unit: Unit, key: CallerKey, ended: ClaimEnd) -> None:
    """Record how a failed request ended."""
    await unit.execute(QUERIES["end_claim"], {**asdict(key), "ended": ended})


async def release_claim(unit: Unit, key: CallerKey) -> None:
    """Delete the claim of a request that changed nothing."""
    await unit.execute(QUERIES["release_claim"], asdict(key))


async def delete_expired_keys(unit: Unit, caller: str, expired_before: datetime) -> None:
    """Delete the expired keys of one caller."""
    await unit.execute(QUERIES["delete_expired_keys"], {"caller": caller, "expired_before": expired_before})


async def delete_all_expired_keys(unit: Unit, expired_before: datetime) -> None:
    """Delete all expired keys, including those of callers who never come back."""
    await unit.execute(QUERIES["delete_all_expired_keys"], {"expired_before": expired_before})
