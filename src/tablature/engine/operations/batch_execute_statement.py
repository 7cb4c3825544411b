"""BatchExecuteStatement: up to 25 PartiQL statements, each answered on its own."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.capacity import Tally
from tablature.engine.constraints import list_of, member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import ServiceError, validation
from tablature.engine.partiql.parser import parse_statement
from tablature.engine.partiql.planning import plan_select
from tablature.engine.partiql.reads import refuse_partial_key, run_select
from tablature.engine.partiql.returning import returned_item
from tablature.engine.partiql.statements import Select, Statement
from tablature.engine.partiql.writes import prepare_single_write
from tablature.engine.shapes import ATTRIBUTE_VALUE, RETURN_CONSUMED_CAPACITY, RETURN_ON_CONDITION_FAILURE

MOST_STATEMENTS = 25

_SHAPE = structure(
    member(
        "Statements",
        list_of(
            structure(
                member("Statement", text(1, 8192), required=True),
                member("Parameters", list_of(ATTRIBUTE_VALUE, 1)),
                member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
                name="BatchStatementRequest",
            ),
            1,
            MOST_STATEMENTS,
        ),
        required=True,
    ),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
)
_CODES = {
    "ConditionalCheckFailedException": "ConditionalCheckFailed",
    "DuplicateItemException": "DuplicateItem",
    "ResourceNotFoundException": "ResourceNotFound",
    "ValidationException": "ValidationError",
}
# Refusals that the table itself gave; only these name it.
_REACHED_TABLE = frozenset({"ConditionalCheckFailedException", "DuplicateItemException"})


def run(context: Context, request: Request) -> Response:
    """Carry out each statement; one that fails leaves an error in its place."""
    _SHAPE.check(request)
    asked: list[Mapping[str, Any]] = request["Statements"]
    parsed = [_parse(one) for one in asked]
    kinds = {isinstance(one, Select) for one in parsed if not isinstance(one, ServiceError)}
    if len(kinds) > 1:
        raise validation("Read and write requests together in the same batch is not supported.")
    detail = request.get("ReturnConsumedCapacity")
    capacities: list[dict[str, Any]] = []
    responses = [
        _answer(context, statement, {**one, "ReturnConsumedCapacity": detail}, capacities)
        for statement, one in zip(parsed, asked, strict=True)
    ]
    response: Response = {"Responses": responses}
    if detail in ("TOTAL", "INDEXES"):
        response["ConsumedCapacity"] = capacities
    return response


def _parse(asked: Mapping[str, Any]) -> Statement | ServiceError:
    try:
        return parse_statement(asked["Statement"], asked.get("Parameters") or ())
    except ServiceError as error:
        return error


def _answer(
    context: Context, statement: Statement | ServiceError, request: Request, capacities: list[dict[str, Any]]
) -> Response:
    if isinstance(statement, ServiceError):
        return {"Error": _told(statement)}
    try:
        item = _carry_out(context, statement, request, capacities)
    except ServiceError as error:
        if error.code not in _CODES:
            raise
        named = {"TableName": statement.table} if error.code in _REACHED_TABLE else {}
        return {"Error": _told(error), **named}
    return {"TableName": statement.table} if item is None else {"Item": item, "TableName": statement.table}


def _told(error: ServiceError) -> dict[str, Any]:
    return {"Code": _CODES[error.code], "Message": error.message, **error.fields}


def _carry_out(
    context: Context, statement: Statement, request: Request, capacities: list[dict[str, Any]]
) -> dict[str, Any] | None:
    if isinstance(statement, Select):
        refuse_partial_key(statement, context.table(statement.table), "BatchExecuteStatement")
        page = run_select(context, plan_select(context, statement, request), request)
        capacities.extend([page["ConsumedCapacity"]] if "ConsumedCapacity" in page else [])
        return page["Items"][0] if page["Items"] else None
    action = prepare_single_write(context, statement, request)
    change = context.storage.write(action.run)
    if request["ReturnConsumedCapacity"] is not None:
        tally = Tally(action.table)
        tally.add_change(change)
        capacities.append(tally.told(request["ReturnConsumedCapacity"]))
    return returned_item(statement, action, change)
