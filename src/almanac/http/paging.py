"""Cursor paging of lists: the parameters of routes, and the URLs of other pages."""

from typing import Annotated
from urllib.parse import parse_qsl, urlencode

from fastapi import Query
from starlette.datastructures import URL

Cursor = Annotated[str | None, Query(max_length=600, description="The `next_cursor` of the previous page.")]
Limit = Annotated[int, Query(ge=1, le=200, description="The maximum number of items per page.")]


def with_query(url: URL, **changes: str | None) -> str:
    """The path and query of a URL with some parameters changed; None removes one."""
    given = parse_qsl(url.query, keep_blank_values=True) if url.query else ()
    pairs = [pair for pair in given if pair[0] not in changes]
    pairs += [(name, value) for name, value in changes.items() if value]
    return f"{url.path}?{urlencode(pairs)}" if pairs else url.path


def next_url(url: URL, cursor: str | None) -> str:
    """The URL of the next page; empty if this is the last."""
    return with_query(url, cursor=cursor) if cursor else ""


def first_url(url: URL, cursor: str | None) -> str:
    """The URL of the first page; empty if this is it."""
    return with_query(url, cursor=None) if cursor else ""
