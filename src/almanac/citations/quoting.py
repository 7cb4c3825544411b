"""Addresses that open an item with some of its words marked, and how a page reads them."""

import re

from almanac.citations.model import Place

ANCHOR = "quoted"
_QUOTE = re.compile(r"(\d{1,8})-(\d{1,8})")


def address_of(place: Place, start: int, end: int) -> str:
    """Where the item opens with these characters of its part marked; some items mark a whole passage themselves."""
    return place.path if not place.path or "#" in place.path else f"{place.path}?quote={start}-{end}#{ANCHOR}"


def read_quote(text: str) -> tuple[int, int] | None:
    """The characters that an address asks for; None where it asks for none."""
    found = _QUOTE.fullmatch(text)
    start, end = map(int, found.groups()) if found else (0, 0)
    return (start, end) if start < end else None
