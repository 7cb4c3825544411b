"""TagResource, UntagResource and ListTagsOfResource. Only tables can have tags here."""

from dataclasses import replace

from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.errors import invalid_parameter, resource_not_found, validation_error
from tablature.engine.schema import TableSchema
from tablature.engine.storage import Transaction
from tablature.engine.tables.lookup import HasTables, parse_table_arn
from tablature.engine.tables.request_shapes import TAGS
from tablature.engine.tables.settings import check_tag_count, check_tag_key, check_tags
from tablature.engine.validation.constraints import anything, list_of, member, string, structure


def tagged_table(tables: HasTables, arn: str) -> TableSchema:
    """The table of an ARN."""
    if not arn.startswith("arn:"):
        raise invalid_parameter(f"ARNs must start with 'arn:': {arn}")
    name = parse_table_arn(arn)
    if name is None:
        if ":dynamodb:" not in arn:
            raise invalid_parameter(f"Provided Arn is not a DynamoDB resource arn: {arn}")
        raise invalid_parameter(
            f"Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {arn}"
        )
    table = tables.table(name)
    if table is None:
        raise resource_not_found(f"Requested resource not found: ResourceArn: {arn} not found")
    return table.schema


def read_tags(table: TableSchema) -> dict[str, str]:
    return dict(table.settings.get("tags", {}))


def save_tags(transaction: Transaction, table: TableSchema, tags: dict[str, str]) -> None:
    transaction.save_table(replace(table, settings=table.settings | {"tags": tags}))


_TAG_RESOURCE_SHAPE = structure(
    member("ResourceArn", string(1, 1283), required=True), member("Tags", TAGS, required=True)
)


def tag_resource(context: EngineContext, request: Request) -> Response:
    """Tag a table."""
    _TAG_RESOURCE_SHAPE.check(request)
    if not request["Tags"]:
        raise validation_error("Atleast one Tag needs to be provided as Input.")
    check_tags(request["Tags"])
    added = {tag["Key"]: tag["Value"] for tag in request["Tags"]}

    def tag(transaction: Transaction) -> None:
        table = tagged_table(transaction, request["ResourceArn"])
        tags = read_tags(table) | added
        check_tag_count(len(tags))
        save_tags(transaction, table, tags)

    context.storage.write(tag)
    return {}


_UNTAG_RESOURCE_SHAPE = structure(
    member("ResourceArn", string(1, 1283), required=True),
    member("TagKeys", list_of(anything()), required=True),
)


def untag_resource(context: EngineContext, request: Request) -> Response:
    """Remove tags. Missing keys are ignored."""
    _UNTAG_RESOURCE_SHAPE.check(request)
    if not request["TagKeys"]:
        raise validation_error("Atleast one Tag Key needs to be provided as Input.")
    for key in request["TagKeys"]:
        check_tag_key(key)
    removed = frozenset(request["TagKeys"])

    def untag(transaction: Transaction) -> None:
        table = tagged_table(transaction, request["ResourceArn"])
        save_tags(transaction, table, {key: value for key, value in read_tags(table).items() if key not in removed})

    context.storage.write(untag)
    return {}


_LIST_TAGS_OF_RESOURCE_SHAPE = structure(member("ResourceArn", string(1, 1283), required=True))


def list_tags_of_resource(context: EngineContext, request: Request) -> Response:
    """List a table's tags."""
    _LIST_TAGS_OF_RESOURCE_SHAPE.check(request)
    tags = read_tags(tagged_table(context.storage, request["ResourceArn"]))
    return {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
