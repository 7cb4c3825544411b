"""TagResource: adds tags to a table, or changes their values."""

from tablature.engine.constraints import member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import validation
from tablature.engine.storage import Transaction
from tablature.engine.tables.request_shapes import TAGS
from tablature.engine.tables.settings import check_tag_count, check_tags
from tablature.engine.tables.tagging import save_tags, tagged_table, tags_of

_SHAPE = structure(member("ResourceArn", text(1, 1283), required=True), member("Tags", TAGS, required=True))


def run(context: Context, request: Request) -> Response:
    """Tag a table."""
    _SHAPE.check(request)
    if not request["Tags"]:
        raise validation("Atleast one Tag needs to be provided as Input.")
    check_tags(request["Tags"])
    added = {tag["Key"]: tag["Value"] for tag in request["Tags"]}

    def tag(transaction: Transaction) -> None:
        table = tagged_table(transaction, request["ResourceArn"])
        tags = tags_of(table) | added
        check_tag_count(len(tags))
        save_tags(transaction, table, tags)

    context.storage.write(tag)
    return {}
