"""DescribeTimeToLive: whether a table's items expire, and by which attribute."""

from tablature.engine.constraints import member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.schema import TtlSettings
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.tables.lookup import require_name, require_table

_SHAPE = structure(member("TableName", TABLE_NAME, required=True))


def run(context: Context, request: Request) -> Response:
    """Describe a table's expiry."""
    require_name(request)
    _SHAPE.check(request)
    table = require_table(context.storage, request["TableName"])
    return {"TimeToLiveDescription": describe_ttl(table.schema.ttl)}


def describe_ttl(ttl: TtlSettings | None) -> Response:
    """Describe expiry as the service does."""
    if ttl is None:
        return {"TimeToLiveStatus": "DISABLED"}
    return {"TimeToLiveStatus": "ENABLED", "AttributeName": ttl.attribute}
