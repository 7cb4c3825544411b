"""ExecuteStatement, BatchExecuteStatement and ExecuteTransaction: PartiQL, one statement or many."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.capacity import CapacityTally, attach_capacity
from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.operations.transact_get_items import transact_get_items as get_together
from tablature.engine.operations.transact_write_items import refuse_repeated_items, write_transaction
from tablature.engine.partiql.parser import parse_statement
from tablature.engine.partiql.select import refuse_partial_key, run_select
from tablature.engine.partiql.select_plan import SelectPlan, plan_select
from tablature.engine.partiql.statements import DeleteStatement, SelectStatement, Statement, UpdateStatement
from tablature.engine.partiql.where_keys import split_key
from tablature.engine.partiql.writes import BoundWrite, WriteStatement, bind_write, prepare_single_write, returned_item
from tablature.engine.validation.constraints import integer, list_of, member, string, structure
from tablature.engine.validation.shapes import ATTRIBUTE_VALUE, RETURN_CONSUMED_CAPACITY, RETURN_ON_CONDITION_FAILURE
from tablature.engine.writes.actions import ItemAction
from tablature.engine.writes.responses import all_or_cancel

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


MAX_BATCH_STATEMENTS = 25

_BATCH_EXECUTE_STATEMENT_SHAPE = structure(
    member(
        "Statements",
        list_of(
            structure(
                member("Statement", string(1, 8192), required=True),
                member("Parameters", list_of(ATTRIBUTE_VALUE, 1)),
                member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
                name="BatchStatementRequest",
            ),
            1,
            MAX_BATCH_STATEMENTS,
        ),
        required=True,
    ),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
)
_BATCH_ERROR_CODES = {
    "ConditionalCheckFailedException": "ConditionalCheckFailed",
    "DuplicateItemException": "DuplicateItem",
    "ResourceNotFoundException": "ResourceNotFound",
    "ValidationException": "ValidationError",
}
# Refusals that the table itself gave; only these name it.
_REACHED_TABLE = frozenset({"ConditionalCheckFailedException", "DuplicateItemException"})


def batch_execute_statement(context: EngineContext, request: Request) -> Response:
    """Carry out each statement; one that fails leaves an error in its place."""
    _BATCH_EXECUTE_STATEMENT_SHAPE.check(request)
    asked: list[Mapping[str, Any]] = request["Statements"]
    parsed = [_parse_batch_statement(one) for one in asked]
    kinds = {isinstance(one, SelectStatement) for one in parsed if not isinstance(one, EngineError)}
    if len(kinds) > 1:
        raise validation_error("Read and write requests together in the same batch is not supported.")
    detail = request.get("ReturnConsumedCapacity")
    capacities: list[dict[str, Any]] = []
    responses = [
        _statement_response(context, statement, {**one, "ReturnConsumedCapacity": detail}, capacities)
        for statement, one in zip(parsed, asked, strict=True)
    ]
    response: Response = {"Responses": responses}
    if detail in ("TOTAL", "INDEXES"):
        response["ConsumedCapacity"] = capacities
    return response


def _parse_batch_statement(asked: Mapping[str, Any]) -> Statement | EngineError:
    try:
        return parse_statement(asked["Statement"], asked.get("Parameters") or ())
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
        if error.code not in _BATCH_ERROR_CODES:
            raise
        named = {"TableName": statement.table} if error.code in _REACHED_TABLE else {}
        return {"Error": _error_response(error), **named}
    return {"TableName": statement.table} if item is None else {"Item": item, "TableName": statement.table}


def _error_response(error: EngineError) -> dict[str, Any]:
    return {"Code": _BATCH_ERROR_CODES[error.code], "Message": error.message, **error.fields}


def _execute_one(
    context: EngineContext, statement: Statement, request: Request, capacities: list[dict[str, Any]]
) -> dict[str, Any] | None:
    if isinstance(statement, SelectStatement):
        refuse_partial_key(statement, context.table(statement.table), "BatchExecuteStatement")
        page = run_select(context, plan_select(context, statement, request), request)
        capacities.extend([page["ConsumedCapacity"]] if "ConsumedCapacity" in page else [])
        return page["Items"][0] if page["Items"] else None
    action = prepare_single_write(context, statement, request)
    change = context.storage.write(action.run)
    if request["ReturnConsumedCapacity"] is not None:
        tally = CapacityTally(action.table)
        tally.add_change(change)
        capacities.append(tally.told(request["ReturnConsumedCapacity"]))
    return returned_item(statement, action, change)


MAX_TRANSACTION_STATEMENTS = 100

_EXECUTE_TRANSACTION_SHAPE = structure(
    member(
        "TransactStatements",
        list_of(
            structure(
                member("Statement", string(1, 8192), required=True),
                member("Parameters", list_of(ATTRIBUTE_VALUE, 1)),
                member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
                name="ParameterizedStatement",
            ),
            1,
            MAX_TRANSACTION_STATEMENTS,
        ),
        required=True,
    ),
    member("ClientRequestToken", string(1, 36)),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
)


def execute_transaction(context: EngineContext, request: Request) -> Response:
    """Read or write together."""
    _EXECUTE_TRANSACTION_SHAPE.check(request)
    asked: list[Mapping[str, Any]] = request["TransactStatements"]
    parsed = [_parse_transaction_statement(position, one) for position, one in enumerate(asked)]
    reads = [statement for statement in parsed if isinstance(statement, SelectStatement)]
    if not reads:
        return _write_all(context, [one for one in parsed if not isinstance(one, SelectStatement)], request)
    if len(reads) < len(parsed):
        raise validation_error(
            "ExecuteTransaction API does not support both read and write operations in the same request."
        )
    return _read_all(context, reads, request)


def _parse_transaction_statement(position: int, asked: Mapping[str, Any]) -> Statement:
    try:
        return parse_statement(asked["Statement"], asked.get("Parameters") or ())
    except EngineError as error:
        raise _with_position(position, error) from error


def _with_position(position: int, error: EngineError) -> EngineError:
    """The refusal of one statement, with its place in the request."""
    if error.code != "ValidationException":
        return error
    return validation_error(f"Validation failed in TransactStatements[{position}]: {error.message}")


def _write_all(context: EngineContext, writes: list[WriteStatement], request: Request) -> Response:
    asked = request["TransactStatements"]
    bound = [_bind_write(context, position, write) for position, write in enumerate(writes)]
    actions = all_or_cancel(_prepare_write, zip(bound, asked, strict=True))
    refuse_repeated_items(actions)
    return {"Responses": [], **write_transaction(context, actions, request, asked)}


def _bind_write(context: EngineContext, position: int, write: WriteStatement) -> BoundWrite | EngineError:
    """Bind a write; a missing table cancels the transaction later, any other fault refuses the request."""
    try:
        if isinstance(write, UpdateStatement | DeleteStatement) and write.returning is not None:
            raise validation_error("RETURNING clause is not supported in ExecuteTransaction.")
        return bind_write(context, write)
    except EngineError as error:
        if error.code == "ResourceNotFoundException":
            return error
        raise _with_position(position, error) from error


def _prepare_write(write: tuple[BoundWrite | EngineError, Mapping[str, Any]]) -> ItemAction:
    bound, asked = write
    if isinstance(bound, EngineError):
        raise bound
    return bound.prepare(asked)


def _read_all(context: EngineContext, selects: list[SelectStatement], request: Request) -> Response:
    keys = [_whole_key(context, position, select) for position, select in enumerate(selects)]
    found = all_or_cancel(_raise_error, keys)
    gets = [{"Get": {"TableName": select.table, "Key": key}} for select, key in zip(selects, found, strict=True)]
    native: Request = {"TransactItems": gets}
    if request.get("ReturnConsumedCapacity") is not None:
        native["ReturnConsumedCapacity"] = request["ReturnConsumedCapacity"]
    response = get_together(context, native)
    response["Responses"] = [
        {"Item": SelectPlan(select, (), None).columns(found["Item"])} if "Item" in found else {}
        for select, found in zip(selects, response["Responses"], strict=True)
    ]
    return response


def _raise_error(key: dict[str, Any] | EngineError) -> dict[str, Any]:
    if isinstance(key, EngineError):
        raise key
    return key


def _whole_key(context: EngineContext, position: int, select: SelectStatement) -> dict[str, Any] | EngineError:
    """The key a SELECT pins, or why the transaction is to be cancelled."""
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
