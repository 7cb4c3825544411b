"""Every operation of the service by name; one module each, with `run(context, request) -> response`."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tablature.engine.context import Context, Request, Response
from tablature.engine.operations import (
    batch_get_item,
    batch_write_item,
    delete_item,
    get_item,
    put_item,
    query,
    scan,
    transact_get_items,
    transact_write_items,
    update_item,
)

Operation = Callable[[Context, Request], Response]

OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        "BatchGetItem": batch_get_item.run,
        "BatchWriteItem": batch_write_item.run,
        "DeleteItem": delete_item.run,
        "GetItem": get_item.run,
        "PutItem": put_item.run,
        "Query": query.run,
        "Scan": scan.run,
        "TransactGetItems": transact_get_items.run,
        "TransactWriteItems": transact_write_items.run,
        "UpdateItem": update_item.run,
    }
)
