"""ListTables: names of tables, a page at a time."""

from bisect import bisect_right
from typing import Any

from tablature.engine.constraints import member, structure, whole
from tablature.engine.context import Context, Request, Response
from tablature.engine.shapes import NEW_TABLE_NAME

MOST_NAMES = 100
SHAPE = structure(
    member("ExclusiveStartTableName", NEW_TABLE_NAME),
    member("Limit", whole(1, MOST_NAMES)),
)


def run(context: Context, request: Request) -> Response:
    SHAPE.check(request)
    names = [table.name for table in context.storage.tables()]
    start = bisect_right(names, request.get("ExclusiveStartTableName", ""))
    limit = request.get("Limit", MOST_NAMES)
    page = names[start : start + limit]
    response: dict[str, Any] = {"TableNames": page}
    if start + limit < len(names):
        response["LastEvaluatedTableName"] = page[-1]
    return response
