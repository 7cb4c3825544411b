"""ExecuteStatement: carries out one PartiQL statement."""

from tablature.engine.capacity import Tally, attach
from tablature.engine.constraints import list_of, member, structure, text, whole
from tablature.engine.context import Context, Request, Response
from tablature.engine.partiql.parser import parse_statement
from tablature.engine.partiql.planning import plan_select
from tablature.engine.partiql.reads import run_select
from tablature.engine.partiql.returning import returned_item
from tablature.engine.partiql.statements import Select
from tablature.engine.partiql.writes import Write, prepare_single_write
from tablature.engine.shapes import ATTRIBUTE_VALUE, RETURN_CONSUMED_CAPACITY, RETURN_ON_CONDITION_FAILURE

_SHAPE = structure(
    member("Statement", text(1, 8192), required=True),
    member("Parameters", list_of(ATTRIBUTE_VALUE, 1)),
    member("NextToken", text(1, 32768)),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("Limit", whole(1)),
    member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
)


def run(context: Context, request: Request) -> Response:
    """Read a page of rows, or write one item."""
    _SHAPE.check(request)
    statement = parse_statement(request["Statement"], request.get("Parameters") or ())
    if isinstance(statement, Select):
        return run_select(context, plan_select(context, statement, request), request)
    return _write(context, statement, request)


def _write(context: Context, statement: Write, request: Request) -> Response:
    action = prepare_single_write(context, statement, request)
    change = context.storage.write(action.run)
    item = returned_item(statement, action, change)
    response: Response = {"Items": [] if item is None else [item]}
    tally = Tally(action.table)
    tally.add_change(change)
    attach(response, request.get("ReturnConsumedCapacity"), tally)
    return response
