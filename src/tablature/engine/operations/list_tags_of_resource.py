"""ListTagsOfResource: the tags of a table, all on one page."""

from tablature.engine.constraints import member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.tables.tagging import tagged_table, tags_of

_SHAPE = structure(member("ResourceArn", text(1, 1283), required=True))


def run(context: Context, request: Request) -> Response:
    """List a table's tags."""
    _SHAPE.check(request)
    tags = tags_of(tagged_table(context.storage, request["ResourceArn"]))
    return {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
