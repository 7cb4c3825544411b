"""UpdateTimeToLive: names the attribute that holds an item's time of expiry, or stops expiring items."""

from dataclasses import replace

from tablature.engine.constraints import anything, member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import validation
from tablature.engine.schema import TableSchema, TtlSettings
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.storage import Transaction
from tablature.engine.tables.lookup import require_name, require_table

_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member(
        "TimeToLiveSpecification",
        structure(
            member("Enabled", anything(), required=True),
            member("AttributeName", text(1, 255), required=True),
            name="TimeToLiveSpecification",
        ),
        required=True,
    ),
)


def run(context: Context, request: Request) -> Response:
    """Switch expiry on or off."""
    require_name(request)
    _SHAPE.check(request)
    wanted = request["TimeToLiveSpecification"]

    def update(transaction: Transaction) -> None:
        table = require_table(transaction, request["TableName"]).schema
        transaction.save_table(_change(table, wanted["AttributeName"], enabled=wanted["Enabled"]))

    context.storage.write(update)
    return {"TimeToLiveSpecification": dict(wanted)}


def _change(table: TableSchema, attribute: str, *, enabled: bool) -> TableSchema:
    if table.ttl is not None and table.ttl.attribute != attribute:
        raise validation(
            f"TimeToLive is active on a different AttributeName: current AttributeName is {table.ttl.attribute}"
        )
    if enabled and table.ttl is not None:
        raise validation("TimeToLive is already enabled")
    if not enabled and table.ttl is None:
        raise validation("TimeToLive is already disabled")
    return replace(table, ttl=TtlSettings(attribute) if enabled else None)
