"""UntagResource: removes tags from a table."""

from tablature.engine.constraints import anything, list_of, member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import validation
from tablature.engine.storage import Transaction
from tablature.engine.tables.settings import check_tag_key
from tablature.engine.tables.tagging import save_tags, tagged_table, tags_of

_SHAPE = structure(
    member("ResourceArn", text(1, 1283), required=True),
    member("TagKeys", list_of(anything()), required=True),
)


def run(context: Context, request: Request) -> Response:
    """Remove tags; keys that are not there are passed over."""
    _SHAPE.check(request)
    if not request["TagKeys"]:
        raise validation("Atleast one Tag Key needs to be provided as Input.")
    for key in request["TagKeys"]:
        check_tag_key(key)
    removed = frozenset(request["TagKeys"])

    def untag(transaction: Transaction) -> None:
        table = tagged_table(transaction, request["ResourceArn"])
        save_tags(transaction, table, {key: value for key, value in tags_of(table).items() if key not in removed})

    context.storage.write(untag)
    return {}
