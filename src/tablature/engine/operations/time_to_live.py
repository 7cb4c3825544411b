"""DescribeTimeToLive and UpdateTimeToLive: the attribute that holds the expiry time of a table's items."""

from dataclasses import replace

from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.errors import validation_error
from tablature.engine.schema import TableSchema, TtlSettings
from tablature.engine.storage import Transaction
from tablature.engine.tables.lookup import require_name, require_table
from tablature.engine.validation.constraints import anything, member, string, structure
from tablature.engine.validation.shapes import TABLE_NAME

_DESCRIBE_TIME_TO_LIVE_SHAPE = structure(member("TableName", TABLE_NAME, required=True))


def describe_time_to_live(context: EngineContext, request: Request) -> Response:
    """Describe a table's expiry."""
    require_name(request)
    _DESCRIBE_TIME_TO_LIVE_SHAPE.check(request)
    table = require_table(context.storage, request["TableName"])
    return {"TimeToLiveDescription": describe_ttl(table.schema.ttl)}


def describe_ttl(ttl: TtlSettings | None) -> Response:
    """Describe expiry as the service does."""
    if ttl is None:
        return {"TimeToLiveStatus": "DISABLED"}
    return {"TimeToLiveStatus": "ENABLED", "AttributeName": ttl.attribute}


_UPDATE_TIME_TO_LIVE_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member(
        "TimeToLiveSpecification",
        structure(
            member("Enabled", anything(), required=True),
            member("AttributeName", string(1, 255), required=True),
            name="TimeToLiveSpecification",
        ),
        required=True,
    ),
)


def update_time_to_live(context: EngineContext, request: Request) -> Response:
    """Switch expiry on or off."""
    require_name(request)
    _UPDATE_TIME_TO_LIVE_SHAPE.check(request)
    wanted = request["TimeToLiveSpecification"]

    def update(transaction: Transaction) -> None:
        table = require_table(transaction, request["TableName"]).schema
        transaction.save_table(_changed_ttl(table, wanted["AttributeName"], enabled=wanted["Enabled"]))

    context.storage.write(update)
    return {"TimeToLiveSpecification": dict(wanted)}


def _changed_ttl(table: TableSchema, attribute: str, *, enabled: bool) -> TableSchema:
    if table.ttl is not None and table.ttl.attribute != attribute:
        raise validation_error(
            f"TimeToLive is active on a different AttributeName: current AttributeName is {table.ttl.attribute}"
        )
    if enabled and table.ttl is not None:
        raise validation_error("TimeToLive is already enabled")
    if not enabled and table.ttl is None:
        raise validation_error("TimeToLive is already disabled")
    return replace(table, ttl=TtlSettings(attribute) if enabled else None)
