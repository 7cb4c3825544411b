"""The names of time zones. Finding them walks through a folder of files, so it is done once."""

from functools import lru_cache
from zoneinfo import available_timezones


@lru_cache(maxsize=1)
def zone_names() -> tuple[str, ...]:
    """All of them in order; they don't change while the product runs."""
    return tuple(sorted(available_timezones()))


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(zone_names())


def is_zone(name: str) -> bool:
    """Whether there is a time zone of this name."""
    return name in _known()
