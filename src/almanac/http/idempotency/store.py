"""Every read and write of idempotency keys, by name."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal

from almanac.relational import Unit, load_queries

LIFE = timedelta(hours=24)
QUERIES = load_queries(__package__)
ClaimEnd = Literal["free", "in doubt"]


@dataclass(frozen=True, slots=True)
class CallerKey:
    """A key as one caller uses it; only its hash is stored."""

    caller: str
    key_hash: str


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What was answered; the body is sealed with the caller's own key."""

    status: int | None
    content_type: str | None
    location: str | None
    etag: str | None
    sealed_body: bytes | None


@dataclass(frozen=True, slots=True)
class KeyClaim(StoredAnswer):
    """What is stored under a key; without a status the first request hasn't been answered."""

    fingerprint: str
    claimed_at: datetime
    ended: ClaimEnd | None


@dataclass(frozen=True, slots=True)
class RequestAttempt:
    """The right to run a request: when it came first, and how often it was tried, this time included."""

    begun_at: datetime
    tries: int


async def claim_key(
    unit: Unit, key: CallerKey, fingerprint: str, now: datetime, *, given_up_before: datetime | None
) -> RequestAttempt | None:
    """A try, if the request may run now; one that was claimed before a given moment counts as given up."""
    given = {**asdict(key), "fingerprint": fingerprint, "now": now, "given_up_before": given_up_before}
    return await unit.one(QUERIES["claim_key"], given, into=RequestAttempt)


async def find_claim(unit: Unit, key: CallerKey) -> KeyClaim | None:
    """The claim under a key."""
    return await unit.one(QUERIES["find_claim"], asdict(key), into=KeyClaim)


async def save_answer(unit: Unit, key: CallerKey, answer: StoredAnswer, now: datetime) -> None:
    """Store an answer for replays."""
    await unit.execute(QUERIES["save_answer"], {**asdict(key), **asdict(answer), "now": now})


async def end_claim(unit: Unit, key: CallerKey, ended: ClaimEnd) -> None:
    """Note how a request ended that failed half-way."""
    await unit.execute(QUERIES["end_claim"], {**asdict(key), "ended": ended})


async def release_claim(unit: Unit, key: CallerKey) -> None:
    """Forget a claim whose request changed nothing."""
    await unit.execute(QUERIES["release_claim"], asdict(key))


async def delete_expired_keys(unit: Unit, caller: str, expired_before: datetime) -> None:
    """Remove what no replay of this caller may use any more."""
    await unit.execute(QUERIES["delete_expired_keys"], {"caller": caller, "expired_before": expired_before})


async def delete_all_expired_keys(unit: Unit, expired_before: datetime) -> None:
    """Remove what no replay of anybody may use any more: callers who never come back leave theirs behind."""
    await unit.execute(QUERIES["delete_all_expired_keys"], {"expired_before": expired_before})
