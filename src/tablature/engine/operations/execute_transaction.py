"""ExecuteTransaction: up to a hundred PartiQL statements, all reads or all writes, that happen together."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.actions import Action
from tablature.engine.cancellation import all_or_cancel
from tablature.engine.constraints import list_of, member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import ServiceError, validation
from tablature.engine.operations.transact_get_items import run as get_together
from tablature.engine.operations.transact_write_items import refuse_repeated_items, write_together
from tablature.engine.partiql.parser import parse_statement
from tablature.engine.partiql.planning import Reading
from tablature.engine.partiql.statements import Delete, Select, Statement, Update
from tablature.engine.partiql.where import pinned_key
from tablature.engine.partiql.writes import BoundWrite, Write, bind_write
from tablature.engine.shapes import ATTRIBUTE_VALUE, RETURN_CONSUMED_CAPACITY, RETURN_ON_CONDITION_FAILURE

MOST_STATEMENTS = 100

_SHAPE = structure(
    member(
        "TransactStatements",
        list_of(
            structure(
                member("Statement", text(1, 8192), required=True),
                member("Parameters", list_of(ATTRIBUTE_VALUE, 1)),
                member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
                name="ParameterizedStatement",
            ),
            1,
            MOST_STATEMENTS,
        ),
        required=True,
    ),
    member("ClientRequestToken", text(1, 36)),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
)


def run(context: Context, request: Request) -> Response:
    """Read or write together."""
    _SHAPE.check(request)
    asked: list[Mapping[str, Any]] = request["TransactStatements"]
    parsed = [_parse(position, one) for position, one in enumerate(asked)]
    reads = [statement for statement in parsed if isinstance(statement, Select)]
    if not reads:
        return _write_all(context, [one for one in parsed if not isinstance(one, Select)], request)
    if len(reads) < len(parsed):
        raise validation("ExecuteTransaction API does not support both read and write operations in the same request.")
    return _read_all(context, reads, request)


def _parse(position: int, asked: Mapping[str, Any]) -> Statement:
    try:
        return parse_statement(asked["Statement"], asked.get("Parameters") or ())
    except ServiceError as error:
        raise _placed(position, error) from error


def _placed(position: int, error: ServiceError) -> ServiceError:
    """The refusal of one statement, with its place in the request."""
    if error.code != "ValidationException":
        return error
    return validation(f"Validation failed in TransactStatements[{position}]: {error.message}")


def _write_all(context: Context, writes: list[Write], request: Request) -> Response:
    asked = request["TransactStatements"]
    bound = [_bind(context, position, write) for position, write in enumerate(writes)]
    actions = all_or_cancel(_prepare, zip(bound, asked, strict=True))
    refuse_repeated_items(actions)
    return {"Responses": [], **write_together(context, actions, request, asked)}


def _bind(context: Context, position: int, write: Write) -> BoundWrite | ServiceError:
    """Bind a write; a missing table cancels the transaction later, any other fault refuses the request."""
    try:
        if isinstance(write, Update | Delete) and write.returning is not None:
            raise validation("RETURNING clause is not supported in ExecuteTransaction.")
        return bind_write(context, write)
    except ServiceError as error:
        if error.code == "ResourceNotFoundException":
            return error
        raise _placed(position, error) from error


def _prepare(write: tuple[BoundWrite | ServiceError, Mapping[str, Any]]) -> Action:
    bound, asked = write
    if isinstance(bound, ServiceError):
        raise bound
    return bound.prepare(asked)


def _read_all(context: Context, selects: list[Select], request: Request) -> Response:
    keys = [_whole_key(context, position, select) for position, select in enumerate(selects)]
    found = all_or_cancel(_raise_error, keys)
    gets = [{"Get": {"TableName": select.table, "Key": key}} for select, key in zip(selects, found, strict=True)]
    native: Request = {"TransactItems": gets}
    if request.get("ReturnConsumedCapacity") is not None:
        native["ReturnConsumedCapacity"] = request["ReturnConsumedCapacity"]
    response = get_together(context, native)
    response["Responses"] = [
        {"Item": Reading(select, (), None).columns(found["Item"])} if "Item" in found else {}
        for select, found in zip(selects, response["Responses"], strict=True)
    ]
    return response


def _raise_error(key: dict[str, Any] | ServiceError) -> dict[str, Any]:
    if isinstance(key, ServiceError):
        raise key
    return key


def _whole_key(context: Context, position: int, select: Select) -> dict[str, Any] | ServiceError:
    """The key a SELECT pins, or why the transaction is to be cancelled."""
    try:
        if select.index is not None:
            raise validation("Reads on indices are not supported within transactions.")
        table = context.table(select.table)
        key, rest = pinned_key(select.where, select.values, table.key_names)
        if rest or len(key) != len(table.key_names):
            raise validation(
                "Select statements within ExecuteTransaction must specify the primary key in the where clause."
            )
    except ServiceError as error:
        if error.code == "ResourceNotFoundException":
            return error
        raise _placed(position, error) from error
    return key
