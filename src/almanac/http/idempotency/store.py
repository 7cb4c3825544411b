"""Every read and write of idempotency keys, by name."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal

from almanac.relational import PRESENCE_NAMESPACE, Unit, load_queries

RETENTION = timedelta(hours=24)
ABANDONED_AFTER = timedelta(minutes=2)
QUERIES = load_queries(__package__)
ClaimEnd = Literal["free", "in doubt"]


@dataclass(frozen=True, slots=True)
class CallerKey:
    """A key of one caller; only its hash is stored."""

    caller: str
    key_hash: str


@dataclass(frozen=True, slots=True)
class KeyHold(CallerKey):
    """A key that one try of its request holds."""

    tries: int


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
    """The stored state of a key; without a status the first request has no response yet.

    `is_held` says whether the process that runs it is alive.
    """

    fingerprint: str
    claimed_at: datetime
    ended: ClaimEnd | None
    wrote_here: bool
    wrote_elsewhere: bool
    is_held: bool


@dataclass(frozen=True, slots=True)
class RequestAttempt:
    """The right to run a request: when it was first sent, which try this is, and whether an earlier one wrote."""

    begun_at: datetime
    tries: int
    has_effects: bool


async def claim_key(
    unit: Unit, key: CallerKey, fingerprint: str, now: datetime, *, holder: int, is_repeatable: bool
) -> RequestAttempt | None:
    """Claim a key if its request may run now, else None.

    A claim of a process that died may be taken over if nothing was written, or if the request is repeatable.
    """
    params = {
        **asdict(key),
        "fingerprint": fingerprint,
        "now": now,
        "holder": holder,
        "is_repeatable": is_repeatable,
        "namespace": PRESENCE_NAMESPACE,
        "given_up_before": now - ABANDONED_AFTER,
    }
    return await unit.one(QUERIES["claim_key"], params, into=RequestAttempt)


async def find_claim(unit: Unit, key: CallerKey, now: datetime) -> KeyClaim | None:
    """The stored state of a key; None if it was never used."""
    params = {**asdict(key), "namespace": PRESENCE_NAMESPACE, "given_up_before": now - ABANDONED_AFTER}
    return await unit.one(QUERIES["find_claim"], params, into=KeyClaim)


async def note_write_here(unit: Unit, hold: KeyHold) -> bool:
    """Note in a unit that it has written; False if another try has taken over."""
    return await unit.execute(QUERIES["note_write_here"], asdict(hold)) > 0


async def note_write_elsewhere(unit: Unit, hold: KeyHold) -> bool:
    """Note that another store is about to be written; False if another try has taken over."""
    return await unit.execute(QUERIES["note_write_elsewhere"], asdict(hold)) > 0


async def save_answer(unit: Unit, hold: KeyHold, answer: StoredAnswer, now: datetime) -> bool:
    """Store a response for replays; False if another try has taken over."""
    return await unit.execute(QUERIES["save_answer"], {**asdict(hold), **asdict(answer), "now": now}) > 0


async def end_claim(unit: Unit, hold: KeyHold, ended: ClaimEnd) -> None:
    """Record how a failed request ended."""
    await unit.execute(QUERIES["end_claim"], {**asdict(hold), "ended": ended})


async def release_claim(unit: Unit, hold: KeyHold) -> None:
    """Delete the claim of a request that changed nothing."""
    await unit.execute(QUERIES["release_claim"], asdict(hold))


async def delete_expired_keys(unit: Unit, caller: str, expired_before: datetime) -> None:
    """Delete the expired keys of one caller."""
    await unit.execute(QUERIES["delete_expired_keys"], {"caller": caller, "expired_before": expired_before})


async def delete_all_expired_keys(unit: Unit, expired_before: datetime) -> None:
    """Delete all expired keys, including those of callers who never come back."""
    await unit.execute(QUERIES["delete_all_expired_keys"], {"expired_before": expired_before})
