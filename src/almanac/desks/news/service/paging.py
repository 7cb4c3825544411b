"""Cursor positions of lists that are sorted by one column."""

from typing import TypeVar

from almanac.kit.paging import decode_cursor
from almanac.services import Services

T = TypeVar("T", int, str)


def cursor_position(services: Services, cursor: str | None, of: str, kind: type[T]) -> T | None:
    """The value to continue after, or None at the start of the list. InputError for a cursor of another list."""
    if cursor is None:
        return None
    (position,) = decode_cursor(cursor, of=of, key=services.key("cursors"))
    return position if isinstance(position, kind) else None
