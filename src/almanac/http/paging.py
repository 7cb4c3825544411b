"""Cursor paging of lists: the parameters a route takes and the addresses a page links to."""

from typing import Annotated
from urllib.parse import parse_qsl, urlencode

from fastapi import Query
from starlette.datastructures import URL

Cursor = Annotated[str | None, Query(max_length=600, description="Where to go on: `next_cursor` of the page before.")]
Limit = Annotated[int, Query(ge=1, le=200, description="Most items on one page.")]


def with_query(url: URL, **changes: str | None) -> str:
    """The path and query of an address with some parameters changed; None removes one."""
    kept = [pair for pair in parse_qsl(url.query, keep_blank_values=True) if pair[0] not in changes]
    query = urlencode(kept + [(name, value) for name, value in changes.items() if value])
    return url.path + (f"?{query}" if query else "")


def next_url(url: URL, cursor: str | None) -> str:
    """The address of the next page, or nothing where the list ends."""
    return with_query(url, cursor=cursor) if cursor else ""


def first_url(url: URL, cursor: str | None) -> str:
    """The address of the first page, or nothing where this is it."""
    return with_query(url, cursor=None) if cursor else ""
