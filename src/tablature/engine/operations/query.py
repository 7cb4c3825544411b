"""Query: reads the items of one partition of a table or index, in sort order, a page at a time."""

from typing import Any

from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.encoding.values import Item
from tablature.engine.errors import EngineError, in_envelope, validation_error
from tablature.engine.expressions.bound_expressions import KeyRange
from tablature.engine.reads.key_positions import (
    check_start_key,
    position_of,
    read_start_key,
    sort_bounds,
    stored_partition,
)
from tablature.engine.reads.page import ResultPage
from tablature.engine.reads.selection import check_select, find_index, reject_unprojected_filter, select
from tablature.engine.schema import IndexSchema, KeyAttribute, TableSchema
from tablature.engine.storage import IndexLayout, StoredTable
from tablature.engine.storage.reader import SortKeyBounds
from tablature.engine.validation.constraints import ReportViolation, Shape, member, structure
from tablature.engine.validation.key_rules import check_length, reject_empty
from tablature.engine.validation.request_expressions import (
    QUERY,
    RequestExpressions,
    read_expressions,
    reject_mixed_parameters,
)
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


class QueryLimit(Shape):
    """The page limit; unlike others, its violation names neither the value nor the member in lower case."""

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:  # noqa: ARG002 -- see above
        if value < 1:
            report("", "Limit", "Member must have value greater than or equal to 1")


_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("Select", SELECT),
    member("Limit", QueryLimit()),
    member("IndexName", INDEX_NAME),
    member("AttributesToGet", ATTRIBUTES_TO_GET),
    member("ConditionalOperator", CONDITIONAL_OPERATOR),
    member("KeyConditions", CONDITIONS),
    member("QueryFilter", CONDITIONS),
)


def run_query(context: EngineContext, request: Request) -> Response:
    """Query a table or index."""
    _SHAPE.check(request)
    reject_mixed_parameters(request, QUERY)
    start = read_start_key(request)
    expressions = read_expressions(request, QUERY)
    try:
        check_select(request)
    except EngineError as error:
        raise in_envelope(error) from None
    table = context.table(request["TableName"])
    index = find_index(table, request)
    if start is not None:
        check_start_key(table, index, start)
    schema = index.schema if index else table.schema
    key_range = _key_range(expressions, schema)
    _reject_key_filters(table, expressions, schema.keys)
    reject_unprojected_filter(expressions, index)
    selection = select(request, expressions, index)
    stored_hash, bounds = stored_partition(key_range, schema.hashes), sort_bounds(key_range, schema.ranges)
    after = None if start is None else _resume(table, index, start, stored_hash, bounds)
    page = ResultPage(table, selection, expressions.filter, request.get("Limit"))
    forward = request.get("ScanIndexForward") is not False
    reader = context.storage.take_reader()
    try:
        page.fill(reader.partition(table, index, stored_hash, bounds, forward=forward, after=after))
    finally:
        context.storage.give_back(reader)
    return page.to_response(request)


def _key_range(expressions: RequestExpressions, schema: TableSchema | IndexSchema) -> KeyRange:
    assert expressions.key_condition is not None
    key_range = expressions.key_condition.for_keys(schema.hashes, schema.ranges)
    for key, value in zip(schema.hashes, key_range.hash_values, strict=True):
        reject_empty(key, value)
        check_length(value, is_hash=True)
    for key, value in zip(schema.ranges, key_range.leading, strict=False):
        reject_empty(key, value)
    for bound in key_range.bounds:
        reject_empty(schema.ranges[len(key_range.leading)], bound)
        check_length(bound, is_hash=False)
    return key_range


def _reject_key_filters(table: StoredTable, expressions: RequestExpressions, keys: tuple[KeyAttribute, ...]) -> None:
    if expressions.filter is not None:
        expressions.filter.reject_key_attributes([key.name for key in keys])
    reject_nested_keys(table.schema, expressions)


def _resume(
    table: StoredTable, index: IndexLayout | None, start: Item, stored_hash: bytes, bounds: SortKeyBounds
) -> tuple[bytes, ...]:
    """The position to continue from. Raises if it is outside the queried range."""
    position = position_of(table, index, start)
    if position[0] != stored_hash:
        raise validation_error("The provided starting key is outside query boundaries based on provided conditions")
    if not _contains(bounds, position[1]):
        raise validation_error("The provided starting key does not match the range key predicate")
    return position[1:]


def _contains(bounds: SortKeyBounds, stored_range: bytes) -> bool:
    above = bounds.low is None or stored_range > bounds.low or (stored_range == bounds.low and not bounds.low_is_open)
    below = (
        bounds.high is None or stored_range < bounds.high or (stored_range == bounds.high and not bounds.high_is_open)
    )
    return above and below
