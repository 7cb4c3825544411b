"""How many attempts to sign in are let through, for one account and for one address: pure rules on a tally."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil


@dataclass(frozen=True, slots=True)
class AttemptLimit:
    """So many attempts are free; after that each failure doubles the wait, up to the longest."""

    free: int
    first_wait: timedelta
    longest_wait: timedelta
    forget_after: timedelta


ACCOUNT_LIMIT = AttemptLimit(5, timedelta(seconds=30), timedelta(minutes=15), timedelta(hours=1))
# Many people can share one address, so an address gets more attempts than an account.
ADDRESS_LIMIT = AttemptLimit(30, timedelta(seconds=30), timedelta(minutes=15), timedelta(hours=1))
RESET_LIMIT = AttemptLimit(3, timedelta(minutes=5), timedelta(hours=1), timedelta(hours=1))


@dataclass(frozen=True, slots=True)
class AttemptCount:
    """Attempts that did not succeed. An attempt counts before it is tried, so that parallel ones can't slip by."""

    key: str
    failures: int
    last_attempt_at: datetime
    blocked_until: datetime | None

    def wait(self, now: datetime) -> int:
        """Seconds until the next attempt may be made; 0 means now."""
        if self.blocked_until is None or self.blocked_until <= now:
            return 0
        return ceil((self.blocked_until - now).total_seconds())


def add_attempt(tally: AttemptCount, limit: AttemptLimit, now: datetime) -> AttemptCount:
    """The tally with one more attempt, blocked once the free ones are used up."""
    failures = 1 if now - tally.last_attempt_at >= limit.forget_after else tally.failures + 1
    blocked_until = None
    if failures >= limit.free:
        doublings = min(failures - limit.free, 30)
        blocked_until = now + min(limit.first_wait * 2**doublings, limit.longest_wait)
    return AttemptCount(tally.key, failures, now, blocked_until)


def remove_attempt(tally: AttemptCount) -> AttemptCount:
    """The tally after one of its attempts turned out to be right, for a key that others may share."""
    return replace(tally, failures=max(tally.failures - 1, 0), blocked_until=None)


def address_key(address: str) -> str:
    """The key of an address's tally. Whoever has one IPv6 address has its whole /64, so that counts as one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "address:" + address
    if isinstance(parsed, IPv6Address):
        return f"address:{parsed.ipv4_mapped or ip_network((parsed, 64), strict=False)}"
    return f"address:{parsed}"
