"""Reads a long list page by page, each page in a short transaction of its own."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from almanac.relational import Unit
from almanac.services import Services

T = TypeVar("T")
PAGE_SIZE = 200


async def iter_pages(
    services: Services, list_page: Callable[[Unit, str], Awaitable[list[T]]], key: Callable[[T], str]
) -> AsyncIterator[T]:
    """All rows of a list. `list_page` gets the key of the last row read, or an empty string for the first page.

    No transaction is open while the caller works on a row.
    """
    after = ""
    while True:
        async with services.database.unit() as unit:
            page = await list_page(unit, after)
        for row in page:
            yield row
        if len(page) < PAGE_SIZE:
            return
        after = key(page[-1])
