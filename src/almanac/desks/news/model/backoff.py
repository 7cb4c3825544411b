"""When something is tried again: growing waits with jitter for links and hosts, growing terms for blocked sites."""

import random
from datetime import timedelta

MAX_ATTEMPTS = 6
REFUSALS_UNTIL_BLOCKED = 3
_FIRST, _FACTOR, _LONGEST = 30.0, 4.0, 6 * 3600.0
_TERM, _LONGEST_TERM = timedelta(days=1), timedelta(days=30)
_HOST_PATIENCE, _LONGEST_HOST_PATIENCE = 5.0, 3600.0


def link_retry_delay(attempts: int, *, asked: float = 0.0) -> timedelta:
    """How long a link waits after so many attempts; never less than the host asked for."""
    wait = min(_FIRST * _FACTOR ** max(0, attempts - 1), _LONGEST)
    return timedelta(seconds=max(asked, wait * _jitter()))


def host_retry_delay(failures_in_a_row: int) -> timedelta:
    """How long a host is left alone that keeps failing; a single failure is no sign."""
    if failures_in_a_row < REFUSALS_UNTIL_BLOCKED:
        return timedelta(0)
    wait = _HOST_PATIENCE * 2.0 ** min(failures_in_a_row - REFUSALS_UNTIL_BLOCKED, 20)
    return timedelta(seconds=min(wait, _LONGEST_HOST_PATIENCE) * _jitter())


def block_duration(strikes: int) -> timedelta:
    """How long a site that refuses us is not asked: a day, then twice as long each time, a month at most."""
    return min(_TERM * (1 << min(max(0, strikes - 1), 10)), _LONGEST_TERM)


def _jitter() -> float:
    return random.uniform(0.75, 1.25)  # noqa: S311 - nobody gains by guessing it
