"""Scan: reads everything in a table or index, a page at a time, whole or as one of several parallel segments."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.encoding.keys import segment_bounds
from tablature.engine.encoding.values import Item
from tablature.engine.errors import validation_error
from tablature.engine.reads.key_positions import check_start_key, position_of, read_start_key
from tablature.engine.reads.page import ResultPage
from tablature.engine.reads.selection import check_select, find_index, select
from tablature.engine.storage import IndexLayout, StoredTable
from tablature.engine.validation.constraints import integer, member, structure
from tablature.engine.validation.request_expressions import SCAN, read_expressions, reject_mixed_parameters
from tablature.engine.validation.shapes import (
    ATTRIBUTES_TO_GET,
    CONDITIONAL_OPERATOR,
    CONDITIONS,
    INDEX_NAME,
    RETURN_CONSUMED_CAPACITY,
    SELECT,
    TABLE_NAME,
)
from tablature.engine.writes.actions import reject_nested_keys

_MAX_SEGMENTS = 1_000_000

_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("Select", SELECT),
    member("Limit", integer(1)),
    member("Segment", integer(0, _MAX_SEGMENTS - 1)),
    member("TotalSegments", integer(1, _MAX_SEGMENTS)),
    member("AttributesToGet", ATTRIBUTES_TO_GET),
    member("ConditionalOperator", CONDITIONAL_OPERATOR),
    member("ScanFilter", CONDITIONS),
    member("IndexName", INDEX_NAME),
)


def run_scan(context: EngineContext, request: Request) -> Response:
    """Scan a table or index."""
    _SHAPE.check(request)
    reject_mixed_parameters(request, SCAN)
    start = read_start_key(request)
    low, high = _segment(request)
    expressions = read_expressions(request, SCAN)
    check_select(request)
    table = context.table(request["TableName"])
    index = find_index(table, request)
    after = None if start is None else _resume(request, table, index, start, (low, high))
    reject_nested_keys(table.schema, expressions)
    selection = select(request, expressions, index)
    page = ResultPage(table, selection, expressions.filter, request.get("Limit"))
    reader = context.storage.take_reader()
    try:
        page.fill(reader.everything(table, index, low=low, high=high, after=after))
    finally:
        context.storage.give_back(reader)
    return page.to_response(request)


def _segment(request: Mapping[str, Any]) -> tuple[bytes | None, bytes | None]:
    """The range of stored partition keys to read."""
    segment, total = request.get("Segment"), request.get("TotalSegments")
    if segment is None and total is None:
        return None, None
    if total is None:
        raise validation_error(
            "The TotalSegments parameter is required but was not present in the request "
            "when Segment parameter is present"
        )
    if segment is None:
        raise validation_error(
            "The Segment parameter is required but was not present in the request "
            "when parameter TotalSegments is present"
        )
    if segment >= total:
        raise validation_error(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            f"Segment: {segment} is not less than TotalSegments: {total}"
        )
    return segment_bounds(segment, total)


def _resume(
    request: Mapping[str, Any],
    table: StoredTable,
    index: IndexLayout | None,
    start: Item,
    segment: tuple[bytes | None, bytes | None],
) -> tuple[bytes, ...]:
    """The position to continue from. Raises if it is outside the scanned segment."""
    check_start_key(table, index, start, is_scan=True)
    position = position_of(table, index, start)
    low, high = segment
    if (low is not None and position[0] < low) or (high is not None and position[0] >= high):
        raise validation_error(
            "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with "
            f"correct Segment. TotalSegments: {request['TotalSegments']} Segment: {request['Segment']}"
        )
    return position
