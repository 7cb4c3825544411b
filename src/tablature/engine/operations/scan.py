"""Scan: reads everything in a table or index, a page at a time, whole or as one of several parallel segments."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.actions import refuse_nested_keys
from tablature.engine.clauses import SCAN, read_clauses, refuse_mixing
from tablature.engine.constraints import member, structure, whole
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import validation
from tablature.engine.index_rules import find_index
from tablature.engine.keys import segment_bounds
from tablature.engine.paging import Page
from tablature.engine.selection import check_select, select
from tablature.engine.shapes import (
    ATTRIBUTES_TO_GET,
    CONDITIONAL_OPERATOR,
    CONDITIONS,
    INDEX_NAME,
    RETURN_CONSUMED_CAPACITY,
    SELECT,
    TABLE_NAME,
)
from tablature.engine.start_keys import check_start_key, position_of, read_start_key
from tablature.engine.storage import IndexLayout, Table
from tablature.engine.values import Item

_MOST_SEGMENTS = 1_000_000

_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("Select", SELECT),
    member("Limit", whole(1)),
    member("Segment", whole(0, _MOST_SEGMENTS - 1)),
    member("TotalSegments", whole(1, _MOST_SEGMENTS)),
    member("AttributesToGet", ATTRIBUTES_TO_GET),
    member("ConditionalOperator", CONDITIONAL_OPERATOR),
    member("ScanFilter", CONDITIONS),
    member("IndexName", INDEX_NAME),
)


def run(context: Context, request: Request) -> Response:
    """Scan a table or index."""
    _SHAPE.check(request)
    refuse_mixing(request, SCAN)
    start = read_start_key(request)
    low, high = _segment(request)
    clauses = read_clauses(request, SCAN)
    check_select(request)
    table = context.table(request["TableName"])
    index = find_index(table, request)
    after = None if start is None else _resume(request, table, index, start, (low, high))
    refuse_nested_keys(table.schema, clauses)
    selection = select(request, clauses, index)
    page = Page(table, selection, clauses.filter, request.get("Limit"))
    reader = context.storage.take_reader()
    try:
        page.fill(reader.everything(table, index, low=low, high=high, after=after))
    finally:
        context.storage.give_back(reader)
    return page.answer(request)


def _segment(request: Mapping[str, Any]) -> tuple[bytes | None, bytes | None]:
    """The range of stored partition keys to read."""
    segment, total = request.get("Segment"), request.get("TotalSegments")
    if segment is None and total is None:
        return None, None
    if total is None:
        raise validation(
            "The TotalSegments parameter is required but was not present in the request "
            "when Segment parameter is present"
        )
    if segment is None:
        raise validation(
            "The Segment parameter is required but was not present in the request "
            "when parameter TotalSegments is present"
        )
    if segment >= total:
        raise validation(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            f"Segment: {segment} is not less than TotalSegments: {total}"
        )
    return segment_bounds(segment, total)


def _resume(
    request: Mapping[str, Any],
    table: Table,
    index: IndexLayout | None,
    start: Item,
    segment: tuple[bytes | None, bytes | None],
) -> tuple[bytes, ...]:
    """The position to go on from, which must lie in the scanned segment."""
    check_start_key(table, index, start, is_scan=True)
    position = position_of(table, index, start)
    low, high = segment
    if (low is not None and position[0] < low) or (high is not None and position[0] >= high):
        raise validation(
            "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with "
            f"correct Segment. TotalSegments: {request['TotalSegments']} Segment: {request['Segment']}"
        )
    return position
