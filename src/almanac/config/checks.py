"""What a value of a setting must satisfy: each check returns what is wrong, or None."""

import re
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

Check = Callable[[Any], str | None]


def between(low: int, high: int) -> Check:
    """The number must lie in a range."""
    return lambda value: None if low <= value <= high else f"must be from {low} to {high}"


def at_least(low: int) -> Check:
    """The number must not be smaller."""
    return lambda value: None if value >= low else f"must be {low} or more"


def url_with_scheme(*schemes: str) -> Check:
    """The text must be an address with one of these schemes, and on the web name its host."""
    refusal = f"must be an address that starts with {' or '.join(f'{scheme}://' for scheme in schemes)}"

    def check(value: str) -> str | None:
        try:
            parts = urlsplit(value)
            parts.port  # noqa: B018 - reading it is what checks it
        except ValueError:
            return refusal
        if parts.scheme in ("http", "https") and not parts.hostname:
            return refusal + " and names a host"
        return None if parts.scheme in schemes else refusal

    return check


def url_or_folder(value: str) -> str | None:
    """The text must be an address on the web, or a folder by its whole path."""
    if not value.startswith("file:"):
        # Sources of other parliaments name their form before the address, as in hansard+https://…
        return url_with_scheme("https", "http")(re.sub(r"\A[a-z]+\+(?=https?:)", "", value))
    parts = urlsplit(value)
    is_whole = not parts.netloc and parts.path.startswith("/")
    return None if is_whole else "must name a whole path, as in file:///srv/almanac/records"


def urls_or_folders(value: str) -> str | None:
    """Each of several addresses, separated by spaces or commas, must be on the web or a folder by its whole path."""
    addresses = split_addresses(value)
    if not addresses:
        return "must name at least one address or folder"
    return next((refusal for address in addresses if (refusal := url_or_folder(address))), None)


def split_addresses(value: str) -> tuple[str, ...]:
    """The addresses in a text, each once; a comma counts where another address follows it."""
    return tuple(dict.fromkeys(filter(None, re.split(r"\s+|,\s*(?=[a-z][a-z+.-]*:)", value.strip(" ,")))))


def region_name(value: str) -> str | None:
    """The text must be the name of a region."""
    return None if re.fullmatch(r"[a-z0-9-]+", value) else "must be a region such as eu-west-1"


def ascii_line(value: str) -> str | None:
    """The text goes into a header, which holds one line of ASCII."""
    return None if value.isascii() and value.isprintable() else "must be one line of plain letters, digits and signs"


def short_line(value: str) -> str | None:
    """The text is a name: one line that fits into a title."""
    fits = value == value.strip() and 1 <= len(value) <= 80 and value.isprintable()
    return None if fits else "must be one line of at most 80 characters"


def time_zone_name(value: str) -> str | None:
    """The text must name a time zone."""
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        return "must be a time zone such as UTC or Africa/Nairobi"
    return None


def names_among(*names: str) -> Check:
    """The text must be a list of these names, separated by commas."""

    def check(value: str) -> str | None:
        wrong = {name.strip() for name in value.split(",")} - {"", *names}
        return f"must be a list of {', '.join(names)}" if wrong else None

    return check


def networks(value: str) -> str | None:
    """The text must be a list of addresses and networks, separated by commas."""
    try:
        for name in filter(None, map(str.strip, value.split(","))):
            ip_network(name)
    except ValueError:
        return "must be addresses or networks such as 10.0.0.5,10.1.0.0/16, separated by commas"
    return None


def table_name(value: str) -> str | None:
    """The text must be a name that a table can have."""
    is_name = re.fullmatch(r"[A-Za-z0-9_.-]{3,255}", value)
    return None if is_name else "must be 3 to 255 letters, digits, dots, hyphens and underscores"
