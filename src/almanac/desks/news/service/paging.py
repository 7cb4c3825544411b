"""Pages of lists that are ordered by a number or a name."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.services import Services

T = TypeVar("T")


def position(services: Services, cursor: str | None, of: str) -> int | None:
    """The number after which a list goes on."""
    found = _decoded(services, cursor, of)
    return found if isinstance(found, int) else None


def name_position(services: Services, cursor: str | None, of: str) -> str | None:
    """The name after which a list goes on."""
    found = _decoded(services, cursor, of)
    return found if isinstance(found, str) else None


def numbered_page(
    services: Services, found: Sequence[T], limit: int, of: str, key: Callable[[T], int | str]
) -> Page[T]:
    """A page of what was found, one more than fits of which tells that the list goes on."""
    shown = list(found[:limit])
    more = len(found) > limit
    return Page(shown, encode_cursor([key(shown[-1])], of=of, key=services.key("cursors")) if more else None)


def _decoded(services: Services, cursor: str | None, of: str) -> str | int | None:
    if cursor is None:
        return None
    (found,) = decode_cursor(cursor, of=of, key=services.key("cursors"))
    return found
