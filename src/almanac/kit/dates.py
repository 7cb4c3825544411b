"""Names of months in several languages, and names of time zones."""

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from zoneinfo import available_timezones

_NAMES = (
    "january januari jan janvier janv enero janeiro gennaio januar jänner",
    "february februari feb février févr febrero fevereiro febbraio februar",
    "march mac mar mars marzo março märz maart maret",
    "april apr avril avr abril aprile",
    "may mei mai mayo maio maggio",
    "june jun juin junio junho giugno juni",
    "july julai jul juillet juil julio julho luglio juli",
    "august ogos aug août agosto agustus augustus",
    "september sept sep septembre septiembre setembro settembre",
    "october oktober oct okt octobre octubre outubro ottobre",
    "november nov novembre noviembre novembro",
    "december disember dec dis décembre déc diciembre dezembro dicembre dezember dez desember",
)
_LOCAL_TIME = Path("/etc/localtime")
MONTHS: Mapping[str, int] = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
"""The number of each month by its names in small letters."""
ORDINAL = r"(?:st|nd|rd|th|hb|er|º)?\.?"
"""What may follow the number of a day, as a pattern: 2nd, 2hb., 1er, 2."""


@lru_cache(maxsize=1)
def time_zone_names() -> tuple[str, ...]:
    """All of them in order; they don't change while the product runs."""
    return tuple(sorted(available_timezones()))


def machine_zone() -> str | None:
    """The time zone that this machine is set to; None if it is no place or can't be told."""
    name = os.environ.get("TZ", "").removeprefix(":") or str(_LOCAL_TIME.resolve()).partition("/zoneinfo/")[2]
    return name if is_time_zone(name) and not name.startswith("Etc/") else None


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(time_zone_names())


def is_time_zone(name: str) -> bool:
    """Whether there is a time zone of this name."""
    return name in _known()
