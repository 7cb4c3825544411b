"""ExecuteStatement, BatchExecuteStatement and ExecuteTransaction: PartiQL, one statement or many."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.capacity import CapacityTally, attach_capacity
from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.operations.transact_get_items import transact_get_items
from tablature.engine.operations.transact_write_items import reject_repeated_items, write_transaction
from tablature.engine.partiql.parser import parse_statement
from tablature.engine.partiql.select import reject_partial_key, run_select
from tablature.engine.partiql.select_plan import SelectPlan, plan_select
from tablature.engine.partiql.statements import DeleteStatement, SelectStatement, Statement, UpdateStatement
from tablature.engine.partiql.where_keys import split_key
from tablature.engine.partiql.writes import BoundWrite, WriteStatement, bind_write, prepare_single_write, returned_item
from tablature.engine.validation.constraints import ListShape, integer, list_of, member, string, structure
from tablature.engine.validation.shapes import ATTRIBUTE_VALUE, RETURN_CONSUMED_CAPACITY, RETURN_ON_CONDITION_FAILURE
from tablature.engine.writes.actions import ItemAction
from tablature.engine.writes.responses import REASON_CODES, all_or_cancel

MAX_BATCH_STATEMENTS = 25
MAX_TRANSACTION_STATEMENTS = 100


def _statement_list(name: str, maximum: int) -> ListShape:
    statement = structure(
        member("Statement", string(1, 8192), required=True),
        member("Parameters", list_of(ATTRIBUTE_VALUE, 1)),
        member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
        name=name,
    )
    return list_of(statement, 1, maximum)


_EXECUTE_STATEMENT_SHAPE = structure(
    member("Statement", string(1, 8192), required=True),
    member("Parameters", list_of(ATTRIBUTE_VALUE, 1)),
    member("NextToken", string(1, 32768)),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("Limit", integer(1)),
    member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
)


def execute_statement(context: EngineContext, request: Request) -> Response:
    """Read a page of rows, or write one item."""
    _EXECUTE_STATEMENT_SHAPE.check(request)
    statement = parse_statement(request["Statement"], request.get("Parameters") or ())
    if isinstance(statement, SelectStatement):
        return run_select(context, plan_select(context, statement, request), request)
    return _execute_write(context, statement, request)


def _execute_write(context: EngineContext, statement: WriteStatement, request: Request) -> Response:
    action = prepare_single_write(context, statement, request)
    change = context.storage.write(action.run)
    item = returned_item(statement, action, change)
    response: Response = {"Items": [] if item is None else [item]}
    tally = CapacityTally(action.table)
    tally.add_change(change)
    attach_capacity(response, request.get("ReturnConsumedCapacity"), tally)
    return response


_BATCH_EXECUTE_STATEMENT_SHAPE = structure(
    member("Statements", _statement_list("BatchStatementRequest", MAX_BATCH_STATEMENTS), required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
)
# Errors that the table itself raised; only these name it.
_REACHED_TABLE = frozenset({"ConditionalCheckFailedException", "DuplicateItemException"})


def batch_execute_statement(context: EngineContext, request: Request) -> Response:
    """Execute each statement. One that fails has an error in its response."""
    _BATCH_EXECUTE_STATEMENT_SHAPE.check(request)
    requests: list[Mapping[str, Any]] = request["Statements"]
    parsed = [_parse_batch_statement(statement) for statement in requests]
    kinds = {isinstance(statement, SelectStatement) for statement in parsed if not isinstance(statement, EngineError)}
    if len(kinds) > 1:
        raise validation_error("Read and write requests together in the same batch is not supported.")
    detail = request.get("ReturnConsumedCapacity")
    capacities: list[dict[str, Any]] = []
    responses = [
        _statement_response(context, statement, {**statement_request, "ReturnConsumedCapacity": detail}, capacities)
        for statement, statement_request in zip(parsed, requests, strict=True)
    ]
    response: Response = {"Responses": responses}
    if detail in ("TOTAL", "INDEXES"):
        response["ConsumedCapacity"] = capacities
    return response


def _parse_batch_statement(request: Mapping[str, Any]) -> Statement | EngineError:
    try:
        return parse_statement(request["Statement"], request.get("Parameters") or ())
    except EngineError as error:
        return error


def _statement_response(
    context: EngineContext, statement: Statement | EngineError, request: Request, capacities: list[dict[str, Any]]
) -> Response:
    if isinstance(statement, EngineError):
        return {"Error": _error_response(statement)}
    try:
        item = _execute_one(context, statement, request, capacities)
    except EngineError as error:
        if error.code not in REASON_CODES:
            raise
        named = {"TableName": statement.table} if error.code in _REACHED_TABLE else {}
        return {"Error": _error_response(error), **named}
    return {"TableName": statement.table} if item is None else {"Item": item, "TableName": statement.table}


def _error_response(error: EngineError) -> dict[str, Any]:
    return {"Code": REASON_CODES[error.code], "Message": error.message, **error.fields}


def _execute_one(
    context: EngineContext, statement: Statement, request: Request, capacities: list[dict[str, Any]]
) -> dict[str, Any] | None:
    if isinstance(statement, SelectStatement):
        reject_partial_key(statement, context.table(statement.table), "BatchExecuteStatement")
        page = run_select(context, plan_select(context, statement, request), request)
        capacities.extend([page["ConsumedCapacity"]] if "ConsumedCapacity" in page else [])
        return page["Items"][0] if page["Items"] else None
    action = prepare_single_write(context, statement, request)
    change = context.storage.write(action.run)
    if request["ReturnConsumedCapacity"] is not None:
        tally = CapacityTally(action.table)
        tally.add_change(change)
        capacities.append(tally.to_response(request["ReturnConsumedCapacity"]))
    return returned_item(statement, action, change)


_EXECUTE_TRANSACTION_SHAPE = structure(
    member("TransactStatements", _statement_list("ParameterizedStatement", MAX_TRANSACTION_STATEMENTS), required=True),
    member("ClientRequestToken", string(1, 36)),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
)


def execute_transaction(context: EngineContext, request: Request) -> Response:
    """Execute statements as one transaction: all reads or all writes."""
    _EXECUTE_TRANSACTION_SHAPE.check(request)
    requests: list[Mapping[str, Any]] = request["TransactStatements"]
    parsed = [_parse_transaction_statement(position, statement) for position, statement in enumerate(requests)]
    reads = [statement for statement in parsed if isinstance(statement, SelectStatement)]
    if not reads:
        writes = [statement for statement in parsed if not isinstance(statement, SelectStatement)]
        return _write_all(context, writes, request)
    if len(reads) < len(parsed):
        raise validation_error(
            "ExecuteTransaction API does not support both read and write operations in the same request."
        )
    return _read_all(context, reads, request)


def _parse_transaction_statement(position: int, request: Mapping[str, Any]) -> Statement:
    try:
        return parse_statement(request["Statement"], request.get("Parameters") or ())
    except EngineError as error:
        raise _with_position(position, error) from error


def _with_position(position: int, error: EngineError) -> EngineError:
    """The error of one statement, with its position in the request."""
    if error.code != "ValidationException":
        return error
    return validation_error(f"Validation failed in TransactStatements[{position}]: {error.message}")


def _write_all(context: EngineContext, writes: list[WriteStatement], request: Request) -> Response:
    requests = request["TransactStatements"]
    bound = [_bind_write(context, position, write) for position, write in enumerate(writes)]
    actions = all_or_cancel(_prepare_write, zip(bound, requests, strict=True))
    reject_repeated_items(actions)
    return {"Responses": [], **write_transaction(context, actions, request, requests)}


def _bind_write(context: EngineContext, position: int, write: WriteStatement) -> BoundWrite | EngineError:
    """Bind a write. A missing table cancels the transaction later, any other error rejects the request."""
    try:
        if isinstance(write, UpdateStatement | DeleteStatement) and write.returning is not None:
            raise validation_error("RETURNING clause is not supported in ExecuteTransaction.")
        return bind_write(context, write)
    except EngineError as error:
        if error.code == "ResourceNotFoundException":
            return error
        raise _with_position(position, error) from error


def _prepare_write(write: tuple[BoundWrite | EngineError, Mapping[str, Any]]) -> ItemAction:
    bound, request = write
    if isinstance(bound, EngineError):
        raise bound
    return bound.prepare(request)


def _read_all(context: EngineContext, selects: list[SelectStatement], request: Request) -> Response:
    outcomes = [_full_key(context, position, select) for position, select in enumerate(selects)]
    keys = all_or_cancel(_raise_error, outcomes)
    gets = [{"Get": {"TableName": select.table, "Key": key}} for select, key in zip(selects, keys, strict=True)]
    native: Request = {"TransactItems": gets}
    if request.get("ReturnConsumedCapacity") is not None:
        native["ReturnConsumedCapacity"] = request["ReturnConsumedCapacity"]
    response = transact_get_items(context, native)
    response["Responses"] = [
        {"Item": SelectPlan(select, (), None).columns(entry["Item"])} if "Item" in entry else {}
        for select, entry in zip(selects, response["Responses"], strict=True)
    ]
    return response


def _raise_error(key: dict[str, Any] | EngineError) -> dict[str, Any]:
    if isinstance(key, EngineError):
        raise key
    return key


def _full_key(context: EngineContext, position: int, select: SelectStatement) -> dict[str, Any] | EngineError:
    """The key that a SELECT determines, or the error that cancels the transaction."""
    try:
        if select.index is not None:
            raise validation_error("Reads on indices are not supported within transactions.")
        table = context.table(select.table)
        key, rest = split_key(select.where, select.values, table.key_names)
        if rest or len(key) != len(table.key_names):
            raise validation_error(
                "Select statements within ExecuteTransaction must specify the primary key in the where clause."
            )
    except EngineError as error:
        if error.code == "ResourceNotFoundException":
            return error
        raise _with_position(position, error) from error
    return key
