"""Every operation of the service by name, as a function `(context, request) -> response`."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.operations import backups, items, statements, streams, tables, tags, time_to_live
from tablature.engine.operations.batch_get_item import batch_get_item
from tablature.engine.operations.batch_write_item import batch_write_item
from tablature.engine.operations.query import run_query
from tablature.engine.operations.scan import run_scan
from tablature.engine.operations.transact_get_items import transact_get_items
from tablature.engine.operations.transact_write_items import transact_write_items
from tablature.engine.operations.update_table import update_table

Operation = Callable[[EngineContext, Request], Response]

OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        "BatchExecuteStatement": statements.batch_execute_statement,
        "BatchGetItem": batch_get_item,
        "BatchWriteItem": batch_write_item,
        "CreateBackup": backups.create_backup,
        "CreateTable": tables.create_table,
        "DeleteBackup": backups.delete_backup,
        "DeleteItem": items.delete_item,
        "DeleteTable": tables.delete_table,
        "DescribeBackup": backups.describe_backup,
        "DescribeContinuousBackups": backups.describe_continuous_backups,
        "DescribeEndpoints": tables.describe_endpoints,
        "DescribeLimits": tables.describe_limits,
        "DescribeStream": streams.describe_stream,
        "DescribeTable": tables.describe_table,
        "DescribeTimeToLive": time_to_live.describe_time_to_live,
        "ExecuteStatement": statements.execute_statement,
        "ExecuteTransaction": statements.execute_transaction,
        "GetItem": items.get_item,
        "GetRecords": streams.get_records,
        "GetShardIterator": streams.get_shard_iterator,
        "ListBackups": backups.list_backups,
        "ListStreams": streams.list_streams,
        "ListTables": tables.list_tables,
        "ListTagsOfResource": tags.list_tags_of_resource,
        "PutItem": items.put_item,
        "Query": run_query,
        "RestoreTableFromBackup": backups.restore_table_from_backup,
        "RestoreTableToPointInTime": backups.restore_table_to_point_in_time,
        "Scan": run_scan,
        "TagResource": tags.tag_resource,
        "TransactGetItems": transact_get_items,
        "TransactWriteItems": transact_write_items,
        "UntagResource": tags.untag_resource,
        "UpdateContinuousBackups": backups.update_continuous_backups,
        "UpdateItem": items.update_item,
        "UpdateTable": update_table,
        "UpdateTimeToLive": time_to_live.update_time_to_live,
    }
)
